package solver

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
)

// frame relates the problem that is solved to the one that was asked. What is excluded or not
// measured is taken out of A first. So no eigenvalue, score, bound or tolerance speaks of
// columns that cannot be chosen; and A is divided by a power of two where it is so large or
// small that products of its entries would not be numbers.
type frame struct {
	a     Covariance
	p     Params // for a: without Exclude and Limits.Unmeasured
	index []int  // the column that each of a's is; nil: the same
	unit  float64

	whole *spectrum // with the columns that are not measured, over unit; nil where there are none
}

// newFrame returns the frame for p, which has been checked.
func newFrame(ctx context.Context, a Covariance, p Params) (*frame, error) {
	f := &frame{p: p}
	all := a
	f.index = rest(a.Order(), distinct(slices.Concat(p.Exclude, p.Limits.Unmeasured)))
	var err error
	if a, err = without(ctx, a, f.index); err != nil {
		return nil, err
	}
	f.a, f.unit = Normalised(a)
	if len(p.Limits.Unmeasured) > 0 {
		if err := f.measure(ctx, all); err != nil {
			return nil, err
		}
	}
	if f.index != nil {
		f.p.Include, f.p.Exclude = f.places(p.Include), nil
		f.p.Limits = p.Limits.within(f.index)
		f.p.Warm = lists.Map(p.Warm, f.places)
		if p.W0 != nil {
			f.p.W0 = f.start(p.W0)
		}
	}
	f.p.Limits = f.p.Limits.Binding(lists.Upto[int](f.a.Order()), cmp.Or(p.Features, f.a.Order()))
	if f.unit != 1 {
		f.p.Epsilon /= f.unit
		if p.Progress != nil {
			f.p.Progress = func(now Progress) {
				now.Objective *= f.unit
				now.UpperBound *= f.unit
				p.Progress(now)
			}
		}
	}
	return f, nil
}

// measure reads the variances that columns which may not be chosen count in.
func (f *frame) measure(ctx context.Context, all Covariance) error {
	all, err := without(ctx, all, rest(all.Order(), f.p.Exclude))
	if err != nil {
		return err
	}
	all, unit := Normalised(all)
	m := f.p.Components
	s, err := readSpectrum(ctx, all, []int{max(m, f.p.Features)}, m, min(m+1, all.Order()))
	if err != nil {
		return err
	}
	f.whole = &spectrum{leading: s.leading * unit / f.unit, total: s.total * unit / f.unit, exact: s.exact}
	return nil
}

// leading is the variance that dense PCA explains of all columns that count.
func (f *frame) leading(s *spectrum) float64 {
	if f.whole != nil {
		return f.whole.leading
	}
	return s.leading
}

// solveIn solves the task of p, which has been checked, in its frame.
func solveIn(ctx context.Context, a Covariance, p Params, solve func(*frame, *task) (*Solution, error)) (*Solution, error) {
	f, err := newFrame(ctx, a, p)
	if err != nil {
		return nil, err
	}
	t, err := newTask(ctx, f.a, f.p)
	if err != nil {
		return nil, err
	}
	sol, err := solve(f, t)
	if err != nil {
		return nil, err
	}
	return f.restore(sol)
}

// found returns where those columns stand in index, ascending, that are in it.
func found(index, columns []int) []int {
	var at []int
	for _, j := range columns {
		if p, found := slices.BinarySearch(index, j); found {
			at = append(at, p)
		}
	}
	return at
}

// start returns the rows of a start W0 that a has. Columns that depend on each
// other without the excluded rows are completed by others, unless they did so
// before.
func (f *frame) start(w0 *mat.Dense) *mat.Dense {
	w := subspace.Rows(w0, f.index)
	if full := mat.DenseCopyOf(w); !subspace.Orthonormalise(full) && subspace.Orthonormalise(mat.DenseCopyOf(w0)) {
		return full
	}
	return w
}

// rest returns the columns of d that are not in exclude, nil where it is empty.
func rest(d int, exclude []int) []int {
	if len(exclude) == 0 {
		return nil
	}
	out := lists.Marks(d, exclude)
	return lists.Places(d, func(j int) bool { return !out[j] })
}

// places returns where the columns that are not excluded stand in a.
func (f *frame) places(columns []int) []int {
	if f.index == nil {
		return columns
	}
	return found(f.index, columns)
}

// restore says a solution in the terms of the problem that was asked.
func (f *frame) restore(s *Solution) (*Solution, error) {
	if f.index != nil {
		s.Support = lists.At(f.index, s.Support)
	}
	if f.whole != nil { // what the components tell of the columns that are not measured is not known
		s.LeadingVariance, s.TotalVariance, s.Told = f.whole.leadingAbove(s.Objective), f.whole.total, 0
	}
	s.Scale(f.unit)
	if f.p.Bound == BoundNone {
		s.unclaim()
	}
	return s, s.check()
}

// refused says an error about columns in the terms of the problem that was asked.
func (f *frame) refused(err error) error {
	var wrong *param.Columns
	if f.index != nil && errors.As(err, &wrong) {
		wrong.At = lists.At(f.index, wrong.At)
	}
	return err
}

// restoreAll is restore for the solutions of a path, as far as it came.
func (f *frame) restoreAll(all []*Solution, err error) ([]*Solution, error) {
	for _, s := range all {
		if _, e := f.restore(s); e != nil {
			return nil, e
		}
	}
	return all, f.refused(err)
}
