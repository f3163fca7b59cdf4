package dataset

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestFullDiskIsToldOnce: after the first writing that fails nothing is written, and every column has the same error.
func TestFullDiskIsToldOnce(t *testing.T) {
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "spill")))(t)
	cells := &spilledCells{to: spooled{file}, rows: 2, counts: make([]int, 3), markers: make([]missingMarkers, 3), stop: func() error { return nil }}
	must.OK(t, cells.take(0, 0, []float64{1, 2}))
	must.OK(t, file.Close())
	first := cells.take(1, 0, []float64{3, 4})
	if first == nil || cells.full != first {
		t.Fatalf("got %v, and kept %v", first, cells.full)
	}
	cells.to = spooled{must.Get(os.OpenFile(file.Name(), os.O_RDWR, 0))(t)}
	defer cells.to.Close()
	if err := cells.take(2, 0, []float64{5, 6}); err != first {
		t.Errorf("got %v, want %v", err, first)
	}
	if info := must.Get(cells.to.Stat())(t); info.Size() != 16 {
		t.Errorf("%d bytes, want 16: something was written later", info.Size())
	}
}
