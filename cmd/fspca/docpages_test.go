package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// allPages are the pages of the documentation.
func allPages(t *testing.T) []string {
	t.Helper()
	docs := must.Get(filepath.Glob("../../docs/*.md"))(t)
	return append(docs, "../../README.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md")
}

// TestDocsTables: each row of a table has as many cells as its head. A bar within a cell is written \\|, in code too.
func TestDocsTables(t *testing.T) {
	tables := 0
	for _, page := range allPages(t) {
		cells, code := 0, false
		for i, line := range strings.Split(string(mustRead(t, page)), "\n") {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "```") {
				code = !code
			}
			if code || !strings.HasPrefix(line, "|") {
				cells = 0
				continue
			}
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			if cells == 0 {
				cells = n
				tables++
			}
			if n != cells || !strings.HasSuffix(line, "|") {
				t.Errorf("%s:%d: the row has %d cells, and the table %d columns", page, i+1, n-1, cells-1)
			}
		}
	}
	if tables < 20 {
		t.Errorf("only %d tables were found", tables)
	}
}

// TestDocsNames: the tests, the benchmarks and the targets of make that pages name are there.
func TestDocsNames(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z]\w*)`)
	known := map[string]bool{}
	must.OK(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			known[m[1]] = true
		}
		return err
	}))
	makefile := string(mustRead(t, "../../Makefile"))
	named := regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w*`)
	target := regexp.MustCompile("`make ([a-z-]+)")
	tests, targets := 0, 0
	for _, page := range allPages(t) {
		text := string(mustRead(t, page))
		for _, name := range named.FindAllString(text, -1) {
			tests++
			if !known[name] {
				t.Errorf("%s names %s, which is not there", page, name)
			}
		}
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			targets++
			if !strings.Contains("\n"+makefile, "\n"+m[1]+":") {
				t.Errorf("%s names make %s, which is not there", page, m[1])
			}
		}
	}
	if tests < 30 || targets < 5 {
		t.Errorf("only %d tests and %d targets were found", tests, targets)
	}
}
