package experiment

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/config"
)

func builtinFrame(t *testing.T, name string) *dataset.Frame {
	t.Helper()
	return must.Get(dataset.Builtin(name))(t)
}

func fitted(t *testing.T, p *pipeline.Pipeline, f base.FixedDataGrid) *pipeline.Pipeline {
	t.Helper()
	must.OK(t, p.Fit(f))
	return p
}

func machines(t *testing.T) *dataset.Frame {
	t.Helper()
	c := must.Get(config.Load("../../configs/machines.yaml"))(t)
	return must.Get(c.ReadData())(t)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(path))(t)
}

// modelBytes is all that a fitted pipeline saves.
func modelBytes(t *testing.T, p *pipeline.Pipeline) []byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	must.OK(t, p.SaveDir(dir))
	return fmt.Append(nil, contents(t, dir)) // in the order of the names
}

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 14)) }
