package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
)

// takeColumns finds the place of each numeric column, counts them, and reports
// what is wrong with the factors.
func (f *Frame) takeColumns() (p int, errs []error) {
	if !slices.ContainsFunc(f.cols, func(c Column) bool { return c.Factor != nil }) {
		return len(f.cols), nil
	}
	f.places = make([]int, len(f.cols))
	for j := range f.cols {
		c := &f.cols[j]
		if c.Factor == nil {
			f.places[j] = p
			p++
			continue
		}
		f.places[j] = -1
		errs = append(errs, c.Factor.check(c.Name, f.rows)...)
		c.Factor = c.Factor.attached(c.Name)
	}
	return p, errs
}

// rowsOf returns the number of rows of the first part that has any.
func rowsOf(x *mat.Dense, cols []Column, class *Factor) int {
	if x != nil {
		n, _ := x.Dims()
		return n
	}
	for _, c := range cols {
		if c.Factor != nil {
			return len(c.Factor.Codes)
		}
	}
	if class != nil {
		return len(class.Codes)
	}
	return 0
}

// checkNames fills the index and reports names that are empty, used twice or
// not UTF-8 (the model file could not hold them).
func (f *Frame) checkNames() []error {
	var errs []error
	f.index = newNameIndex(len(f.cols))
	for j, c := range f.cols {
		if err := checkName(c.Name); err != nil {
			errs = append(errs, fmt.Errorf("column %d: %w", j+1, err))
			continue
		}
		if i, twice := f.index.add(c.Name, j, f.nameAt); twice {
			errs = append(errs, fmt.Errorf("columns %d and %d are both named %q: names must differ", i+1, j+1, c.Name))
		}
	}
	if f.class == nil {
		return errs
	}
	if err := checkName(f.className); err != nil {
		errs = append(errs, fmt.Errorf("class: %w", err))
	} else if i, twice := f.named(f.className); twice {
		errs = append(errs, fmt.Errorf("column %d and the class are both named %q: names must differ", i+1, f.className))
	}
	return errs
}

// checkClass reports what is wrong with the values of the class.
func (f *Frame) checkClass() []error {
	if f.class == nil {
		return nil
	}
	errs := f.class.check(f.className, f.rows)
	if i := slices.Index(f.class.Codes, Missing); i >= 0 {
		errs = append(errs, fmt.Errorf("class %q is missing in row %d: remove the row, or the class", f.className, i+1))
	}
	return errs
}

func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("the name is empty")
	case !utf8.ValidString(name):
		return fmt.Errorf("the name %q is not UTF-8", name)
	}
	return nil
}

// checkMatrix checks that x has p columns and, unless that is known, no infinite cell.
func (f *Frame) checkMatrix(p int, finite bool) []error {
	have := 0
	if f.x != nil {
		_, have = f.x.Dims()
	}
	if have != p {
		return []error{fmt.Errorf("got %d numeric columns and a matrix of %d columns", p, have)}
	}
	if f.x == nil || finite {
		return nil
	}
	if at := findNonFinite(f.x, true); at.count > 0 {
		return []error{fmt.Errorf("row %d, column %q: %v is not a finite number%s",
			at.row+1, f.numericName(at.column), at.value, likeIt(at.count, "cell", ""))}
	}
	return nil
}

// nonFinite says where a matrix has a number that is not finite first, and how
// many there are.
type nonFinite struct {
	row, column, count int
	value              float64
}

// findNonFinite looks for numbers that are not finite; NaN is let pass if it
// stands for a missing cell.
func findNonFinite(x *mat.Dense, missing bool) nonFinite {
	var at nonFinite
	n, _ := x.Dims()
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v-v == 0 || missing && math.IsNaN(v) {
				continue
			}
			if at.count == 0 {
				at.row, at.column, at.value = i, j, v
			}
			at.count++
		}
	}
	return at
}
