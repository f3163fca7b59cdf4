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
