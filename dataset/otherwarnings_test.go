package dataset

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestSparseWarnings: what is a mistake in a table is one in sparse rows.
func TestSparseWarnings(t *testing.T) {
	for text, want := range map[string]string{
		marketStart + "array real symmetric\n3 3\n2\n.5\n.3\n1\n.2\n3\n":             "W103",
		marketStart + "coordinate real general\n3 3 3\n1 2 4\n2 1 4\n3 3 1\n":        "W103",
		marketStart + "coordinate real general\n3 3 3\n1 2 4\n2 1 5\n3 3 1\n":        "",
		marketStart + "coordinate real general\n3 4 4\n1 2 4\n2 1 4\n3 3 1\n1 4 1\n": "",
	} {
		s := must.Get(ReadMatrixMarket(strings.NewReader(text), "t.mtx", ReadOptions{}))(t)
		checkWarnings(t, s.Warnings(), want)
	}
	s := must.Get(ReadSVMLight(strings.NewReader("a 1:1\nb 1:2\nc 2:1\nd 1:3\ne 1:4\nf 2:2\n"), "t.svm", ReadOptions{Label: "label"}))(t)
	checkWarnings(t, s.Warnings(), "W104")
}

func checkWarnings(t *testing.T, got []Warning, want string) {
	t.Helper()
	if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || got[0].Code != want) {
		t.Errorf("got %v, want %q", got, want)
	}
}

// TestBlockWarnings: a table in blocks is warned of as the same table in memory is.
func TestBlockWarnings(t *testing.T) {
	column := func(f func(i int) string) string {
		var b strings.Builder
		b.WriteString("a,b,t\n")
		for i := range 3000 {
			fmt.Fprintf(&b, "%.3f,%.3f,%s\n", 1+math.Sin(float64(i*i)), 2+math.Cos(float64(i*i)), f(i))
		}
		return b.String()
	}
	plain := column(func(i int) string { return fmt.Sprintf("%.3f", 1+math.Sin(float64(3*i))) })
	whole := must.Get(ReadCSV(strings.NewReader(plain), "t.csv", ReadOptions{}))(t)
	totals := plain
	for j := range 3 {
		sum := 0.0
		for i := range whole.Rows() {
			sum += whole.Numeric().At(i, j)
		}
		totals += map[bool]string{true: ",", false: ""}[j > 0] + fmt.Sprint(sum)
	}
	for name, text := range map[string]string{
		"plain": plain, "row numbers": column(func(i int) string { return fmt.Sprint(i) }), "totals": totals + "\n",
		"header": strings.Replace(plain, "a,b,t", "1.5,0.25,-3", 1), "samples": strings.Replace(plain, "a,b,t", "cell1,cell2,cell3", 1),
	} {
		in := must.Get(OpenReader(bytes.NewReader([]byte(text)), "t.csv", ""))(t)
		b := must.Get(in.Blocks(ReadOptions{}))(t)
		got := must.Get(b.Warnings(context.Background()))(t)
		f := must.Get(ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{}))(t)
		if want := f.Warnings(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: in blocks %v, in memory %v", name, got, want)
		}
		if name != "plain" && len(got) != 1 {
			t.Errorf("%s: %v", name, got)
		}
		b.Close()
		in.Close()
	}
}

// TestBlockTotals: a last row that is called as a total is told of in the same words, and in small tables not at all.
func TestBlockTotals(t *testing.T) {
	rows := "r1,a,1.5,2\nr2,b,0.5,7\nr3,a,4,3\nr4,b,2,6\nr5,a,8,1\n"
	for text, found := range map[string]bool{
		"n,y,a,b\n" + rows + "Total,a,9,1\n":             true,
		"n,y,a,b\n" + rows + "r6,total,9,1\n":            true,
		"n,y,a,b\n" + rows + "r6,a,9,1\n":                false,
		"n,y,a,b\nr1,a,1,2\nr2,b,0.5,7\nTotal,a,1.5,9\n": false,
	} {
		opt := ReadOptions{ID: "n", Label: "y"}
		in := must.Get(OpenReader(strings.NewReader(text), "t.csv", ""))(t)
		b := must.Get(in.Blocks(opt))(t)
		got := must.Get(b.Warnings(t.Context()))(t)
		want := must.Get(ReadCSV(strings.NewReader(text), "t.csv", opt))(t).Warnings()
		if fmt.Sprint(got) != fmt.Sprint(want) || found != (len(got) == 1 && got[0].Code == "W107") {
			t.Errorf("%q: in blocks %v, in memory %v", text, got, want)
		}
		must.OK(t, b.Close())
		must.OK(t, in.Close())
	}
}
