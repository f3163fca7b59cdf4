package reproduce

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/research/synthetic"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"gonum.org/v1/gonum/mat"
)

const (
	randomStarts = 20   // the paper's
	hitError     = 1e-3 // relative error that counts as a hit
)

// outcome is what one method found from one kind of start on one realisation.
type outcome struct {
	method    string
	column    column
	ir        float64 // intersection ratio, the mean over random starts
	re        float64 // relative error, of the best random start
	steps     float64 // the mean over random starts
	cycles    int
	objective float64 // the best
}

// optimum is the best support of a realisation.
type optimum struct {
	support []int
	value   float64
}

// trial is one realisation.
type trial struct {
	r       reading
	a       *remembered // A + εI
	epsilon float64
	best    optimum
	leading *mat.Dense // d×m: the basis that Go and CSSP see
	values  []float64
	stream  uint64 // seed of the random starts
}

// newTrial makes the realisation. The optimum, found before, may be given.
func newTrial(ctx context.Context, r reading, in synthetic.Instance, known *optimum) (*trial, error) {
	entries, err := in.Matrix()
	if err != nil {
		return nil, err
	}
	t := &trial{r: r, epsilon: paperEpsilon, stream: streamOf(in)}
	if in.Scheme == synthetic.C || r.exactA {
		t.epsilon = 0
	}
	if t.a, err = rememberShifted(ctx, entries, t.epsilon, synthetic.Components+1); err != nil {
		return nil, err
	}
	t.values, t.leading, err = t.a.Leading(ctx, synthetic.Components)
	if err != nil {
		return nil, err
	}
	if r.general {
		if err := t.generalBasis(in); err != nil {
			return nil, err
		}
	}
	if known != nil {
		t.best = *known
		return t, nil
	}
	s, err := baseline.BruteForce(ctx, t.a, synthetic.Features, synthetic.Components, nil)
	if err != nil {
		return nil, err
	}
	if s.Status != solver.Proved {
		return nil, ctx.Err()
	}
	t.best = optimum{s.Support, t.value(s)}
	return t, nil
}

// generalBasis replaces the leading pairs by those of a solver that is not
// told that its matrix is symmetric.
func (t *trial) generalBasis(in synthetic.Instance) error {
	p, err := in.Product()
	if err != nil {
		return err
	}
	d, _ := p.Dims()
	for i := range d {
		p.Set(i, i, p.At(i, i)+t.epsilon)
	}
	t.values, t.leading, err = synthetic.GeneralLeading(p, synthetic.Components)
	return err
}

// streamOf derives the seed of the random starts of a realisation, the same
// for every basis.
func streamOf(in synthetic.Instance) uint64 {
	key := sha256.Sum256(fmt.Appendf(nil, "starts scheme=%s seed=%d index=%d", in.Scheme, in.Seed, in.Index))
	return binary.LittleEndian.Uint64(key[:])
}

// value returns the objective on A itself.
func (t *trial) value(s *solver.Solution) float64 {
	return s.Objective - float64(synthetic.Components)*t.epsilon
}

// outcome measures solutions from the starts of one column.
func (t *trial) outcome(method string, c column, solutions []*solver.Solution) outcome {
	o := outcome{method: method, column: c, objective: math.Inf(-1)}
	found, steps, n := 0, 0, float64(len(solutions))
	for _, s := range solutions {
		shared := lists.Count(s.Support, func(i int) bool { return slices.Contains(t.best.support, i) })
		found += shared
		steps += s.Iterations
		if s.Status == solver.Cycle {
			o.cycles++
		}
		o.objective = max(o.objective, t.value(s))
	}
	o.ir, o.steps = float64(found)/(n*synthetic.Features), float64(steps)/n
	o.re = (t.best.value - o.objective) / t.best.value
	return o
}

// run returns the outcomes of all methods, in the order of table2Methods, for
// each column.
func (t *trial) run(ctx context.Context) ([]outcome, error) {
	goes, cssp, err := t.startless(ctx)
	if err != nil {
		return nil, err
	}
	var out []outcome
	for _, c := range t.r.columns {
		starts, err := t.starts(ctx, c, goes)
		if err != nil {
			return nil, err
		}
		for _, method := range iterativeMethods() {
			var found []*solver.Solution
			for _, w0 := range starts {
				s, err := method.run(ctx, t.a, synthetic.Features, w0)
				if err != nil {
					return nil, err
				}
				found = append(found, s)
			}
			out = append(out, t.outcome(method.name, c, found))
		}
		out = append(out, t.outcome("cssp", c, []*solver.Solution{cssp}), t.outcome("go", c, []*solver.Solution{goes}))
	}
	if t.r.name != mainReading {
		return out, nil
	}
	own, err := t.runOwn(ctx)
	return append(out, own...), err
}

