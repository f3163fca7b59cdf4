package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/fspca/fspca/internal/lists"
)

// options are the flags.
type options struct {
	instances int
	problems  int
	seed      uint64
	data      string
	sdp       int
}

// section is a part of the output.
type section struct {
	name string
	run  func(context.Context, io.Writer, *options) error
}

var sections = []section{
	{"schemes", schemes},
	{"large", large},
	{"bounds", bounds},
	{"real", real},
	{"path", path},
	{"exchange", exchange},
}

func main() {
	var opt options
	names := lists.Map(sections, func(s section) string { return s.name })
	flag.IntVar(&opt.instances, "instances", 100, "instances of each synthetic `scheme`")
	flag.IntVar(&opt.problems, "problems", 10000, "random small `problems` of the section bounds")
	flag.Uint64Var(&opt.seed, "seed", 1, "seed of everything random")
	flag.StringVar(&opt.data, "data", "", "`folder` with lymphoma_cov.npy and nus_wide.npy (default: shared/data beside the repository)")
	flag.IntVar(&opt.sdp, "sdp", 400, "`iterations` of the semidefinite bound on real data")
	only := flag.String("only", strings.Join(names, ","), "`sections`, comma-separated")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, &opt, strings.Split(*only, ","), names); err != nil {
		fmt.Fprintln(os.Stderr, "certify:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, opt *options, only, names []string) error {
	for _, name := range only {
		if !slices.Contains(names, name) {
			return fmt.Errorf("unknown section %q: want %s", name, strings.Join(names, ", "))
		}
	}
	if opt.data == "" {
		opt.data = findData()
	}
	fmt.Fprintf(w, "%s, %s/%s, GOMAXPROCS %d, seed %d\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), opt.seed)
	for _, s := range sections {
		if !slices.Contains(only, s.name) {
			continue
		}
		if err := s.run(ctx, w, opt); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// table prints a heading and rows as Markdown.
func table(w io.Writer, title string, rows [][]string) {
	fmt.Fprintf(w, "\n## %s\n\n", title)
	for i, row := range rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(row)))
		}
	}
}

// cells formats values for a row.
func cells(values ...any) []string {
	row := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case time.Duration:
			row[i] = formatTime(v)
		case float64:
			row[i] = fmt.Sprintf("%.4f", v)
		default:
			row[i] = fmt.Sprint(v)
		}
	}
	return row
}

func formatTime(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.2f ms", d.Seconds()*1e3)
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// median returns the middle of some times, and the largest.
func median(times []time.Duration) (middle, largest time.Duration) {
	slices.Sort(times)
	return times[len(times)/2], times[len(times)-1]
}
