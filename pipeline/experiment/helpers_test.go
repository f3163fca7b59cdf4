package experiment

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/config"
)

func builtinFrame(t *testing.T, name string) *dataset.Frame {
	t.Helper()
	f, err := dataset.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func fitted(t *testing.T, p *pipeline.Pipeline, f base.FixedDataGrid) *pipeline.Pipeline {
	t.Helper()
	if err := p.Fit(f); err != nil {
		t.Fatal(err)
	}
	return p
}

func machines(t *testing.T) *dataset.Frame {
	t.Helper()
	c, err := config.Load("../../configs/machines.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.ReadData()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// modelBytes is all that a fitted pipeline saves.
func modelBytes(t *testing.T, p *pipeline.Pipeline) []byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	if err := p.SaveDir(dir); err != nil {
		t.Fatal(err)
	}
	return fmt.Append(nil, contents(t, dir)) // in the order of the names
}

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 14)) }
