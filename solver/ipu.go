package solver

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
)

const (
	// rankTolerance is the eigenvalue of WᵀAW, relative to its largest,
	// below which a direction is dropped: the pseudo-inverse of the proxy.
	rankTolerance = 1e-12

	// gainTolerance is the relative gain that counts as one.
	gainTolerance = 1e-12
)

// IPUParams are the parameters of IPU. The zero value is usable.
type IPUParams struct {
	MaxIterations int                               // 0 means DefaultMaxIterations
	Epsilon       float64                           // as in Params
	Step          func(step int, objective float64) // called after each step when not nil
}

// IPU is Algorithm 2 of the paper from the start w0 (d×m with independent
// columns, which it orthonormalises). Each step selects the k largest diagonal
// entries of the proxy P = AW(WᵀAW)†WᵀA, which is never formed. The m leading
// eigenvectors of A on them are the next W. It stops when the support repeats.
// The objective never falls. If w0 has at most k non-zero rows, the Trace
// begins with its objective; otherwise w0 is not feasible and the Trace begins
// with the first support.
//
// If ctx ends after the first support, the best solution so far is returned
// with the status Deadline or Cancelled; before it, the context's error.
//
// Cost of a step: one product A·W with k non-zero rows and the m leading
// eigenpairs of a k×k block.
func IPU(ctx context.Context, a Covariance, k int, w0 *mat.Dense, p IPUParams) (*Solution, error) {
	m, err := param.StartColumns(w0, k, subspace.Order(a))
	if err != nil {
		return nil, err
	}
	params := Params{Features: k, Components: m, MaxIterations: p.MaxIterations, Epsilon: p.Epsilon}
	if err := params.check(a.Order()); err != nil {
		return nil, err
	}
	return solveIn(ctx, a, params, func(f *frame, t *task) (*Solution, error) {
		p.Epsilon = f.p.Epsilon
		if step := p.Step; step != nil {
			p.Step = func(iteration int, objective float64) { step(iteration, objective*f.unit) }
		}
		r := newRun(t.a, ascenderOf(t.a), t.c, m, p)
		if err := r.start(ctx, w0); err != nil {
			return nil, err
		}
		if err := r.climb(ctx); err != nil {
			return nil, err
		}
		sol, err := t.solution(ctx, r.best, r.trace, r.iterations, r.status)
		if err != nil {
			return nil, err
		}
		sol.Told = r.explains()
		return sol, nil
	})
}

// run is one ascent of IPU.
type run struct {
	a  Covariance
	at ascender // may be shared by runs that follow each other
	c  *choice
	m  int
	p  IPUParams

	best       *embedding     // nil until a feasible point is known
	w0         *mat.Dense     // the start, while best is nil
	room       *kernel.Buffer // of Z, or of the scores, from the first scores to the end of climb, or to release where keep is set
	keep       bool
	last       *scored
	trace      []float64
	iterations int
	status     Status

	told   float64    // the sum of the last scores,
	toldOf *embedding // of this; nil for none

	foretell func(context.Context, *run) (*foretold, error) // nil: nothing is
	foretold *foretold                                      // of the last step; nil for nothing
}

// scored is what the last step of a run computed.
type scored struct {
	of     *embedding // nil: of a start
	scores []float64
	z      picked
}

func newRun(a Covariance, at ascender, c *choice, m int, p IPUParams) *run {
	p.MaxIterations = cmp.Or(p.MaxIterations, DefaultMaxIterations)
	return &run{a: a, at: at, c: c, m: m, p: p}
}

// start takes w0 as the current point: as a support where it has at most k
// non-zero rows, all permitted, which can only gain by a refit, and as it is
// otherwise.
func (r *run) start(ctx context.Context, w0 *mat.Dense) error {
	w := mat.DenseCopyOf(w0)
	if !subspace.Orthonormalise(w) {
		return fmt.Errorf("the %d columns of the start W0 are linearly dependent: want %d independent ones", r.m, r.m)
	}
	rows := lists.Places(r.a.Order(), func(i int) bool {
		return slices.ContainsFunc(w0.RawRowView(i), func(v float64) bool { return v != 0 })
	})
	if !r.c.permits(rows) {
		r.w0 = w
		return nil
	}
	v := subspace.Rows(w, rows)
	b, err := r.a.Block(ctx, rows)
	if err != nil {
		return err
	}
	var av, g mat.Dense
	av.Mul(b, v)
	g.Mul(v.T(), &av)
	r.trace = append(r.trace, mat.Trace(&g))
	r.best, err = r.at.embed(ctx, r.c.fill(rows, r.a.Diag()), r.m, nil)
	return err
}

// startOn takes a support as the current point; near as for ascender.embed.
func (r *run) startOn(ctx context.Context, support []int, near *mat.Dense) error {
	e, err := r.at.embed(ctx, support, r.m, near)
	if err == nil {
		r.best, r.trace = e, []float64{e.objective}
	}
	return err
}

// climb repeats steps until the support does, or a limit is reached.
func (r *run) climb(ctx context.Context) error {
	if !r.keep {
		defer r.release()
	}
	for {
		if err := ctx.Err(); err != nil {
			if r.best == nil {
				return err
			}
			r.status = EndOf(ctx)
			return nil
		}
		if r.iterations == r.p.MaxIterations {
			r.status = IterationLimit
			return nil
		}
		done, err := r.step(ctx)
		switch {
		case err != nil && ctx.Err() != nil && r.best != nil:
			continue // ends above
		case err != nil:
			return err
		}
		if r.p.Step != nil {
			r.p.Step(r.iterations, r.best.objective)
		}
		if done {
			r.status = Converged
			return nil
		}
	}
}

// release gives the room back.
func (r *run) release() {
	if r.room != nil {
		r.room.Release()
		r.room, r.last = nil, nil
	}
}

// step selects by the proxy of the current point and refits. It reports
// whether nothing changed.
func (r *run) step(ctx context.Context) (done bool, err error) {
	scores, z, err := r.scores(ctx)
	if err != nil {
		return false, err
	}
	r.iterations++
	r.last = &scored{r.best, scores, z}
	if r.told, r.toldOf = floats.Sum(scores), r.best; r.best != nil && (r.p.Epsilon != 0 || r.best.values[0] <= 0) {
		r.toldOf = nil
	}
	support := r.c.top(scores)
	if r.best != nil && slices.Equal(support, r.best.support) {
		r.trace = append(r.trace, r.best.objective)
		return true, nil
	}
	// A power step from the current point is near the next.
	var near *mat.Dense
	if len(support) > directOrder {
		near = z(support)
	}
	next, err := r.at.embed(ctx, support, r.m, near)
	if err != nil {
		return false, err
	}
	if r.best != nil && !next.gains(r.best) {
		r.trace = append(r.trace, r.best.objective)
		return true, nil
	}
	r.best, r.w0 = next, nil
	r.trace = append(r.trace, next.objective)
	return false, nil
}

// explains is what the best explains of all columns; 0 where the last step did not tell it and it takes a
// pass over the rows.
func (r *run) explains() float64 {
	if r.best == nil || r.best.values[0] <= 0 {
		return 0
	}
	if r.toldOf == r.best {
		return r.told
	}
	if f := r.foretold; f != nil && f.gained != nil && slices.Equal(f.gained.support, r.best.support) {
		return f.told
	}
	switch at := r.at.(type) {
	case *rowsAscender:
		if at.c.route == RouteGram {
			return at.explains(r.best)
		}
	case *streamAscender:
		if at.holds(r.best.support) {
			return at.explains(r.best)
		}
	}
	return 0
}
