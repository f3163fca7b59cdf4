package dataset

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

func TestBuiltin(t *testing.T) {
	for _, test := range []struct {
		name, label         string
		rows, columns       int
		levels              string
		counts              []int
		first, last         string
		firstCell, lastCell float64
	}{
		// Shapes and class counts: the pages of the data sets (of digits, the test part).
		{"digits", "digit", 1797, 64, "0 1 2 3 4 5 6 7 8 9", []int{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}, "p00", "p77", 0, 0},
		{"iris", "species", 150, 4, "setosa versicolor virginica", []int{50, 50, 50}, "sepal_length", "petal_width", 5.1, 1.8},
		{"wine", "cultivar", 178, 13, "1 2 3", []int{59, 71, 48}, "alcohol", "proline", 14.23, 560},
	} {
		f := must.Get(Builtin(test.name))(t)
		names := f.Names()
		if f.Rows() != test.rows || len(f.NumericNames()) != test.columns || len(names) != test.columns || f.ClassName() != test.label {
			t.Errorf("%s: got a %v", test.name, f)
		}
		if names[0] != test.first || names[len(names)-1] != test.last {
			t.Errorf("%s: columns from %s to %s", test.name, names[0], names[len(names)-1])
		}
		if got := strings.Join(f.Class().Levels, " "); got != test.levels {
			t.Errorf("%s: levels %s", test.name, got)
		}
		counts := make([]int, len(test.counts))
		for _, code := range f.Class().Codes {
			counts[code]++
		}
		if !slices.Equal(counts, test.counts) {
			t.Errorf("%s: class counts %v, want %v", test.name, counts, test.counts)
		}
		x := f.Numeric()
		if got := x.At(0, 0); got != test.firstCell {
			t.Errorf("%s: first cell %v, want %v", test.name, got, test.firstCell)
		}
		if test.lastCell != 0 && test.name != "iris" && x.At(test.rows-1, test.columns-1) != test.lastCell {
			t.Errorf("%s: last cell %v, want %v", test.name, x.At(test.rows-1, test.columns-1), test.lastCell)
		}
	}
	if got := fmt.Sprint(BuiltinNames()); got != "[digits iris wine]" {
		t.Errorf("got %s", got)
	}
	for name, want := range map[string]string{
		"Iris":  `no builtin table "Iris": did you mean "iris"?`,
		"mnist": `no builtin table "mnist": there are digits, iris, wine`,
	} {
		if _, err := Builtin(name); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, want := range []string{"10.24432/C50P49", "10.24432/C5PC7J", "10.24432/C56C76", "Creative", "Changes"} {
		if !strings.Contains(Attribution(), want) {
			t.Errorf("the attribution lacks %s", want)
		}
	}
}

// sharedData returns the path of a file that is not part of the project, and
// skips the test where it is absent.
func sharedData(t testing.TB, name string) string {
	t.Helper()
	dir := must.Get(os.Getwd())(t)
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	path := filepath.Join(dir, "..", "shared", "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not here", name)
	}
	return path
}

// The embedded tables hold the numbers of the files that they were made from.
func TestBuiltinSources(t *testing.T) {
	for name, source := range map[string]string{"digits": "digits.csv.gz", "iris": "iris.csv", "wine": "wine_data.csv"} {
		path := sharedData(t, source)
		f := must.Get(Builtin(name))(t)
		_, d := f.Numeric().Dims()
		opt := ReadOptions{NoHeader: true, Label: fmt.Sprint("x", d+1)}
		if name == "digits" {
			g := must.Get(Read(path, opt))(t)
			if !mat.Equal(f.Numeric(), g.Numeric()) || !slices.Equal(f.Class().Codes, g.Class().Codes) {
				t.Errorf("%s differs from its source", name)
			}
			continue
		}
		text, err := os.ReadFile(path) // the first line is not a header but a description
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "\n")
		g := must.Get(ReadCSV(strings.NewReader(rest), path, opt))(t)
		if !mat.Equal(f.Numeric(), g.Numeric()) || !slices.Equal(f.Class().Codes, g.Class().Codes) {
			t.Errorf("%s differs from its source", name)
		}
	}
}

func TestRealFiles(t *testing.T) {
	for _, test := range []struct {
		file          string
		opt           ReadOptions
		rows, columns int
		levels        string
	}{
		{"tissue_gene_expression.csv.gz", ReadOptions{Label: "tissue"}, 189, 500, "cerebellum colon endometrium hippocampus kidney liver placenta"},
		{"golub.csv.gz", ReadOptions{Label: "class"}, 38, 3051, "ALL AML"},
		{"sonar.csv.gz", ReadOptions{Label: "Class"}, 208, 60, "M R"},
		{"nus_wide.npy", ReadOptions{}, 2400, 225, ""},
		{"numerical_numbers.npy", ReadOptions{}, 2000, 216, ""},
		{"lymphoma_cov.npy", ReadOptions{}, 500, 500, ""},
	} {
		t.Run(test.file, func(t *testing.T) {
			f := must.Get(Read(sharedData(t, test.file), test.opt))(t)
			if f.Rows() != test.rows || len(f.NumericNames()) != test.columns {
				t.Errorf("got a %v", f)
			}
			if f.Class() != nil && strings.Join(f.Class().Levels, " ") != test.levels {
				t.Errorf("got the levels %v", f.Class().Levels)
			}
			if err := f.CheckComplete("x"); err != nil {
				t.Error(err)
			}
		})
	}
}
