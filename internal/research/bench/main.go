//go:build linux

// Command bench measures a fit against the tools that people would use
// instead, on the same files and in alternation, and writes docs/benchmarks.md.
// It is a tool for the authors: the peers come from Debian's packages
// python3-sklearn, r-cran-irlba, r-cran-rspectra and octave-cli.
//
//	go run ./internal/research/bench data -dir DIR           the input files alone
//	go run ./internal/research/bench peers -dir DIR          the table of docs/benchmarks.md
//	go run ./internal/research/bench dense -dir DIR          the strongest dense PCA, at more shapes
//	go run ./internal/research/bench sweep -dir DIR          time over k, beside Algorithm 2 in Octave
//	go run ./internal/research/bench project                 rows per second against the memory's speed
//	go run ./internal/research/bench profile -dir DIR        where the time of the large fits goes
//	go run ./internal/research/bench read -dir DIR           reading CSV against encoding/csv and pandas
//	go run ./internal/research/bench models -dir DIR         the classifiers beside scikit-learn
//	go run ./internal/research/bench stream -dir DIR         tables larger than memory: time and peak RSS
//	go run ./internal/research/bench fit FILE M K REPEATS [paper]    one line of JSON, as the peers print
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

// shape is one size of the comparison.
type shape struct {
	n, d  int
	route string // the best of the NumPy script's routes
	slow  bool   // peers that take minutes are left out
}

// shapes are those of the project's targets; m = 10 and k = 100 throughout.
var shapes = []shape{
	{62, 4026, "gram", false},
	{2000, 500, "covariance", false},
	{500, 20000, "gram", true},
	{100000, 784, "covariance", true},
	{20000, 5000, "implicit", true},
}

const (
	components = 10
	features   = 100
)

func (s shape) String() string { return fmt.Sprintf("(%d, %d)", s.n, s.d) }

func (s shape) file(dir string) string { return fmt.Sprintf("%s/spiked-%dx%d.npy", dir, s.n, s.d) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want one of data, peers, dense, sweep, project, profile, read, models, stream, fit")
	}
	flags := flag.NewFlagSet(args[0], flag.ExitOnError)
	dir := flags.String("dir", os.TempDir()+"/fspca-bench", "folder of the input files, made where they are not there")
	rounds := flags.Int("rounds", 5, "how often each command is run")
	out := flags.String("out", "docs", "folder of the pages")
	only := flags.String("only", "", "measure only the shape (n, d) that is written so, again; the others stay")
	size := flags.Float64("size", 6, "gigabytes of the largest tables of stream")
	threads := flags.Int("threads", 0, "measure only this number of threads, 1 or 2, again")
	note := flags.String("note", "", "a sentence for the page of dense: what else the machine did")
	switch args[0] {
	case "fit":
		return fitChild(ctx, args[1:])
	case "readone":
		return readChild(args[1:])
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "data":
		return makeData(*dir)
	case "stream":
		return streams(ctx, *dir, *out, *only, *size)
	case "peers":
		return peers(ctx, peerOptions{dir: *dir, rounds: *rounds, out: *out, only: *only, threads: *threads})
	case "dense":
		return dense(ctx, peerOptions{dir: *dir, rounds: *rounds, out: *out, only: *only, threads: *threads, note: *note})
	case "sweep":
		return sweep(ctx, *dir, *out, *rounds)
	case "read":
		return readPage(ctx, *dir, *rounds, *only, *out)
	case "models":
		return models(ctx, *dir, *rounds, *only)
	case "project":
		return project(os.Stdout)
	case "profile":
		if err := makeData(*dir); err != nil {
			return err
		}
		return profile(ctx, os.Stdout, *dir, *only)
	}
	return fmt.Errorf("no command %q", args[0])
}

// makeData writes the files that are not there yet.
func makeData(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, s := range shapes {
		path := s.file(dir)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		fmt.Fprintln(os.Stderr, "making", path)
		if err := writeNPY(path, spiked(s.n, s.d, 1)); err != nil {
			return err
		}
	}
	return nil
}
