package zstd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

// TestReadWrite: a compressed file is what is in it, and one that is cut or changed is an error.
func TestReadWrite(t *testing.T) {
	x := mat.NewDense(500, 4, nil)
	for i := range 500 {
		for j := range 4 {
			x.Set(i, j, float64(i*j)/7)
		}
	}
	f, err := dataset.New(nil, x)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"t.csv.zst", "t.tsv.zst", "t.npy.zst"} {
		var b bytes.Buffer
		if err := dataset.WriteAs(&b, name, f); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		try := func(text []byte) (*dataset.Frame, error) {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			return dataset.Read(path, dataset.ReadOptions{})
		}
		got, err := try(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
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
