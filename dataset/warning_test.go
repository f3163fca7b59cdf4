package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// textTable writes a table of rows with some decimals, under a header.
func textTable(header string, rows, columns int, format string) string {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString(header + "\n")
	for range rows {
		for j := range columns {
			if j > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, format, 3*r.NormFloat64())
		}
		b.WriteString("\n")
	}
	return b.String()
}

// numbered puts a column that name and f make before a table.
func numbered(text, name string, f func(i int) string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := range lines {
		if i == 0 {
			lines[i] = name + "," + lines[i]
		} else {
			lines[i] = f(i-1) + "," + lines[i]
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// totalled puts a line with the sums or means of the columns below a table.
func totalled(text string, means bool) string {
	f, err := ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{})
	if err != nil {
		panic(err)
	}
	n, p := f.Numeric().Dims()
	cells := make([]string, p)
	for j := range p {
		v := mat.Sum(f.Numeric().ColView(j))
		if means {
			v /= float64(n)
		}
		cells[j] = fmt.Sprintf("%.3f", v)
	}
	return text + strings.Join(cells, ",") + "\n"
}

// TestWarnings tries every rule where it must speak, and beside it where it must not.
func TestWarnings(t *testing.T) {
	plain := textTable("a,b,c", 30, 3, "%.3f")
	row := func(i int) string { return fmt.Sprint(i) }
	for _, c := range []struct {
		name, text string
		opt        ReadOptions
		want       string // the code, "" for none
	}{
		{"plain", plain, ReadOptions{}, ""},

		{"first row as header", textTable("1.5,-2,0.3", 10, 3, "%.3f"), ReadOptions{}, "W101"},
		{"two columns", textTable("3.5,-2", 10, 2, "%.3f"), ReadOptions{}, "W101"},
		{"beside text that is dropped", numbered(textTable("1.5,-2,0.3", 10, 3, "%.3f"), "s1", func(i int) string { return fmt.Sprint("s", i+2) }), ReadOptions{Drop: []string{"s1"}}, "W101"},
		{"no header, said so", textTable("1.5,-2,0.3", 10, 3, "%.3f"), ReadOptions{NoHeader: true}, ""},
		{"years", textTable("2019,2020,2021", 10, 3, "%.3f"), ReadOptions{}, ""},
		{"wavelengths", textTable("400.5,410,425,431,440.2", 10, 5, "%.3f"), ReadOptions{}, ""},
		{"one name that is text", textTable("1.5,-2,c", 10, 3, "%.3f"), ReadOptions{}, ""},

		{"row numbers", numbered(plain, "Unnamed: 0", row), ReadOptions{}, "W102"},
		{"row numbers from 1, backwards", numbered(plain, "no", func(i int) string { return fmt.Sprint(100 - i) }), ReadOptions{}, "W102"},
		{"times", numbered(plain, "t", func(i int) string { return fmt.Sprintf("%.1f", 0.1*float64(i)) }), ReadOptions{}, "W102"},
		{"days as numbers", numbered(plain, "day", func(i int) string { return time.Date(2024, 1, 20+i, 0, 0, 0, 0, time.UTC).Format("20060102") }), ReadOptions{}, "W102"},
		{"days as text", numbered(plain, "day", func(i int) string { return fmt.Sprintf("2024-%02d-%02d", 1+i/28, 1+i%28) }), ReadOptions{}, "W102"},
		{"days with names of months", numbered(plain, "day", func(i int) string { return time.Date(2024, 1, 20+i, 0, 0, 0, 0, time.UTC).Format("2-Jan-2006") }), ReadOptions{}, "W102"},
		{"months as numbers", numbered(plain, "m", func(i int) string { return fmt.Sprint(100*(2000+i/12) + 1 + i%12) }), ReadOptions{}, "W102"},
		{"row numbers with gaps", numbered(plain, "Unnamed: 0", func(i int) string { return fmt.Sprint(i + i/5) }), ReadOptions{}, "W102"},
		{"months as text", numbered(plain, "month", func(i int) string { return fmt.Sprintf("%d-%02d", 2000+i/12, 1+i%12) }), ReadOptions{}, "W102"},
		{"row numbers that are dropped", numbered(plain, "no", row), ReadOptions{Drop: []string{"no"}}, ""},
		{"row numbers as names", numbered(plain, "no", row), ReadOptions{ID: "no"}, ""},
		{"a number that repeats", numbered(plain, "no", func(i int) string { return fmt.Sprint(i / 2) }), ReadOptions{}, ""},
		{"numbers out of order", numbered(plain, "no", func(i int) string { return fmt.Sprint((i * 7) % 30) }), ReadOptions{}, ""},
		{"a column that does not vary", numbered(plain, "no", func(int) string { return "4" }), ReadOptions{}, ""},
		{"few rows", "a,b\n1,3\n2,1\n3,9\n", ReadOptions{}, ""},

		{"identifiers out of order", numbered(plain, "Unnamed: 0", func(i int) string { return fmt.Sprint((i * 7) % 30) }), ReadOptions{}, "W102"},
		{"identifiers of customers", numbered(plain, "customer_id", func(i int) string { return fmt.Sprint(i * 7919 % 10007) }), ReadOptions{}, "W102"},
		{"identifiers of passengers", numbered(plain, "PassengerId", func(i int) string { return fmt.Sprint(i * 7919 % 10007) }), ReadOptions{}, "W102"},
		{"identifiers that repeat", numbered(plain, "store_id", func(i int) string { return fmt.Sprint(i * 7919 % 11) }), ReadOptions{}, ""},
		{"no identifiers", numbered(plain, "humid", func(i int) string { return fmt.Sprint(i * 7919 % 10007) }), ReadOptions{}, ""},
		{"negative numbers", numbered(plain, "id", func(i int) string { return fmt.Sprint(i*7919%10007 - 5000) }), ReadOptions{}, ""},
		{"days with gaps", numbered(plain, "day", func(i int) string { return time.Date(2024, 1, 20+i+i/5*2, 0, 0, 0, 0, time.UTC).Format("20060102") }), ReadOptions{}, "W102"},
		{"days out of order", numbered(plain, "day", func(i int) string { return time.Date(2024, 1, i*7%30, 0, 0, 0, 0, time.UTC).Format("20060102") }), ReadOptions{}, "W102"},
		{"one day", numbered(plain, "day", func(int) string { return "20240131" }), ReadOptions{}, ""},
		{"large numbers", numbered(plain, "day", func(i int) string { return fmt.Sprint(20240131 + i*i) }), ReadOptions{}, ""},
		{"times with gaps", numbered(plain, "timestamp", func(i int) string { return fmt.Sprint(1700000000 + i*i) }), ReadOptions{}, "W102"},

		{"postal codes", numbered(plain, "zip", func(i int) string { return fmt.Sprintf("%05d", 1001+i*i*97) }), ReadOptions{}, "W117"},
		{"postal codes, declared", numbered(plain, "zip", func(i int) string { return fmt.Sprintf("%05d", 1001+i*i*97) }), ReadOptions{Categorical: []string{"zip"}}, ""},
		{"months", numbered(plain, "month", func(i int) string { return fmt.Sprintf("%02d", 1+i*5%12) }), ReadOptions{}, ""},
		{"bits", numbered(plain, "bits", func(i int) string { return fmt.Sprintf("%04b", i%2*5) }), ReadOptions{}, ""},
		{"five digits without zeros", numbered(plain, "zip", func(i int) string { return fmt.Sprint(20001 + i*i) }), ReadOptions{}, ""},

		{"classes alike", numbered(plain, "y", func(i int) string { return []string{"Yes", "yes", "no"}[i%3] }), ReadOptions{Label: "y"}, "W118"},
		{"categories alike", numbered(plain, "city", func(i int) string { return []string{"New York", "New  york", "Rome"}[i%3] }), ReadOptions{}, "W118"},
		{"alleles", numbered(plain, "y", func(i int) string { return []string{"A", "a", "b"}[i%3] }), ReadOptions{Label: "y"}, ""},

		{"symmetric", "a,b,c\n2,1,0.5\n1,3,0\n0.5,0,1\n", ReadOptions{}, "W103"},
		{"square", "a,b,c\n2,1,0.5\n1,3,0\n0.4,0,1\n", ReadOptions{}, ""},

		{"a class for each row", numbered(plain, "id", func(i int) string { return fmt.Sprint("p", i) }), ReadOptions{Label: "id"}, "W104"},
		{"numbers as classes", numbered(plain, "y", func(i int) string { return fmt.Sprint(1000 + 7*i*i) }), ReadOptions{Label: "y"}, "W104"},
		{"few classes", numbered(plain, "y", func(i int) string { return fmt.Sprint(i % 3) }), ReadOptions{Label: "y"}, ""},
		{"classes of two rows", numbered(plain, "y", func(i int) string { return fmt.Sprint(i / 2) }), ReadOptions{Label: "y"}, ""},

		{"totals", totalled(plain, false), ReadOptions{}, "W107"},
		{"means", totalled(plain, true), ReadOptions{}, "W107"},
		{"totals first", "a,b\n21,15\n1,5\n2,4\n3,3\n4,2\n5,1\n6,0\n", ReadOptions{}, "W107"},
		{"a row called total", "site,a,b\ns1,1,5\ns2,2,4\ns3,3,3\ns4,4,2\nTotal,50,60\n", ReadOptions{}, "W107"},
		{"a class that is rare", "y,a,b\nu,1,5\nu,2,4\nv,3,3\nv,4,2\nn,50,60\n", ReadOptions{Label: "y"}, ""},
		{"data as names, in another notation", "\"1,5\",\"0,2\",\"-0,7\"\n1,2,3\n2,1,3\n4,1,2\n5,5,1\n", ReadOptions{}, "W101"},
		{"binary columns", "a,b\n1,0\n0,0\n0,1\n0,0\n0,0\n1,1\n", ReadOptions{}, ""},
		{"zeros below centred rows", "a,b\n1,-2\n-1,2\n3,1\n-3,-1\n0,0\n", ReadOptions{}, ""},

		{"a marker that is nowhere", plain, ReadOptions{Missing: []string{"-999"}}, "W111"},
		{"a marker by another text", plain + "NA,1,2\n", ReadOptions{Missing: []string{"NA", "n/a"}}, "W111"},
		{"markers that occur", plain + "NA,-999.0,2\n", ReadOptions{Missing: []string{"NA", "-999"}}, ""},

		{"grouped digits", strings.ReplaceAll("menge,c\n1.000,-7.66\n1.137,-6.06\n1.274,2\n12.411,3\n1.548,7.1\n", ",", ";"), ReadOptions{Delimiter: ';'}, "W113"},
		{"grouped and small", "n,c\n950,1.5\n1.000,2.25\n2.500,3\n12,4\n", ReadOptions{}, "W113"},
		{"three decimals", strings.ReplaceAll(plain, ",", ";"), ReadOptions{Delimiter: ';'}, ""},
		{"eighths", "n,c\n1.125,1.5\n2,2.25\n2.625,3\n12,4\n", ReadOptions{}, ""},

		{"genes in rows", textTable("cell1,cell2,cell3,cell4", 9, 4, "%.3f"), ReadOptions{}, "W114"},
		{"other numbered names", textTable("x1,x2,x3,cell_size", 9, 4, "%.3f"), ReadOptions{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := must.Get(ReadCSV(strings.NewReader(c.text), "t.csv", c.opt))(t)
			got := f.Warnings()
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || got[0].Code != c.want) {
				t.Errorf("got %v, want %q", got, c.want)
			}
		})
	}
}

// TestNumberedNames: the first column of a table to transpose may name its columns by numbers.
func TestNumberedNames(t *testing.T) {
	const table = "gene,s1,s2,s3\n672,1,2,4\n7157,5,1,2\n1956,2,2,9\n5290,1,4,4\n207,3,3,1\n"
	for _, c := range []struct {
		name, text string
		opt        ReadOptions
		want       int
	}{
		{"numbers of genes", table, ReadOptions{Transpose: true}, 1},
		{"named", table, ReadOptions{Transpose: true, Names: "gene"}, 0},
		{"a sample", strings.Replace(table, "gene", "s0", 1), ReadOptions{Transpose: true}, 0},
		{"a number twice", strings.Replace(table, "7157", "672", 1), ReadOptions{Transpose: true}, 0},
		{"not to transpose", table, ReadOptions{}, 0},
	} {
		f := must.Get(ReadCSV(strings.NewReader(c.text), "t.csv", c.opt))(t)
		if got := f.Warnings(); len(got) != c.want || c.want == 1 && got[0].Code != "W119" {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

// No rule speaks of a table that is as it should be.
func TestNoFalseWarnings(t *testing.T) {
	quiet := func(name string, f *Frame) {
		for _, w := range f.Warnings() {
			t.Errorf("%s: %v", name, w)
		}
	}
	for _, name := range BuiltinNames() {
		f := must.Get(Builtin(name))(t)
		quiet(name, f)
	}
	for _, c := range []struct{ file, label string }{
		{"tissue_gene_expression.csv.gz", "tissue"}, {"golub.csv.gz", "class"}, {"sonar.csv.gz", "Class"},
		{"nus_wide.npy", ""}, {"numerical_numbers.npy", ""},
	} {
		path := filepath.Join("../../shared/data", c.file)
		if _, err := os.Stat(path); err != nil {
			t.Logf("%s is not there", path)
			continue
		}
		f, err := Read(path, ReadOptions{Label: c.label})
		if err != nil {
			t.Error(err)
			continue
		}
		quiet(c.file, f)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 { // random tables, small and rounded, where chance is largest
		n, d := 5+r.IntN(6), 2+r.IntN(4)
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				x.Set(i, j, math.Round(10*r.NormFloat64())/2)
			}
		}
		f := must.Get(New(nil, x))(t)
		quiet(fmt.Sprint(mat.Formatted(x)), f)
		if t.Failed() {
			return
		}
	}
}
