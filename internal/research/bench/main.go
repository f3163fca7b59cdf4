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

	"github.com/fspca/fspca/internal/lists"
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

// options are the flags.
type options struct {
	dir     string
	rounds  int
	out     string
	only    string  // one shape or name, or "" for all
	size    float64 // of stream
	threads int     // one number of threads, or 0 for 1 and 2
	note    string  // for the page of dense
}

// commands are those that take the flags.
var commands = map[string]func(context.Context, options) error{
	"data":   func(_ context.Context, opt options) error { return makeData(opt.dir) },
	"stream": streams, "peers": peers, "dense": dense, "sweep": sweep, "read": readPage, "models": models, "profile": profile,
	"project": func(context.Context, options) error { return project(os.Stdout) },
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want one of data, peers, dense, sweep, project, profile, read, models, stream, fit")
	}
	switch args[0] {
	case "fit":
		return fitChild(ctx, args[1:])
	case "readone":
		return readChild(args[1:])
	}
	command := commands[args[0]]
	if command == nil {
		return fmt.Errorf("no command %q", args[0])
	}
	var opt options
	flags := flag.NewFlagSet(args[0], flag.ExitOnError)
	flags.StringVar(&opt.dir, "dir", os.TempDir()+"/fspca-bench", "folder of the input files, made where they are not there")
	flags.IntVar(&opt.rounds, "rounds", 5, "how often each command is run")
	flags.StringVar(&opt.out, "out", "docs", "folder of the pages")
	flags.StringVar(&opt.only, "only", "", "measure only the shape (n, d) that is written so, again; the others stay")
	flags.Float64Var(&opt.size, "size", 6, "gigabytes of the largest tables of stream")
	flags.IntVar(&opt.threads, "threads", 0, "measure only this number of threads, 1 or 2, again")
	flags.StringVar(&opt.note, "note", "", "a sentence for the page of dense: what else the machine did")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if err := os.MkdirAll(opt.dir, 0o755); err != nil {
		return err
	}
	return command(ctx, opt)
}

// wanted returns those of all that the flag -only names, or all without it.
func wanted[T any](opt options, all []T, name func(T) string) []T {
	return lists.Where(all, func(v T) bool { return opt.only == "" || name(v) == opt.only })
}

// threadsWanted returns the numbers of threads that are measured.
func (o options) threadsWanted() []int {
	return lists.Where([]int{1, 2}, func(n int) bool { return o.threads == 0 || o.threads == n })
}

// makeData writes the files that are not there yet.
func makeData(dir string) error {
	for _, s := range shapes {
		path := s.file(dir)
		if err := unlessThere(path, func() error { return writeNPY(path, spiked(s.n, s.d, 1)) }); err != nil {
			return err
		}
	}
	return nil
}

// unlessThere makes a file that is not there.
func unlessThere(path string, write func() error) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	fmt.Fprintln(os.Stderr, "making", path)
	return write()
}
