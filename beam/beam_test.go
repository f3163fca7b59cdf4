package beam_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	//lint:ignore SA1019 it is another engine, for the same bytes
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/dataset"
	_ "github.com/fspca/fspca/dataset/parquet"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
	"github.com/fspca/fspca/selector"
)

func TestMain(m *testing.M) {
	flag.Parse()
	log.SetLogger(&log.Standard{Level: log.SevError})
	log.LogLevel = "error"
	beam.Init() // the tests start this program as workers too
	os.Exit(m.Run())
}

// digits are the built-in digits.
func digits(t testing.TB) *dataset.Frame {
	t.Helper()
	f := must.Get(dataset.Builtin("digits"))(t)
	return f
}

// cut writes the rows of a table to so many files of uneven sizes, and returns their folder.
func cut(t testing.TB, f *dataset.Frame, shards int, ending string) string {
	t.Helper()
	dir := t.TempDir()
	bounds := make([]int, shards+1)
	for i := range bounds {
		bounds[i] = f.Rows() * i * (i + shards) / (2 * shards * shards)
	}
	for i := range shards {
		rows := make([]int, 0, bounds[i+1]-bounds[i])
		for r := bounds[i]; r < bounds[i+1]; r++ {
			rows = append(rows, r)
		}
		write(t, filepath.Join(dir, fmt.Sprintf("part-%02d%s", i, ending)), f.Subset(rows))
	}
	return dir
}

func write(t testing.TB, path string, f *dataset.Frame) {
	t.Helper()
	out := must.Get(os.Create(path))(t)
	must.OK(t, dataset.WriteAs(out, path, f))
	must.OK(t, out.Close())
}

// fit fits the covariance of shards.
func fit(t testing.TB, table beam.Table, o beam.Options, opt selector.Options) *selector.Model {
	t.Helper()
	ctx := context.Background()
	o.Uncentered = opt.Uncentered
	a := must.Get(beam.NewCovariance(ctx, table, o))(t)
	s := selector.New(opt)
	must.OK(t, s.FitStream(ctx, a.Stream, a.Names, a.Reading))
	return s.Model()
}

// inMemory fits the table as a whole.
func inMemory(t testing.TB, f *dataset.Frame, opt selector.Options) *selector.Model {
	t.Helper()
	s := selector.New(opt)
	must.OK(t, s.FitContext(context.Background(), f))
	return s.Model()
}

// modelBytes is the file of a model.
func modelBytes(t testing.TB, m *selector.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Get(m.WriteTo(&b))(t)
	return b.Bytes()
}

// sameModels compares the files of two models: their numbers up to 1e-9.
func sameModels(t testing.TB, got, want *selector.Model) {
	t.Helper()
	if at := oracle.Difference("model", modelBytes(t, got), modelBytes(t, want)); at != "" {
		t.Error(at)
	}
}

// table is the table of the files of a folder.
func table(dir, ending string) beam.Table {
	return beam.Table{Shards: []string{filepath.Join(dir, "*"+ending)}, Read: dataset.ReadOptions{Label: "digit"}}
}

// TestFit: shards give the model of the whole table, from text and from Parquet, and the same bytes
// each time; another cut gives it too.
func TestFit(t *testing.T) {
	f := digits(t)
	for _, opt := range []selector.Options{
		{Features: 12, Components: 5, Reconstruction: true, Ledger: true},
		{Features: 8, Components: 3, Standardize: true},
		{Features: 8, Components: 3, Uncentered: true},
	} {
		want := inMemory(t, f, opt)
		for _, c := range []struct {
			shards int
			ending string
		}{{7, ".csv"}, {7, ".parquet"}, {1, ".csv"}, {23, ".csv.gz"}} {
			in := table(cut(t, f, c.shards, c.ending), c.ending)
			got := fit(t, in, beam.Options{}, opt)
			sameModels(t, got, want)
			if again := fit(t, in, beam.Options{Runner: "direct"}, opt); !slices.Equal(modelBytes(t, again), modelBytes(t, got)) {
				t.Errorf("%d shards: another runner gives other bytes", c.shards)
			}
		}
	}
}

// TestGroups: any number of groups gives the model.
func TestGroups(t *testing.T) {
	f, opt := digits(t), selector.Options{Features: 9, Components: 4}
	want, in := inMemory(t, f, opt), table(cut(t, f, 11, ".csv"), ".csv")
	for _, groups := range []int{1, 2, 10, 100} {
		sameModels(t, fit(t, in, beam.Options{Groups: groups}, opt), want)
	}
}

// TestExtremes: columns whose squares leave the range of float64 take a second job.
func TestExtremes(t *testing.T) {
	f := digits(t)
	x := mat.DenseCopyOf(f.Numeric())
	n, d := x.Dims()
	for i := range n {
		for j := range d {
			x.Set(i, j, math.Ldexp(x.At(i, j), 500*(j%3-1)))
		}
	}
	g := must.Get(dataset.New(f.NumericNames(), x))(t)
	opt := selector.Options{Features: 9, Components: 4, Standardize: true}
	sameModels(t, fit(t, table2(cut(t, g, 7, ".npy"), ".npy"), beam.Options{}, opt), inMemory(t, numbered(t, g), opt))
}

func table2(dir, ending string) beam.Table {
	in := table(dir, ending)
	in.Read.Label = ""
	return in
}

// numbered is a table with the names that an array has.
func numbered(t testing.TB, f *dataset.Frame) *dataset.Frame {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.npy")
	write(t, path, f)
	g := must.Get(dataset.Read(path, dataset.ReadOptions{}))(t)
	return g
}
