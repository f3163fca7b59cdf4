package baseline

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/spectral"
)

// Defaults of FPSParams. They are those of the authors' R package fps.
const (
	DefaultFPSIterations = 100
	DefaultFPSTolerance  = 1e-3

	fpsPathLength = 50
	fpsPathSpan   = 1e-3 // last λ over first
)

// FPSParams are the parameters of FPS and FPSPath. The zero value is usable.
type FPSParams struct {
	MaxIterations int // ADMM steps for one λ; 0 means DefaultFPSIterations

	// Tolerance, times √m, bounds ‖X − Z‖_F and ρ‖Z − Z_before‖_F at the end,
	// where A is divided by its largest |a_ij|; 0 means DefaultFPSTolerance.
	Tolerance float64

	Step func(step int, explained float64) // called after each step with ⟨A, Z⟩, A as above, when not nil
}

// check returns all that is wrong with p for m components of d columns.
func (p FPSParams) check(m, d int) error {
	return errors.Join(
		param.Sizes(max(m, 1), m, d),
		param.AtLeast("MaxIterations", "max iterations", p.MaxIterations, 1, "the default"),
		param.Finite("Tolerance", "tolerance", p.Tolerance),
	)
}

func (p FPSParams) withDefaults() FPSParams {
	p.MaxIterations = cmp.Or(p.MaxIterations, DefaultFPSIterations)
	p.Tolerance = cmp.Or(p.Tolerance, DefaultFPSTolerance)
	return p
}

// Relaxation is a solution of the convex relaxation.
type Relaxation struct {
	Lambda float64 // the penalty, in units of A

	// Active holds the ascending indices of the variables that were not
	// screened out; outside of them Z is zero. Z is len(Active) square, the
	// sparse copy of the solution.
	Active []int
	Z      *mat.SymDense

	Iterations int // ADMM steps, over the whole path for FPSPath
	Status     solver.Status
	order      int
}

// FPS solves the Fantope projection and selection problem
//
//	max ⟨A, X⟩ − λ·Σ|x_ij|  subject to  0 ⪯ X ⪯ I, tr X = m
//
// by the alternating direction method of multipliers. lambda ≥ 0 is in units of A.
// For λ = 0 the solution is the projection on the m leading eigenvectors. A
// variable i is screened out if |a_ij| ≤ λ for all j ≠ i, unless it is one of the m
// of largest variance. It needs the entries of A.
//
// Cost of a step: a few more than m leading eigenpairs of a d×d matrix.
//
// Source: V. Q. Vu, J. Cho, J. Lei, K. Rohe: Fantope Projection and Selection,
// NIPS 2013. Step lengths, stopping rule and screening are those of the
// authors' R package fps 0.1.
func FPS(ctx context.Context, a solver.Covariance, m int, lambda float64, p FPSParams) (*Relaxation, error) {
	if err := param.Finite("Lambda", "lambda", lambda); err != nil {
		return nil, err
	}
	path, err := newFPSPath(ctx, a, m, p)
	if err != nil {
		return nil, err
	}
	if err := path.solve(ctx, lambda); err != nil {
		return nil, err
	}
	return path.relaxation(lambda), nil
}

// FPSPath solves FPS for up to 50 falling values of λ in geometric progression:
// from the largest |a_ij|, i ≠ j, to a thousandth of it. Each value starts from the
// solution before. It stops when at least k variables have a positive diagonal
// entry in Z. Source: see FPS.
func FPSPath(ctx context.Context, a solver.Covariance, k, m int, p FPSParams) (*Relaxation, error) {
	if err := param.Sizes(k, m, subspace.Order(a)); err != nil {
		return nil, err
	}
	path, err := newFPSPath(ctx, a, m, p)
	if err != nil {
		return nil, err
	}
	var lambda float64
	for _, lambda = range path.lambdas() {
		if err := path.solve(ctx, lambda); err != nil {
			return nil, err
		}
		if path.admm.status == solver.Deadline || path.admm.status == solver.Cancelled || path.selected() >= k {
			break
		}
	}
	return path.relaxation(lambda), nil
}

// fpsPath solves for falling λ.
type fpsPath struct {
	entries *mat.SymDense
	m       int
	p       FPSParams
	unit    float64   // max |a_ij|
	ties    []float64 // max_{j≠i} |a_ij| of each variable
	active  []int
	admm    *admm
}

func newFPSPath(ctx context.Context, a solver.Covariance, m int, p FPSParams) (*fpsPath, error) {
	d := subspace.Order(a)
	if err := cmp.Or(p.check(m, d), ctx.Err()); err != nil {
		return nil, err
	}
	entries, err := a.Entries(ctx)
	if err != nil {
		return nil, err
	}
	path := &fpsPath{entries: entries, m: m, p: p.withDefaults(), ties: make([]float64, d)}
	for i := range d {
		path.unit = max(path.unit, math.Abs(entries.At(i, i)))
		for j := i + 1; j < d; j++ {
			v := math.Abs(entries.At(i, j))
			path.ties[i] = max(path.ties[i], v)
			path.ties[j] = max(path.ties[j], v)
			path.unit = max(path.unit, v)
		}
	}
	if path.unit == 0 {
		return nil, errors.New("the covariance is zero: there is nothing to explain")
	}
	return path, nil
}

