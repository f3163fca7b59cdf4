package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

const (
	// DefaultMaxIterations is the largest number of steps of SOAP and SRT if
	// MaxIterations is 0. They converge linearly and need more steps than IPU; a
	// step costs the same.
	DefaultMaxIterations = 1000

	// sameTolerance is the distance of two orthonormal bases' spans, as
	// ‖W − W₀W₀ᵀW‖_F, that counts as none. Rounding leaves about 1e-15.
	sameTolerance = 1e-10
)

// IterationParams are the parameters of SOAP and SRT. The zero value is
// usable.
type IterationParams struct {
	MaxIterations int                               // 0 means DefaultMaxIterations
	Step          func(step int, objective float64) // called after each step when not nil
}

// point is a feasible W: zero but for the rows in support, which are those of
// block.
type point struct {
	support []int
	block   *mat.Dense // k×m, orthonormal columns
}

// truncated returns the point on the k rows of largest norm of z, with
// orthonormal columns.
func truncated(z *mat.Dense, k int) point {
	support := subspace.TopK(subspace.RowSquares(z), k)
	block := subspace.Rows(z, support)
	subspace.Orthonormalise(block)
	return point{support, block}
}

// spansSame reports whether two points span the same subspace.
func (p point) spansSame(q point) bool {
	if !slices.Equal(p.support, q.support) {
		return false
	}
	var cross, rest mat.Dense
	cross.Mul(q.block.T(), p.block)
	rest.Mul(q.block, &cross)
	rest.Sub(p.block, &rest)
	return mat.Norm(&rest, 2) <= sameTolerance
}

// iteration runs a map W → W' that need not ascend until it repeats itself: a
// point equals the one before it, or an earlier one. For the latter, Brent's
// method keeps one mark, and replaces it after 1, 2, 4, … steps.
type iteration struct {
	a       solver.Covariance
	k, m    int
	p       IterationParams
	advance func(aw *mat.Dense) point // the map, given A·W

	at        point
	before    point // the previous point
	steps     int
	trace     []float64 // Tr(WᵀAW) at each point
	mark      point
	markStep  int   // when mark was the current point
	best      point // of the points after mark
	bestValue float64
	status    solver.Status
}

// iterate starts from w0 (d×m) and returns the refitted end point. Trace holds
// the objectives of the method's own W, from the first feasible one on.
func iterate(ctx context.Context, a solver.Covariance, k int, w0 *mat.Dense, p IterationParams, advance func(aw *mat.Dense) point) (*solver.Solution, error) {
	m, err := param.StartColumns(w0, k, subspace.Order(a))
	if err != nil {
		return nil, err
	}
	if err := param.AtLeast("MaxIterations", "max iterations", p.MaxIterations, 1, "the default"); err != nil {
		return nil, err
	}
	p.MaxIterations = cmp.Or(p.MaxIterations, DefaultMaxIterations)
	it := &iteration{a: a, k: k, m: m, p: p, advance: advance}
	if err := it.start(ctx, w0); err != nil {
		return nil, err
	}
	if err := it.run(ctx); err != nil {
		return nil, err
	}
	s, err := refit(ctx, a, it.at.support, m, it.steps, it.status)
	if err != nil {
		return nil, err
	}
	s.Trace = it.trace
	return s, nil
}

// start takes w0 as the first point if it has at most k non-zero rows.
// Otherwise it takes one step from it as it is, which makes the first point.
func (it *iteration) start(ctx context.Context, w0 *mat.Dense) error {
	nonzero := lists.Count(subspace.RowSquares(w0), func(v float64) bool { return v > 0 })
	if nonzero <= it.k {
		it.at = truncated(w0, it.k)
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w := mat.DenseCopyOf(w0)
	subspace.Orthonormalise(w)
	aw := mat.NewDense(it.a.Order(), it.m, nil)
	if err := it.a.Mul(ctx, aw, w); err != nil {
		return err
	}
	it.at = it.advance(aw)
	it.steps = 1
	return nil
}

// run advances until the points repeat or a limit is reached.
func (it *iteration) run(ctx context.Context) error {
	aw := mat.NewDense(it.a.Order(), it.m, nil)
	for {
		if err := it.a.MulRows(ctx, aw, it.at.support, it.at.block); err != nil {
			if ctx.Err() == nil {
				return err
			}
			it.status = solver.EndOf(ctx)
			return nil
		}
		it.record(it.at.value(aw))
		if it.repeats() {
			return nil
		}
		switch {
		case ctx.Err() != nil:
			it.status = solver.EndOf(ctx)
			return nil
		case it.steps == it.p.MaxIterations:
			it.status = solver.IterationLimit
			return nil
		}
		it.before, it.at = it.at, it.advance(aw)
		it.steps++
	}
}

// value returns Tr(WᵀAW) given A·W.
func (p point) value(aw *mat.Dense) float64 {
	var sum float64
	for r, i := range p.support {
		for j, v := range p.block.RawRowView(r) {
			sum += v * aw.At(i, j)
		}
	}
	return sum
}

// record notes the objective of the current point.
func (it *iteration) record(value float64) {
	it.trace = append(it.trace, value)
	if it.steps > 0 && it.p.Step != nil {
		it.p.Step(it.steps, value)
	}
	if value > it.bestValue {
		it.best, it.bestValue = it.at, value
	}
}

// repeats tells whether the current point was there before, and how. In a
// cycle the best of its points becomes the current one.
func (it *iteration) repeats() bool {
	switch {
	case len(it.trace) == 1: // the first point is the first mark
	case it.at.spansSame(it.before):
		it.status = solver.Converged
		return true
	case it.at.spansSame(it.mark):
		it.status = solver.Cycle
		it.at = it.best
		return true
	}
	if len(it.trace) == 1 || it.steps >= 2*it.markStep {
		it.mark, it.markStep = it.at, it.steps
		it.best, it.bestValue = it.at, math.Inf(-1)
	}
	return false
}
