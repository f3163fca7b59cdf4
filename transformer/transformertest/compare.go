package transformertest

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

// same fails at the first difference between two frames: names, kinds, every bit of the numbers, the
// texts of the levels, and the class. what says where got comes from.
func same(what string, got, want *dataset.Frame) {
	if !slices.Equal(got.Names(), want.Names()) {
		fail("%s: the columns are %q, want %q", what, got.Names(), want.Names())
	}
	if got.Rows() != want.Rows() {
		fail("%s: %d rows, want %d", what, got.Rows(), want.Rows())
	}
	have := got.Columns()
	for i, c := range want.Columns() {
		if (c.Factor == nil) != (have[i].Factor == nil) {
			fail("%s: column %q is of another kind", what, c.Name)
		}
		if c.Factor != nil {
			sameFactor(what, c.Name, have[i].Factor, c.Factor)
		}
	}
	for j, name := range want.NumericNames() {
		for i := range want.Rows() {
			a, b := got.Numeric().At(i, j), want.Numeric().At(i, j)
			if math.Float64bits(a) != math.Float64bits(b) && !(math.IsNaN(a) && math.IsNaN(b)) {
				fail("%s: column %q, row %d: got %v, want %v", what, name, i+1, a, b)
			}
		}
	}
	sameClass(what, got, want)
}

func sameFactor(what, name string, got, want *dataset.Factor) {
	for i := range want.Codes {
		if got.Text(i) != want.Text(i) {
			fail("%s: column %q, row %d: got %q, want %q", what, name, i+1, got.Text(i), want.Text(i))
		}
	}
}

// sameClass compares the class columns, levels included: golearn compares classes by them.
func sameClass(what string, got, want *dataset.Frame) {
	if got.ClassName() != want.ClassName() || (got.Class() == nil) != (want.Class() == nil) {
		fail("%s: the class is %q, want %q", what, got.ClassName(), want.ClassName())
	}
	if want.Class() == nil {
		return
	}
	if !slices.Equal(got.Class().Levels, want.Class().Levels) {
		fail("%s: the levels of the class are %q, want %q", what, got.Class().Levels, want.Class().Levels)
	}
	sameFactor(what, want.ClassName(), got.Class(), want.Class())
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
