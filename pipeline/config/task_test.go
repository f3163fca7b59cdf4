package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestTextInATarget: a text among the numbers to predict is to be written as a number. No cure of a feature is told:
// a target is no category, and none of its cells may be missing.
func TestTextInATarget(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"a,y\n1,1.5\n2,x\n3,2\n": `rows.csv:3: column "y": "x" is not a number, but "1.5" in line 2 is`,
		"a,y\n1,u\n2,v\n3,u\n":   `rows.csv:2: column "y": "u" is not a number, and the column must hold numbers`,
	} {
		must.OK(t, os.WriteFile(filepath.Join(dir, "rows.csv"), []byte(text), 0o600))
		path := filepath.Join(dir, "c.yaml")
		must.OK(t, os.WriteFile(path, []byte("version: 1\ndata: {source: rows.csv, label: y, task: regression}\nsplit: {test: 0.4}\nsteps: [linear]\n"), 0o600))
		c := must.Get(Load(path))(t)
		_, err := c.ReadData()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "write a number (data.task: regression predicts numbers)") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
