package transformertest

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

// same reports the first difference between two frames: names, kinds, every bit of the numbers, the
// texts of the levels, and the class. what says where want comes from.
func same(what string, got, want *dataset.Frame) error {
	if !slices.Equal(got.Names(), want.Names()) {
		return fmt.Errorf("%s: the columns are %q, want %q", what, got.Names(), want.Names())
	}
	if got.Rows() != want.Rows() {
		return fmt.Errorf("%s: %d rows, want %d", what, got.Rows(), want.Rows())
	}
	have := got.Columns()
	for i, c := range want.Columns() {
		g := have[i]
		if (c.Factor == nil) != (g.Factor == nil) {
			return fmt.Errorf("%s: column %q is of another kind", what, c.Name)
		}
		if c.Factor != nil {
			if err := sameFactor(what, c.Name, g.Factor, c.Factor); err != nil {
				return err
			}
		}
	}
	if err := sameNumbers(what, got, want); err != nil {
		return err
	}
	return sameClass(what, got, want)
}

func sameNumbers(what string, got, want *dataset.Frame) error {
	for j, name := range want.NumericNames() {
		for i := range want.Rows() {
			a, b := got.Numeric().At(i, j), want.Numeric().At(i, j)
			if math.Float64bits(a) != math.Float64bits(b) && !(math.IsNaN(a) && math.IsNaN(b)) {
				return fmt.Errorf("%s: column %q, row %d: got %v, want %v", what, name, i+1, a, b)
			}
		}
	}
	return nil
}

func sameFactor(what, name string, got, want *dataset.Factor) error {
	for i := range want.Codes {
		if got.Text(i) != want.Text(i) {
			return fmt.Errorf("%s: column %q, row %d: got %q, want %q", what, name, i+1, got.Text(i), want.Text(i))
		}
	}
	return nil
}

// sameClass compares the class columns, levels included: golearn compares classes by them.
func sameClass(what string, got, want *dataset.Frame) error {
	if got.ClassName() != want.ClassName() || (got.Class() == nil) != (want.Class() == nil) {
		return fmt.Errorf("%s: the class is %q, want %q", what, got.ClassName(), want.ClassName())
	}
	if want.Class() == nil {
		return nil
	}
	if !slices.Equal(got.Class().Levels, want.Class().Levels) {
		return fmt.Errorf("%s: the levels of the class are %q, want %q", what, got.Class().Levels, want.Class().Levels)
	}
	return sameFactor(what, want.ClassName(), got.Class(), want.Class())
}

// frozen returns a deep copy of f, to see later whether f was changed.
func frozen(f *dataset.Frame) *dataset.Frame {
	var x *mat.Dense
	if f.Numeric() != nil {
		x = mat.DenseCopyOf(f.Numeric())
	}
	cols := slices.Clone(f.Columns())
	for i, c := range cols {
		if c.Factor != nil {
			cols[i].Factor = frozenFactor(c.Factor)
		}
	}
	var class *dataset.Factor
	if f.Class() != nil {
		class = frozenFactor(f.Class())
	}
	return mustAssemble(x, cols, f.ClassName(), class)
}

func frozenFactor(f *dataset.Factor) *dataset.Factor {
	return &dataset.Factor{Levels: slices.Clone(f.Levels), Codes: slices.Clone(f.Codes)}
}

// reversed returns s backwards.
func reversed(s []string) []string {
	r := slices.Clone(s)
	slices.Reverse(r)
	return r
}
