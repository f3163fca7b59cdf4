package beam_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// put writes small files to a new folder, and returns it.
func put(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// TestBadShards: what is wrong with shards is told with shard, line and column, all at once.
func TestBadShards(t *testing.T) {
	good := "a,b,c\n1,2,3\n4,5,7\n7,9,9\n"
	for name, c := range map[string]struct {
		files map[string]string
		opt   dataset.ReadOptions
		want  []string
	}{
		"a bad cell": {files: map[string]string{"1.csv": good, "2.csv": "a,b,c\n1,2,3\n4,5x,7\n1,1,1\n"},
			want: []string{`2.csv:3: column "b": "5x" is not a number`}},
		"two bad shards": {files: map[string]string{"1.csv": good, "2.csv": "a,b,c\n1,?,3\n4,5,7\n", "3.csv": good, "4.csv": "a,b,c\n1,2,inf\n4,5,7\n"},
			want: []string{`2.csv:2: column "b": "?" is not a number`, `4.csv:2: column "c": "inf" is not a finite number`}},
		"a missing cell": {files: map[string]string{"1.csv": good, "2.csv": "a,b,c\n1,2,3\n4,,7\n"},
			want: []string{`2.csv: fit needs complete data`, `line 3, column "b"`, "omit_missing"}},
		"a column of text": {files: map[string]string{"1.csv": "a,b,city\n1,2,Oslo\n3,4,Rome\n", "2.csv": "a,b,city\n1,2,Oslo\n3,4,Rome\n"},
			want: []string{`1.csv:2: column "city": "Oslo" is not a number`, `2.csv:2: column "city"`}},
		"a shard lacks a column": {files: map[string]string{"1.csv": good, "2.csv": "a,c\n1,2\n3,4\n"}, want: []string{`2.csv lacks "b"`}},
		"a shard has one more":   {files: map[string]string{"1.csv": good, "2.csv": "a,b,c,d\n1,2,3,4\n"}, want: []string{`2.csv has "d" beside`}},
		"other columns": {files: map[string]string{"1.csv": good, "2.csv": "a,x,y\n1,2,3\n", "3.csv": good},
			want: []string{`2.csv lacks "b", "c" and has "x", "y" beside`}},
		"a ragged line":       {files: map[string]string{"1.csv": good, "2.csv": "a,b,c\n1,2,3\n4,5\n"}, want: []string{"2.csv:3:"}},
		"no label":            {files: map[string]string{"1.csv": good, "2.csv": "a,b\n1,2\n"}, opt: dataset.ReadOptions{Label: "c"}, want: []string{`2.csv`, `no column "c"`}},
		"all empty":           {files: map[string]string{"1.csv": "", "2.csv": ""}, want: []string{"no shard has a row, of 2"}},
		"headers only":        {files: map[string]string{"1.csv": "a,b\n", "2.csv": "a,b\n"}, want: []string{"rows: 0;"}},
		"a single row":        {files: map[string]string{"1.csv": "a,b\n", "2.csv": "a,b\n1,2\n"}, want: []string{"rows: 1;"}},
		"no format":           {files: map[string]string{"1.csv": good, "2.csv": "\x00\x01\x02"}, want: []string{"2.csv"}},
		"nothing that varies": {files: map[string]string{"1.csv": "a,b\n1,2\n", "2.csv": "a,b\n1,2\n"}, want: []string{"constant"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := put(t, c.files)
			_, err := beam.NewCovariance(context.Background(), beam.Table{Shards: []string{filepath.Join(dir, "*.csv")}, Read: c.opt}, beam.Options{})
			if err == nil {
				t.Fatal("no error")
			}
			t.Log(strings.ReplaceAll(err.Error(), dir+"/", ""))
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in %v", want, err)
				}
			}
		})
	}
}

// TestPatterns: a pattern that fits nothing, and shards that come twice.
func TestPatterns(t *testing.T) {
	good := "a,b,c\n1,2,3\n4,5,7\n7,9,9\n"
	dir := put(t, map[string]string{"1.csv": good, "2.csv": good + "5,5,5\n"})
	at := func(name string) string { return filepath.Join(dir, name) }
	must.OK(t, os.Mkdir(at("sub"), 0o700))
	must.OK(t, os.Symlink(at("1.csv"), at("sub/link.csv")))
	must.OK(t, os.Link(at("2.csv"), at("sub/hard.csv")))
	for _, c := range []struct {
		shards []string
		want   []string
	}{
		{nil, []string{"there are no shards"}},
		{[]string{at("*.parquet")}, []string{"no file fits", "*.parquet"}},
		{[]string{at("3.csv"), at("x*")}, []string{"there is no file", "3.csv", "no file fits"}},
		{[]string{at("*.csv"), at("1*")}, []string{"1.csv comes twice"}},
		{[]string{at("*.csv"), at("sub/*.csv")}, []string{"are the same file", "link.csv", "hard.csv"}},
		{[]string{at("s*")}, []string{"is not a file"}},
		{[]string{at("[")}, []string{"syntax error"}},
	} {
		_, err := beam.NewCovariance(context.Background(), beam.Table{Shards: c.shards}, beam.Options{})
		if err == nil {
			t.Errorf("%v: no error", c.shards)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %q is not in %v", c.shards, want, err)
			}
		}
	}
}

