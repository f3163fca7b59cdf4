// Command bench measures fits on Beam beside a plain loop over the same shards: rows per CPU second,
// two cores beside one, and the constants of docs/scale.md. Each measurement is a process of its own
// (this program again), so that its CPU time is all that it took. Run it by make bench-beam.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	apache "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/dataset"
	_ "github.com/fspca/fspca/dataset/parquet"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

var (
	rows   = flag.Int("rows", 400000, "rows of the table")
	cols   = flag.Int("cols", 100, "columns")
	shards = flag.Int("shards", 8, "shards")
	ending = flag.String("ending", ".csv", "of the shards: .csv, .parquet or .npy")
	rounds = flag.Int("rounds", 3, "pairs of runs")
	dir    = flag.String("dir", "", "folder for the shards, which is kept; \"\": a temporary one")
	counts = flag.Bool("counts", false, "compare 1, 2, 4, … shards of the same table")
	way    = flag.String("way", "", "internal: what this process measures")
)

// result is what a process says; CPU and Wall are seconds.
type result struct {
	CPU, Wall float64
	Objective float64
	Support   []string
}

func main() {
	flag.Parse()
	apache.SetLogger(&apache.Standard{Level: apache.SevError})
	apache.LogLevel = "error"
	beam.Init()
	var err error
	if *way != "" {
		err = measure()
	} else {
		err = compare()
	}
	if err != nil {
		log.Fatal(err)
	}
}

// compare runs the pairs and prints ratios of medians.
func compare() error {
	folder := *dir
	if folder == "" {
		var err error
		if folder, err = os.MkdirTemp("", "fspca-bench-*"); err != nil {
			return err
		}
		defer os.RemoveAll(folder)
	}
	cuts := []int{*shards}
	if *counts {
		for cuts = []int{1}; cuts[len(cuts)-1]*2 <= *shards; {
			cuts = append(cuts, cuts[len(cuts)-1]*2)
		}
	}
	fmt.Printf("%d rows × %d columns, %s, %d processors, GOMAXPROCS %d; medians of %d\n", *rows, *cols, *ending, runtime.NumCPU(), runtime.GOMAXPROCS(0), *rounds)
	fmt.Printf("%7s %8s %12s %12s %12s %10s %10s\n", "shards", "MB", "plain rows/s", "beam rows/s", "beam/plain", "1 core s", "2 cores s")
	for _, n := range cuts {
		at := filepath.Join(folder, fmt.Sprintf("%d-%d-%d%s", *rows, *cols, n, *ending))
		size, err := generate(at, n)
		if err != nil {
			return err
		}
		if err := compareShards(at, n, size); err != nil {
			return err
		}
	}
	return nil
}

// compareShards runs the pairs on n shards in a folder, and prints a line.
func compareShards(folder string, n int, size float64) error {
	var plain, over, one, two []float64
	for range *rounds {
		a, err1 := process(folder, "plain", 2)
		b, err2 := process(folder, "beam", 2)
		c, err3 := process(folder, "beam", 1)
		if err := errors.Join(err1, err2, err3); err != nil {
			return err
		}
		if !slices.Equal(a.Support, b.Support) || math.Abs(a.Objective-b.Objective) > 1e-9*a.Objective {
			return fmt.Errorf("the fits differ: %v %v, and %v %v", a.Support, a.Objective, b.Support, b.Objective)
		}
		plain, over = append(plain, a.CPU), append(over, b.CPU)
		one, two = append(one, c.Wall), append(two, b.Wall)
	}
	r := float64(*rows)
	fmt.Printf("%7d %8.0f %12.0f %12.0f %12.2f %10.2f %10.2f = 1/%.2f\n", n, size/1e6, r/median(plain), r/median(over), median(plain)/median(over), median(one), median(two), median(one)/median(two))
	return nil
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// process measures one way in a process of its own.
func process(folder, way string, cores int) (result, error) {
	self, err := os.Executable()
	if err != nil {
		return result{}, err
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(self, "-way", way, "-dir", folder, "-ending", *ending)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(cores))
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return result{}, fmt.Errorf("%s: %w: %s", way, err, errs.String())
	}
	var r result
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return r, err
	}
	r.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return r, nil
}

