package zstd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// TestReadWrite: a compressed file is what is in it, and one that is cut or changed is an error.
func TestReadWrite(t *testing.T) {
	x := mat.NewDense(500, 4, nil)
	for i := range 500 {
		for j := range 4 {
			x.Set(i, j, float64(i*j)/7)
		}
	}
	f := must.Get(dataset.New(nil, x))(t)
	for _, name := range []string{"t.csv.zst", "t.tsv.zst", "t.npy.zst"} {
		var b bytes.Buffer
		must.OK(t, dataset.WriteAs(&b, name, f))
		path := filepath.Join(t.TempDir(), name)
		try := func(text []byte) (*dataset.Frame, error) {
			must.OK(t, os.WriteFile(path, text, 0o600))
			return dataset.Read(path, dataset.ReadOptions{})
		}
		got := must.Get(try(b.Bytes()))(t)
		if dataset.Hash(got) != dataset.Hash(f) {
			t.Errorf("%s: read as %v", name, got)
		}
		if _, err := try(b.Bytes()[:b.Len()/2]); err == nil || !strings.Contains(err.Error(), "cut short") {
			t.Errorf("%s, cut: %v", name, err)
		}
		changed := bytes.Clone(b.Bytes())
		changed[b.Len()/2] ^= 0x55
		if _, err := try(changed); err == nil {
			t.Errorf("%s, changed: no error", name)
		}
	}
}
