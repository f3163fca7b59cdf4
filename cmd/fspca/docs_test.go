package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// block is a fenced block of a page.
type block struct {
	line     int
	language string
	lines    []string
}

// blocksOf returns the blocks of a page of the documentation.
func blocksOf(t *testing.T, path string) []block {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	open := false
	for i, line := range strings.Split(string(text), "\n") {
		switch language, fence := strings.CutPrefix(line, "```"); {
		case fence && !open:
			blocks = append(blocks, block{line: i + 1, language: language})
			open = true
		case fence:
			open = false
		case open:
			last := &blocks[len(blocks)-1]
			last.lines = append(last.lines, line)
		}
	}
	return blocks
}

// commandOf returns the arguments of a line that runs fspca.
func commandOf(line string) ([]string, bool) {
	line = strings.TrimPrefix(line, "$ ")
	line, _, _ = strings.Cut(line, " #")
	for _, name := range []string{"fspca ", "go run ./cmd/fspca "} {
		if rest, ok := strings.CutPrefix(line, name); ok {
			args := strings.Fields(rest)
			for i := range args {
				args[i] = strings.Trim(args[i], "'")
			}
			return args, true
		}
	}
	return nil, false
}

// pages are those of which every command is run.
var pages = []string{"README.md", "docs/guide.md"}

// TestDocs runs every command and every pipeline that the pages show, in their order,
// on invented tables of the names that they use. Output that is shown is compared.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("every command of the documentation takes half a minute")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		t.Run(page, func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeTables(t, root)
			blocks := blocksOf(t, filepath.Join(root, page))
			for _, b := range blocks { // the README's commands run the pipeline that follows them
				if b.language == "yaml" && !slices.Contains(b.lines, "version: 1") {
					t.Errorf("%s:%d: the pipeline is not whole: no version", page, b.line)
				}
				if b.language == "yaml" {
					writeFile(t, fmt.Sprintf("line%d.yaml", b.line), []byte(strings.Join(b.lines, "\n")))
					writeFile(t, "pipeline.yaml", []byte(strings.Join(b.lines, "\n")))
				}
			}
			ran := 0
			for _, b := range blocks {
				if b.language == "yaml" {
					runShown(t, page, b.line, []string{"run", fmt.Sprintf("line%d.yaml", b.line), "--out", fmt.Sprintf("line%d", b.line)}, nil)
				}
				for i, line := range b.lines {
					if args, ok := commandOf(line); ok && b.language == "" {
						var shown []string
						if strings.HasPrefix(line, "$ ") {
							shown = b.lines[i+1:]
						}
						runShown(t, page, b.line+i+1, args, shown)
						ran++
					}
				}
			}
			if ran < 5 {
				t.Errorf("only %d commands were found", ran)
			}
		})
	}
}

// runShown runs a command, and compares what it prints with the lines that are shown, if any are.
func runShown(t *testing.T, page string, line int, args, shown []string) {
	t.Helper()
	for i, word := range args {
		if word == "DATA" {
			args[i] = "numbers.csv"
		}
	}
	code, stdout, stderr := quiet(args...)
	if code != 0 {
		t.Errorf("%s:%d: fspca %s: code %d\n%s", page, line, strings.Join(args, " "), code, stderr)
	}
	if want := strings.Join(shown, "\n") + "\n"; shown != nil && want != stdout {
		t.Errorf("%s:%d: fspca %s\nshown:\n%s\nprinted:\n%s", page, line, strings.Join(args, " "), want, stdout)
	}
}

// TestDocsFlags: every flag of a command that a page mentions exists.
func TestDocsFlags(t *testing.T) {
	mentioned := regexp.MustCompile("fspca ([a-z]+)([^`\n]*)")
	flag := regexp.MustCompile(`(?:^|\s)--([a-z][a-z-]+)`)
	known := map[string]*cobra.Command{}
	for _, c := range newRoot().Commands() {
		known[c.Name()] = c
	}
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mentioned.FindAllStringSubmatch(string(text), -1) {
			for _, f := range flag.FindAllStringSubmatch(m[2], -1) {
				found++
				if c := known[m[1]]; c == nil || c.Flags().Lookup(f[1]) == nil {
					t.Errorf("%s: %q: there is no such command or flag", page, m[0])
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d flags were found", found)
	}
}

func writeFile(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeTables writes the tables that the pages name.
func writeTables(t *testing.T, root string) {
	t.Helper()
	for from, to := range map[string]string{"configs/digits.yaml": "configs/digits.yaml", "configs/data/machines.csv": "machines.csv"} {
		b, err := os.ReadFile(filepath.Join(root, from))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, to, b)
	}
	writeFile(t, "new_machines.csv", mustRead(t, "machines.csv"))
	genes := invented(60, "tissue", 1)
	writeFile(t, "genes.csv", genes)
	writeFile(t, "genes.csv.gz", zipped(t, genes))
	writeFile(t, "new.csv", invented(60, "tissue", 2))
	writeFile(t, "numbers.csv", invented(60, "", 3))
	writeFile(t, "visits.csv", invented(12, "relapse patient", 4))
	writeFile(t, "readings.csv", invented(12, "state date", 5))
	writeFile(t, "train.csv", invented(12, "state", 6))
	writeFile(t, "test.csv", invented(12, "state", 7))
	writeFile(t, "rows.csv", invented(12, "state fold", 8))
	words := sparseRows()
	writeFile(t, "words.svm.gz", zipped(t, words))
	writeFile(t, "new.svm", words)
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// invented is a table of 90 rows and d columns of numbers, with other columns after them.
func invented(d int, others string, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	var b bytes.Buffer
	for j := range d {
		fmt.Fprintf(&b, "g%d,", j+1)
	}
	names := append(strings.Fields(others), "last")
	b.WriteString(strings.Join(names, ",") + "\n")
	for i := range 90 {
		for j := range d {
			fmt.Fprintf(&b, "%.3f,", random.NormFloat64()*float64(1+j%7)+float64(i%3*(j%2)))
		}
		for _, name := range names {
			switch name {
			case "patient":
				fmt.Fprintf(&b, "p%d,", i/3)
			case "date":
				fmt.Fprintf(&b, "2026-%02d-%02d,", 1+i/28, 1+i%28)
			case "fold":
				fmt.Fprintf(&b, "%d,", 1+i%5)
			case "last":
				fmt.Fprintf(&b, "%.3f\n", random.NormFloat64())
			default:
				fmt.Fprintf(&b, "%s,", []string{"low", "middle", "high"}[i%3])
			}
		}
	}
	return b.Bytes()
}

// sparseRows are 80 rows of which few of 150 columns are not 0.
func sparseRows() []byte {
	random := rand.New(rand.NewPCG(9, 0))
	var b bytes.Buffer
	for i := range 80 {
		fmt.Fprintf(&b, "%d", i%2)
		for j := 1; j <= 150; j++ {
			if random.IntN(4) == 0 {
				fmt.Fprintf(&b, " %d:%d", j, 1+random.IntN(5))
			}
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

func zipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