// measure fits in this process.
func measure() error {
	ctx, start := context.Background(), time.Now()
	table := beam.Table{Shards: []string{filepath.Join(*dir, "*"+*ending)}}
	var a *solver.Stream
	var names []string
	if *way == "plain" {
		sums, header, err := loop(ctx)
		if err != nil {
			return err
		}
		names = header
		if a, err = sums.Covariance(nil); err != nil {
			return err
		}
	} else {
		c, err := beam.NewCovariance(ctx, table, beam.Options{})
		if err != nil {
			return err
		}
		a, names = c.Stream, c.Names
	}
	s := selector.New(selector.Options{Features: 10, Components: 4})
	if err := s.FitStream(ctx, a, names, dataset.Reading{}); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result{Wall: time.Since(start).Seconds(), Objective: s.Model().Objective(), Support: s.Model().Features()})
}

// loop is the plain loop over the shards: each is read in blocks, and summed.
func loop(ctx context.Context) (*solver.Sums, []string, error) {
	paths, err := filepath.Glob(filepath.Join(*dir, "*"+*ending))
	if err != nil {
		return nil, nil, err
	}
	all := &solver.Sums{}
	var names []string
	for _, path := range paths {
		f, err := dataset.Open(path, "")
		if err != nil {
			return nil, nil, err
		}
		b, err := f.Blocks(dataset.ReadOptions{})
		if err != nil {
			return nil, nil, err
		}
		sums, err := solver.Sum(ctx, b, solver.SumOptions{Form: true})
		if err != nil {
			return nil, nil, err
		}
		if err := all.Merge(sums); err != nil {
			return nil, nil, err
		}
		names = b.Names()
		b.Close()
		f.Close()
	}
	return all, names, nil
}

// generate writes the table in so many shards, unless it is there, and returns its size.
func generate(folder string, n int) (size float64, err error) {
	if _, err := os.Stat(folder); err == nil {
		return sizeOf(folder)
	}
	building := folder + ".new"
	if err := os.MkdirAll(building, 0o777); err != nil {
		return 0, err
	}
	for s := range n {
		path := filepath.Join(building, fmt.Sprintf("part-%04d%s", s, *ending))
		if err := writeShard(path, *rows*s/n, *rows*(s+1)/n); err != nil {
			return 0, err
		}
	}
	if err := os.Rename(building, folder); err != nil {
		return 0, err
	}
	return sizeOf(folder)
}

func sizeOf(folder string) (size float64, err error) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return 0, err
		}
		size += float64(info.Size())
	}
	return size, err
}

// cell is a number of the table: factors, and noise of a hash.
func cell(i, j int) float64 {
	h := (uint64(i)*0x9e3779b97f4a7c15 ^ uint64(j)*0xc2b2ae3d27d4eb4f) * 0xff51afd7ed558ccd
	h ^= h >> 29
	noise := float64(h*0x94d049bb133111eb>>11)/(1<<53) - 0.5
	return math.Round(1e4*(math.Sin(float64(i)*0.37)*float64(j%7)+math.Cos(float64(i)*1.3)*float64(j%5)+3*noise)) / 1e4
}

// writeShard writes rows from, …, to−1.
func writeShard(path string, from, to int) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	if *ending != ".csv" {
		x := mat.NewDense(to-from, *cols, nil)
		for i := from; i < to; i++ {
			for j := range *cols {
				x.Set(i-from, j, cell(i, j))
			}
		}
		f, err := dataset.New(nil, x)
		if err != nil {
			return err
		}
		return dataset.WriteAs(out, path, f)
	}
	return writeLines(out, from, to)
}

// writeLines writes a header and rows as CSV.
func writeLines(out io.Writer, from, to int) error {
	w := bufio.NewWriterSize(out, 1<<20)
	var line []byte
	for i := from - 1; i < to; i++ {
		line = line[:0]
		for j := range *cols {
			if j > 0 {
				line = append(line, ',')
			}
			if i < from {
				line = strconv.AppendInt(append(line, 'x'), int64(j+1), 10)
			} else {
				line = strconv.AppendFloat(line, cell(i, j), 'g', -1, 64)
			}
		}
		w.Write(append(line, '\n'))
	}
	return w.Flush()
}
