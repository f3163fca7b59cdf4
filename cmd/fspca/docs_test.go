package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/must"
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
	text := must.Get(os.ReadFile(path))(t)
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
			return wordsOf(rest), true
		}
	}
	return nil, false
}

// wordsOf divides a line as a shell does: between spaces that are not in single quotes.
func wordsOf(line string) []string {
	var words []string
	quoted := false
	for _, r := range line {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == ' ' && !quoted:
			words = append(words, "")
		case len(words) == 0:
			words = append(words, string(r))
		default:
			words[len(words)-1] += string(r)
		}
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// pages are those of which every command is run.
var pages = []string{"README.md", "docs/guide.md", "docs/choosing.md", "docs/report.md"}

// TestDocs runs every command and every pipeline that the pages show, in their order,
// on invented tables of the names that they use. Output that is shown is compared.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("every command of the documentation takes half a minute")
	}
	root := must.Get(filepath.Abs("../.."))(t)
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
				if b.language == "go" {
					runProgram(t, root, page, b)
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
			if ran < 3 {
				t.Errorf("only %d commands were found", ran)
			}
			if page == "README.md" {
				sameFile(t, filepath.Join(root, "docs/digits.svg"), "docs/digits.svg")
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

// runProgram builds and runs a Go program of a page, and compares what it prints with the comment
// "Output:" at its end.
func runProgram(t *testing.T, root, page string, b block) {
	t.Helper()
	text := strings.Join(b.lines, "\n")
	_, shown, ok := strings.Cut(text, "// Output:\n")
	if !ok {
		t.Errorf("%s:%d: the program does not say what it prints", page, b.line)
		return
	}
	want := strings.ReplaceAll("\n"+shown, "\n// ", "\n")[1:]
	file := filepath.Join(t.TempDir(), "main.go")
	writeFile(t, file, []byte(text))
	cmd := exec.Command("go", "run", file)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != want+"\n" {
		t.Errorf("%s:%d: the program prints\n%s(%v)\nand the page shows\n%s", page, b.line, out, err, want)
	}
}

// sameFile compares a picture that is checked in with the one that its command writes now.
func sameFile(t *testing.T, kept, made string) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		return // others may round a last digit differently
	}
	if *update {
		writeFile(t, kept, mustRead(t, made))
	}
	if !bytes.Equal(mustRead(t, kept), mustRead(t, made)) {
		t.Errorf("%s is not what its command in README.md writes: run it again", filepath.Base(kept))
	}
}

// TestDocsLinks: what a page links to is there, with the heading.
func TestDocsLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]*)\)`)
	all := must.Get(filepath.Glob("../../docs/*.md"))(t)
	found := 0
	for _, page := range append(all, "../../README.md", "../../CONTRIBUTING.md") {
		for _, m := range link.FindAllStringSubmatch(string(mustRead(t, page)), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			found++
			path, heading, _ := strings.Cut(m[1], "#")
			target := page
			if path != "" {
				target = filepath.Join(filepath.Dir(page), path)
			}
			info, err := os.Stat(target)
			if err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			} else if heading != "" && !info.IsDir() && !slices.Contains(anchors(string(mustRead(t, target))), heading) {
				t.Errorf("%s links to %s: there is no such heading", page, m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d links were found", found)
	}
}

// anchors are the headings of a page as links call them.
func anchors(text string) []string {
	var all []string
	odd := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, line := range strings.Split(text, "\n") {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			all = append(all, strings.ReplaceAll(odd.ReplaceAllString(strings.ToLower(title), ""), " ", "-"))
		}
	}
	return all
}

// TestDocsErrors: docs/warnings.md lists every code of a warning and every exported error, and no
// error that is not there.
func TestDocsErrors(t *testing.T) {
	text := string(mustRead(t, "../../docs/warnings.md"))
	exported := map[string]bool{"context.Canceled": true, "context.DeadlineExceeded": true, "config.Problem": true}
	codes, code := map[string]bool{}, regexp.MustCompile(`"(W\d{3})\b`)
	declared := regexp.MustCompile(`(?m)^(?:type ([A-Z]\w*Error|Error)\b|(?:var |\t)(Err[A-Z]\w*)\s+=)`)
	for _, dir := range []string{"dataset", "transformer", "selector", "solver", "solver/baseline", "solver/reconstruction", "pipeline", "pipeline/config", "pipeline/experiment", "pipeline/classifier"} {
		files := must.Get(filepath.Glob("../../" + dir + "/*.go"))(t)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, m := range code.FindAllStringSubmatch(string(mustRead(t, file)), -1) {
				codes[m[1]] = true
			}
			for _, m := range declared.FindAllStringSubmatch(string(mustRead(t, file)), -1) {
				name := m[1] + m[2]
				exported[filepath.Base(dir)+"."+name] = true
				if !strings.Contains(text, name+"`") {
					t.Errorf("%s.%s is not there", dir, name)
				}
			}
		}
	}
	for _, m := range regexp.MustCompile("`([a-z]+\\.(?:Err[A-Z]\\w*|\\w*Error|Problem|Canceled|DeadlineExceeded))`").FindAllStringSubmatch(text, -1) {
		if !exported[m[1]] && m[1] != "dataset.StrictError" {
			t.Errorf("%s is no exported error", m[1])
		}
	}
	for code := range codes {
		if !strings.Contains(text, "| "+code+" ") {
			t.Errorf("%s is not there", code)
		}
	}
	if len(codes) < 5 || len(exported) < 15 {
		t.Errorf("only %d codes and %d errors were found", len(codes), len(exported))
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
		text := must.Get(os.ReadFile("../../" + page))(t)
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
	must.OK(t, os.MkdirAll(filepath.Dir(name), 0o700))
	must.OK(t, os.WriteFile(name, b, 0o600))
}

// writeTables writes the tables that the pages name.
func writeTables(t *testing.T, root string) {
	t.Helper()
	for from, to := range map[string]string{
		"configs/digits.yaml": "configs/digits.yaml", "configs/data/machines.csv": "machines.csv",
		"dataset/builtin/digits.csv.gz": "dataset/builtin/digits.csv.gz", "dataset/builtin/wine.csv": "wine.csv",
	} {
		b := must.Get(os.ReadFile(filepath.Join(root, from)))(t)
		writeFile(t, to, b)
	}
	writeFile(t, "docs/digits.svg", nil) // the folder; the command that the README shows draws it
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
	writeFile(t, "expression.csv", genesInRows())
	words := sparseRows()
	writeFile(t, "words.svm.gz", zipped(t, words))
	writeFile(t, "new.svm", words)
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(name))(t)
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
			case "id":
				fmt.Fprintf(&b, "r%d,", i)
			case "time", "price", "stock":
				fmt.Fprintf(&b, "%.2f,", 10+random.NormFloat64())
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

// genesInRows is a table with a row for each gene and a column for each patient.
func genesInRows() []byte {
	random := rand.New(rand.NewPCG(10, 0))
	var b bytes.Buffer
	b.WriteString("gene")
	for i := range 40 {
		fmt.Fprintf(&b, ",patient%d", i+1)
	}
	for j := range 100 {
		fmt.Fprintf(&b, "\nGENE%d", j+1)
		for range 40 {
			fmt.Fprintf(&b, ",%d", random.IntN(50+j*10))
		}
	}
	b.WriteString("\n")
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
	must.Get(w.Write(b))(t)
	must.OK(t, w.Close())
	return out.Bytes()
}
