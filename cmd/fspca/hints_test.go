package main

import (
	"bytes"
	"fmt"
	"github.com/fspca/fspca/internal/cli"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// study is a table of 300 columns as people have them: names of rows, dates, text, a class, gaps, a
// text for missing cells, and a column that never varies.
func study() []byte {
	random := rand.New(rand.NewPCG(11, 0))
	var b bytes.Buffer
	b.WriteString("patient,visit,site,group,always,age")
	for j := range 294 {
		fmt.Fprintf(&b, ",marker_%03d", j+1)
	}
	for i := range 120 {
		common := random.NormFloat64()
		fmt.Fprintf(&b, "\nP%04d,2026-%02d-%02d,%s,%s,1,%d", i+1, 1+random.IntN(12), 1+random.IntN(28),
			[]string{"Bonn", "Lyon", "Turin"}[random.IntN(3)], []string{"control", "treated"}[random.IntN(2)], 20+random.IntN(60))
		for j := range 294 {
			switch {
			case j == 17 && i%31 == 3:
				b.WriteString(",n/a")
			case random.IntN(30) == 0:
				b.WriteString(",")
			default:
				fmt.Fprintf(&b, ",%.3f", float64(1+j%9)*(5+common+random.NormFloat64()))
			}
		}
	}
	b.WriteString("\n")
	return b.Bytes()
}

// TestFirstHalfHour goes from nothing to a report on a table of one's own by what each error says
// to do next.
func TestFirstHalfHour(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "study.csv", study())
	args := []string{"run", "study.csv"}
	for _, next := range []struct {
		hint string   // a pattern in the error
		args []string // what it leads to; nil adds the flags that the pattern finds
	}{
		{`fspca (fit study\.csv -k 20 -m 5)`, []string{}},
		{`"n/a" is not a number.*--missing`, []string{"fit", "study.csv", "-k", "20", "-m", "5", "--missing", "n/a"}},
		{`; try (--id patient --label \S+ --drop \S+)`, nil},
		{`fill them with (--impute mean)`, nil},
	} {
		code, _, stderr := quiet(args...)
		found := regexp.MustCompile(next.hint).FindStringSubmatch(stderr)
		if code != cli.ExitUsage || found == nil {
			t.Fatalf("%v: code %d, and not %s: %s", args, code, next.hint, stderr)
		}
		switch {
		case next.args == nil:
			args = append(args, strings.Fields(found[1])...)
		case len(next.args) == 0:
			args = strings.Fields(found[1])
		default:
			args = next.args
		}
	}
	args = append(args, "--report", "study.html")
	code, stdout, stderr := quiet(args...)
	if code != 0 || !strings.Contains(stdout, "do not vary         always") || !strings.Contains(string(mustRead(t, "study.html")), "The chosen columns") {
		t.Errorf("%v: code %d\n%s%s", args, code, stdout, stderr)
	}
}

// TestHints: a file that is not there, and options under the names of flags.
func TestHints(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "study.csv", []byte("a,b\n1,2\n2,5\n3,1\n"))
	writeFile(t, "numbers.csv", []byte("0,0\n1,2\n2,5\n"))
	writeFile(t, "aligned.csv", []byte("a   b\n1   2\n3   4\n"))
	writeFile(t, "semi.csv", []byte("a;b\n1,5;2\n3,4;5\n"))
	for _, tc := range []struct{ args, want string }{
		{"fit studi.csv -k 1 -m 1", "did you mean study.csv?"},
		{"fit semi.csv -k 1 -m 1", "(--delimiter;"},
		{"fit semi.csv -k 1 -m 1 --delimiter ;", "--decimal ','"},
		{"fit study.csv", "such as -k 20"},
		{"fit study.csv -k 1 -m 1 --sheet a", "study.csv: --sheet does not apply to the format csv"},
		{"fit numbers.csv -k 1 -m 1", "(--header=false)"},
		{"fit aligned.csv -k 1 -m 1", "(--delimiter whitespace;"},
		{"predict nothing study.csv", "fspca run PIPELINE.yaml writes a model"},
		{"transform nothing.json study.csv", "fspca fit DATA -k K -m M -o model.json"},
	} {
		code, _, stderr := quiet(strings.Fields(tc.args)...)
		if code != cli.ExitUsage || !strings.Contains(stderr, tc.want) {
			t.Errorf("%s: code %d, %q, want %q", tc.args, code, stderr, tc.want)
		}
	}
}