// TestOrder: shards with their columns in another order, and empty ones, change nothing.
func TestOrder(t *testing.T) {
	f, opt := digits(t), selector.Options{Features: 10, Components: 4, Ledger: true}
	for _, ending := range []string{".csv", ".parquet"} {
		dir := cut(t, f, 5, ending)
		want := modelBytes(t, fit(t, table(dir, ending), beam.Options{}, opt))
		for s := 1; s < 5; s++ {
			path := filepath.Join(dir, fmt.Sprintf("part-%02d%s", s, ending))
			g := must.Get(dataset.Read(path, dataset.ReadOptions{Label: "digit"}))(t)
			names := g.Names()
			rand.New(rand.NewPCG(uint64(s), 1)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			h, err := g.Pick(names)
			if err == nil {
				h, err = dataset.Assemble(h.Numeric(), h.Columns(), "digit", g.Class())
			}
			if err != nil {
				t.Fatal(err)
			}
			write(t, path, h)
		}
		if ending == ".csv" {
			for name, text := range map[string]string{"part-015.csv": "", "a.csv": "", "z.csv": strings.Join(append(f.Names(), "digit"), ",") + "\n"} {
				must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
			}
			in := table(dir, ending)
			sameModels(t, fit(t, in, beam.Options{}, opt), fit(t, in, beam.Options{}, opt))
			for _, name := range []string{"part-015.csv", "a.csv"} {
				os.Remove(filepath.Join(dir, name))
			}
		}
		if got := modelBytes(t, fit(t, table(dir, ending), beam.Options{}, opt)); !bytes.Equal(got, want) {
			t.Errorf("%s: the order of the columns changes the model", ending)
		}
	}
}

// TestOmitMissing: rows with missing cells are left out as in a table in one file.
func TestOmitMissing(t *testing.T) {
	files := map[string]string{
		"1.csv": "a,b,c\n1,2,3\n,5,7\n7,9,9.5\n", "2.csv": "c,a,b\n,,\n", "3.csv": "a,b,c\n4,4,1\n3,NA,8\n5,1,2\n"}
	dir := put(t, files)
	in := beam.Table{Shards: []string{filepath.Join(dir, "*.csv")}, Read: dataset.ReadOptions{Missing: []string{"NA"}}, OmitMissing: true}
	a := must.Get(beam.NewCovariance(context.Background(), in, beam.Options{}))(t)
	if a.Omitted != 3 || a.Rows() != 4 {
		t.Errorf("%d rows, %d left out", a.Rows(), a.Omitted)
	}
	opt := selector.Options{Features: 2, Components: 1}
	f := must.Get(dataset.New([]string{"a", "b", "c"}, mat.NewDense(4, 3, []float64{1, 2, 3, 7, 9, 9.5, 4, 4, 1, 5, 1, 2})))(t)
	got, want := fit(t, in, beam.Options{}, opt), inMemory(t, f, opt)
	if math.Abs(got.Objective()-want.Objective()) > 1e-12 {
		t.Errorf("objective %v, want %v", got.Objective(), want.Objective())
	}
}

// TestWide: above 5000 columns each product is a job; the choice is that of the table in memory. A
// shard that changes meanwhile is an error.
func TestWide(t *testing.T) {
	const n, d = 90, 5200
	rng := rand.New(rand.NewPCG(4, 4))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		u, v := 3*rng.NormFloat64(), 2*rng.NormFloat64()
		for j := range d {
			x.Set(i, j, rng.NormFloat64()+u*float64(j%7)/7+v*float64(j%11)/11+100)
		}
	}
	f, err := dataset.New(nil, x)
	if err != nil {
		t.Fatal(err)
	}
	dir := cut(t, f, 3, ".npy")
	in := beam.Table{Shards: []string{filepath.Join(dir, "*.npy")}}
	opt := selector.Options{Features: 6, Components: 2, Standardize: true}
	s := selector.New(opt)
	must.OK(t, s.FitMatrix(context.Background(), x, nil))
	got, want := fit(t, in, beam.Options{}, opt), s.Model()
	if fmt.Sprint(got.Features()) != fmt.Sprint(want.Features()) || math.Abs(got.Objective()-want.Objective()) > 1e-9*want.Objective() {
		t.Errorf("%v %v, want %v %v", got.Features(), got.Objective(), want.Features(), want.Objective())
	}
	if again := fit(t, in, beam.Options{Runner: "direct"}, opt); !bytes.Equal(modelBytes(t, again), modelBytes(t, got)) {
		t.Error("another runner gives other bytes")
	}
	a := must.Get(beam.NewCovariance(context.Background(), in, beam.Options{}))(t)
	write(t, filepath.Join(dir, "part-01.npy"), f)
	err = selector.New(opt).FitStream(context.Background(), a.Stream, a.Names, a.Reading)
	if err == nil || !strings.Contains(err.Error(), "part-01.npy was written to") {
		t.Errorf("got %v", err)
	}
}
