package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The pipeline in the README runs on the table that it names.
func TestReadmePipeline(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(readme), "```yaml\n")
	text, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatal("there is no YAML in the README")
	}
	table, err := os.ReadFile("../../configs/data/machines.csv")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, b := range map[string][]byte{"machines.csv": table, "pipeline.yaml": []byte(text)} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, stderr := quiet("run", filepath.Join(dir, "pipeline.yaml"), "--out", filepath.Join(dir, "out"))
	if code != 0 || !strings.Contains(stdout, "8 chosen columns") {
		t.Errorf("code %d\n%s%s", code, stdout, stderr)
	}
}

// The README shows what the quick-start prints, from its first line on.
func TestReadmeQuickStart(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(readme), "$ go run ./cmd/fspca run configs/digits.yaml\n")
	shown, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatal("the README does not show the quick-start")
	}
	code, stdout, stderr := quiet("run", "../../configs/digits.yaml", "--out", filepath.Join(t.TempDir(), "out"))
	if code != 0 || !strings.HasPrefix(stdout, shown) {
		t.Errorf("code %d, %s\nshown:\n%sprinted:\n%s", code, stderr, shown, stdout)
	}
}