// lambdas returns the path, or 0 alone for a diagonal matrix.
func (f *fpsPath) lambdas() []float64 {
	hi := slices.Max(f.ties)
	if hi == 0 {
		return []float64{0}
	}
	return lists.Make(fpsPathLength, func(i int) float64 { return hi * math.Pow(fpsPathSpan, float64(i)/(fpsPathLength-1)) })
}

// solve runs ADMM for lambda on the variables that survive screening.
func (f *fpsPath) solve(ctx context.Context, lambda float64) error {
	f.restart(f.screen(lambda))
	return f.admm.run(ctx, lambda/f.unit)
}

// screen returns the variables that may be in a solution for lambda.
func (f *fpsPath) screen(lambda float64) []int {
	d := len(f.ties)
	keep := lists.Marks(d, subspace.TopK(lists.Make(d, func(i int) float64 { return f.entries.At(i, i) }), f.m))
	return lists.Places(d, func(i int) bool { return keep[i] || lambda == 0 || f.ties[i] > lambda })
}

// restart makes active the variables of the problem, which keep the state
// that they had in a smaller one.
func (f *fpsPath) restart(active []int) {
	if slices.Equal(active, f.active) {
		return
	}
	block := mat.NewSymDense(len(active), nil)
	eachUpper(len(active), func(p, q int, _ float64) {
		block.SetSym(p, q, f.entries.At(active[p], active[q])/f.unit)
	})
	next := newADMM(block, f.m, f.p)
	if f.admm != nil {
		next.rho, next.iterations = f.admm.rho, f.admm.iterations
		place := make([]int, len(f.active))
		for p, i := range f.active {
			place[p], _ = slices.BinarySearch(active, i)
		}
		eachUpper(len(f.active), func(p, q int, _ float64) {
			next.z.SetSym(place[p], place[q], f.admm.z.At(p, q))
			next.u.SetSym(place[p], place[q], f.admm.u.At(p, q))
		})
	}
	f.active, f.admm = active, next
}

// selected counts the variables in the sparse copy of the solution.
func (f *fpsPath) selected() int {
	return len(lists.Places(len(f.active), func(p int) bool { return f.admm.z.At(p, p) > 0 }))
}

func (f *fpsPath) relaxation(lambda float64) *Relaxation {
	return &Relaxation{
		Lambda: lambda, Active: f.active, Z: f.admm.z,
		Iterations: f.admm.iterations, Status: f.admm.status, order: len(f.ties),
	}
}

// Scores returns the d diagonal entries of Z: the share of each variable in
// the projection. It panics where r is not from FPS or FPSPath.
func (r *Relaxation) Scores() []float64 {
	scores := make([]float64, r.order)
	for p, i := range r.Active {
		scores[i] = r.Z.At(p, p)
	}
	return scores
}

// Start returns the d×m matrix of the m leading eigenvectors of Z: the
// subspace that the relaxation estimates, as a start for other methods.
func (r *Relaxation) Start(m int) (*mat.Dense, error) {
	if err := param.Sizes(max(m, 1), m, len(r.Active)); err != nil {
		return nil, err
	}
	if subspace.OrderOf(r.Z) != len(r.Active) || slices.Max(r.Active) >= r.order || slices.Min(r.Active) < 0 {
		return nil, errors.New("the relaxation is not one that FPS has found")
	}
	pairs, err := spectral.Leading(r.Z, m)
	if err != nil {
		return nil, err
	}
	w := mat.NewDense(r.order, m, nil)
	for p, i := range r.Active {
		w.SetRow(i, pairs.Vectors.RawRowView(p))
	}
	return w, nil
}

// ConvexRelaxation selects the k variables of largest Scores at the end of FPSPath
// and refits A on them. If the relaxation has fewer, it adds the variables of
// largest variance. Trace holds the objective of the refit alone; Iterations and
// Status are those of ADMM.
func ConvexRelaxation(ctx context.Context, a solver.Covariance, k, m int, p FPSParams) (*solver.Solution, error) {
	r, err := FPSPath(ctx, a, k, m, p)
	if err != nil {
		return nil, err
	}
	return refit(ctx, a, r.support(a.Diag(), k), m, r.Iterations, r.Status)
}

// support returns the k variables of largest score, by variance where that
// is 0.
func (r *Relaxation) support(diag []float64, k int) []int {
	scores := r.Scores()
	top := slices.Max(diag)
	for i, s := range scores {
		if s <= 0 {
			scores[i] = diag[i]/top - 2 // below every score
		}
	}
	return subspace.TopK(scores, k)
}