// runOwn returns the outcomes of our efforts.
func (t *trial) runOwn(ctx context.Context) (out []outcome, err error) {
	for _, e := range owns() {
		s, err := spend(ctx, t.a.Covariance, synthetic.Features, synthetic.Components, e)
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.Status != solver.Proved && e == solver.EffortExact {
			return nil, fmt.Errorf("exact search ended with the status %s", s.Status)
		}
		out = append(out, t.outcome(string(e), fromLowRank, []*solver.Solution{s}))
	}
	return out, nil
}

// startless returns the solutions of Go and CSSP, which need no start.
func (t *trial) startless(ctx context.Context) (goes, cssp *solver.Solution, err error) {
	const k, m = synthetic.Features, synthetic.Components
	if !t.r.general {
		if goes, err = solver.GoLowRank(ctx, t.a, k, m, 0); err == nil {
			cssp, err = baseline.CSSP(ctx, t.a, k, m)
		}
		return goes, cssp, err
	}
	weighted := mat.DenseCopyOf(t.leading)
	weighted.Apply(func(_, j int, v float64) float64 { return math.Sqrt(t.values[j]) * v }, weighted)
	if goes, err = t.selectBy(ctx, subspace.RowSquares(weighted)); err == nil {
		cssp, err = t.selectBy(ctx, subspace.RowSquares(t.leading))
	}
	return goes, cssp, err
}

// selectBy refits A on the k rows of largest score.
func (t *trial) selectBy(ctx context.Context, scores []float64) (*solver.Solution, error) {
	support := subspace.TopK(scores, synthetic.Features)
	return solver.Refit(ctx, t.a, support, synthetic.Components)
}

// starts returns the W₀ of a column.
func (t *trial) starts(ctx context.Context, c column, goes *solver.Solution) ([]*mat.Dense, error) {
	const k, m = synthetic.Features, synthetic.Components
	d := t.a.Order()
	switch c {
	case fromLowRank:
		return []*mat.Dense{goes.W(d)}, nil
	case fromConvex:
		w, err := convexStart(ctx, t.a, k, m, t.r.penalty)
		return []*mat.Dense{w}, err
	}
	var starts []*mat.Dense
	for i := range randomStarts {
		w := baseline.RandomStart(d, m, t.stream, uint64(i))
		if t.r.truncated {
			w = baseline.Truncate(w, k)
		}
		starts = append(starts, w)
	}
	return starts, nil
}

// convexStart returns the subspace of the convex relaxation.
func convexStart(ctx context.Context, a solver.Covariance, k, m int, p penalty) (*mat.Dense, error) {
	lambda := 1.0
	switch p {
	case sparsePenalty:
		return baseline.ConvexRelaxationStart(ctx, a, k, m, baseline.FPSParams{})
	case vanishingPenalty:
		lambda = vanishing * slices.Max(a.Diag()) // no entry of A is larger
	}
	r, err := baseline.FPS(ctx, a, m, lambda, baseline.FPSParams{})
	if err != nil {
		return nil, err
	}
	return r.Start(m)
}

// iterativeMethod is one that begins at a W₀.
type iterativeMethod struct {
	name string
	run  func(ctx context.Context, a solver.Covariance, k int, w0 *mat.Dense) (*solver.Solution, error)
}

func iterativeMethods() []iterativeMethod {
	return []iterativeMethod{
		{"soap", func(ctx context.Context, a solver.Covariance, k int, w0 *mat.Dense) (*solver.Solution, error) {
			return baseline.SOAP(ctx, a, k, w0, baseline.IterationParams{})
		}},
		{"srt", func(ctx context.Context, a solver.Covariance, k int, w0 *mat.Dense) (*solver.Solution, error) {
			return baseline.SRT(ctx, a, k, w0, baseline.IterationParams{})
		}},
		{"ipu", func(ctx context.Context, a solver.Covariance, k int, w0 *mat.Dense) (*solver.Solution, error) {
			return solver.IPU(ctx, a, k, w0, solver.IPUParams{})
		}},
	}
}
