package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// TestHelpExamples runs the examples that the help of each command shows, on tables of the names that they use.
// Those of reproduce take minutes.
func TestHelpExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("the examples of the help take seconds")
	}
	root := must.Get(filepath.Abs("../.."))(t)
	t.Chdir(t.TempDir())
	writeExampleTables(t, root)
	known := map[string]*cobra.Command{}
	for _, c := range newRoot().Commands() {
		known[c.Name()] = c
	}
	ran := 0
	for _, name := range []string{"run", "validate", "predict", "transform", "inspect", "fit", "evaluate", "path", "verify", "version"} {
		c := known[name]
		delete(known, name)
		if c == nil {
			t.Fatalf("there is no command %s", name)
		}
		genes := []string{"fit", "genes.csv.gz", "--label", "tissue", "-k", "30", "-m", "5", "-o", "model.json"}
		runShown(t, name, 0, genes, nil) // the examples of fit and evaluate leave a model of other columns there
		for line := range strings.Lines(c.Example) {
			args, ok := commandOf(strings.TrimSpace(line))
			if !ok {
				t.Errorf("%s: %q is no command", name, line)
				continue
			}
			if name == "verify" && args[2] == "genes.csv" {
				runShown(t, name, 0, genes, nil)
			}
			runShown(t, name, ran, args, nil)
			ran++
		}
	}
	for name, c := range known {
		if c.Example != "" && name != "reproduce" {
			t.Errorf("the examples of %s are not run", name)
		}
	}
	if ran < 25 {
		t.Errorf("only %d examples were found", ran)
	}
}

// writeExampleTables writes the tables that the help names: most are the embedded digits, so that one new.csv
// serves the models of the digits and of the genes.
func writeExampleTables(t *testing.T, root string) {
	t.Helper()
	for _, name := range []string{"digits", "wine"} {
		writeFile(t, "configs/"+name+".yaml", mustRead(t, filepath.Join(root, "configs", name+".yaml")))
	}
	writeFile(t, "my.yaml", mustRead(t, "configs/wine.yaml"))
	all := must.Get(dataset.Builtin("digits"))(t)
	rows := make([]int, 300)
	for i := range rows {
		rows[i] = i
	}
	var b bytes.Buffer
	must.OK(t, dataset.WriteAs(&b, "new.csv", all.Subset(rows)))
	digits := b.Bytes()
	genes := bytes.Replace(digits, []byte("digit"), []byte("tissue"), 1)
	writeFile(t, "new.csv", digits)
	writeFile(t, "genes.csv", genes)
	writeFile(t, "genes.csv.gz", zipped(t, genes))
	var old strings.Builder // the digits without their label
	for line := range strings.Lines(string(digits)) {
		old.WriteString(line[:strings.LastIndexByte(line, ',')] + "\n")
	}
	writeFile(t, "old.csv", []byte(old.String()))
	writeFile(t, "readings.csv", invented(20, "id time price stock", 11))
	writeFile(t, "words.svm.gz", zipped(t, sparseRows()))
	var cov strings.Builder // the covariance of columns that go with their neighbours
	for i := range 110 {
		for j := range 110 {
			fmt.Fprint(&cov, []float64{1 + 10/float64(1+i), 0.3, 0}[min(2, max(i-j, j-i))])
			cov.WriteString(map[bool]string{true: ",", false: "\n"}[j < 109])
		}
	}
	square := must.Get(dataset.ReadCSV(strings.NewReader(cov.String()), "cov.csv", dataset.ReadOptions{NoHeader: true}))(t)
	b.Reset()
	must.OK(t, dataset.WriteNPY(&b, square))
	writeFile(t, "cov.npy", b.Bytes())
}
