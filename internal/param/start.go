package param

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// EntryError reports an entry that makes a matrix unusable.
type EntryError struct {
	Row, Col int     // position, counted from 0
	Value    float64 // what stands there
	Reason   string  // what is wrong and what would be right
}

// Error says where the entry is and what is wrong with it.
func (e *EntryError) Error() string {
	return fmt.Sprintf("entry in row %d, column %d (counted from 0) is %v: %s", e.Row, e.Col, e.Value, e.Reason)
}

// StartColumns returns the number m of columns of a start w (d×m). It is an
// error unless w is finite and 1 ≤ m ≤ k ≤ d.
func StartColumns(w *mat.Dense, k, d int) (m int, err error) {
	if w == nil {
		return 0, New("W0", nil, fmt.Sprintf("a matrix d×m, d = %d", d), "the method needs a start W0")
	}
	_, m = w.Dims()
	if err := Sizes(k, m, d); err != nil {
		return 0, err
	}
	return m, Start(w, d, m)
}

// Start returns an error unless w is d×m and finite.
func Start(w *mat.Dense, d, m int) error {
	if r, c := w.Dims(); r != d || c != m {
		return New("W0", w, fmt.Sprintf("d×m = %d×%d", d, m), "the start W0 is %d×%d", r, c)
	}
	for i := range d {
		for j, v := range w.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the start W0: %w", &EntryError{i, j, v, "want a finite number"})
			}
		}
	}
	return nil
}
