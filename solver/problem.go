package solver

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
)

// Method is the algorithm of Solve.
type Method string

// The methods.
const (
	MethodIPU Method = "ipu" // Algorithm 2, the default
	MethodGo  Method = "go"  // Algorithm 1
)

// Start is where IPU begins.
type Start string

// The starts.
const (
	StartGo     Start = "go"     // Algorithm 1 on A_m, the default
	StartRandom Start = "random" // orthonormalised Gaussian subspaces
)

// Effort is how much IPU's method does to find a good support.
type Effort string

// The efforts.
const (
	// EffortIPU is Go, then IPU: the paper without its ε.
	EffortIPU Effort = "ipu"

	// EffortQuick, the default, is IPU and cheap improvements. For d ≤ 448 and k ≤ 32
	// these are IPU from a few other thresholds of the spectrum; then exchanges until
	// none of the best pairs gains. Otherwise, up to k = 448, they are one round of
	// exchanges.
	EffortQuick Effort = "quick"

	// EffortThorough is Go at every threshold of the spectrum, then IPU and exchanges from each.
	// If k(d−k) ≤ 5000 and k ≤ 256, no single exchange improves the result. It gives no further
	// guarantee; in 600 random problems with d = 20 it always found the optimum. It takes some
	// ten to two hundred times as long as EffortIPU.
	EffortThorough Effort = "thorough"

	// EffortExact is branch and bound from the thorough solution. It gives the
	// optimum with a proof or, if time or memory run out, the best found and its
	// gap. Its time grows exponentially in the worst case.
	EffortExact Effort = "exact"
)

// Check returns an error unless e is one of the efforts or "".
func (e Effort) Check() error {
	if e == "" {
		return nil
	}
	return param.OneOf("Effort", "effort", e, EffortIPU, EffortQuick, EffortThorough, EffortExact)
}

// quick reports whether e is the default.
func (e Effort) quick() bool { return e == "" || e == EffortQuick }

// great reports whether e does more than what costs little beside IPU.
func (e Effort) great() bool { return e == EffortThorough || e == EffortExact }

// Defaults of Params.
const (
	DefaultMaxIterations = 100
	DefaultRestarts      = 20 // the paper's number of random starts
)

// Params states the problem and how to solve it. The zero value of every
// field but Features and Components is usable.
type Params struct {
	Features   int // k, the number of rows of W that may be non-zero; m ≤ k ≤ d
	Components int // m, the number of columns of W; at least 1

	Method Method // "" is MethodIPU
	Effort Effort // "" is EffortQuick; MethodIPU only
	Start  Start  // "" is StartGo; IPU only

	// W0, if not nil, is the d×m start of IPU instead of Start. Its columns
	// need not be orthonormal but must be linearly independent. Rows of excluded
	// columns are not read.
	W0 *mat.Dense

	// Warm lists more supports to start from, of any size. The result is that without
	// them or, if they lead to a better one, that. Columns that may not be
	// chosen are left out, and a support is filled up or trimmed to k. MethodIPU
	// only.
	Warm [][]int

	// Restarts is the number of random starts. 0 means DefaultRestarts with
	// StartRandom, and none otherwise. With another start or a greater effort they
	// are tried in addition. The best result is kept, and of equal results the
	// first.
	Restarts int

	Seed uint64 // seed of the random starts

	// Include lists columns that must be chosen, Exclude columns that may not be
	// (0 ≤ index < d, repeats count once). Included columns count towards k. Every
	// result is that of the covariance without the excluded columns, including
	// LeadingVariance and TotalVariance.
	Include, Exclude []int

	// Limits say which columns may be chosen together, and which count in A but
	// may not be chosen. MethodIPU only.
	Limits Limits

	// Bound is the effort for the upper bound; "" is BoundQuick. MethodIPU and
	// MethodGo only.
	Bound BoundEffort

	// SDPIterations, if not 0, is the number of iterations of a semidefinite
	// relaxation that tightens the upper bound. Each decomposes two matrices,
	// whose order is the number of columns that cheaper bounds leave. 400 come
	// close to what the relaxation can prove; the bound holds after any number.
	SDPIterations int

	// MemoryLimit bounds the memory, in bytes, that EffortExact takes for the
	// matrix and the open subproblems; 0 means DefaultMemoryLimit. When it is
	// reached, the best solution and its gap are returned with the status
	// MemoryLimit.
	MemoryLimit int64

	// Tell asks for Solution.Told where EffortQuick can compute it in a reading of rows that it makes anyway.
	// That takes some 4 % longer; otherwise it is there only where it costs nothing. The result is the same in
	// every bit, and methods without Told take no notice.
	Tell bool

	MaxIterations int // cap on IPU's steps from one start; 0 means DefaultMaxIterations

	// Epsilon is added to the diagonal of A where scores are computed, as the
	// paper does with 0.1 (its Remark on invertibility). It is absolute, so the
	// result depends on the units of the data: leave it 0 except to reproduce the
	// paper.
	Epsilon float64

	Progress func(Progress) // called after each step when not nil
}

// Stage is a part of the work.
type Stage string

// The stages.
const (
	StageIPU      Stage = "ipu"      // steps of IPU
	StageExchange Stage = "exchange" // a start has been improved by exchanges
	StageSDP      Stage = "sdp"      // iterations of the semidefinite relaxation
	StageSearch   Stage = "search"   // nodes of branch and bound
)

// Progress describes work in progress.
type Progress struct {
	Stage     Stage
	Features  int     // k
	Start     int     // which start is being improved, from 0
	Starts    int     // how many there are
	Iteration int     // step from this start, or of the relaxation
	Objective float64 // Tr(WᵀAW) reached from this start; with StageSDP and StageSearch the best known

	UpperBound float64 // with StageSDP and StageSearch: the bound so far
	Gap        float64 // and its relative distance from Objective
	Nodes      int     // with StageSearch: subproblems examined
	Open       int     // and those that are left
}

// RandomStarts returns how many random starts are made.
func (p *Params) RandomStarts() int {
	if p.Restarts == 0 && p.Start == StartRandom {
		return DefaultRestarts
	}
	return p.Restarts
}

func (p *Params) memoryLimit() int64 {
	return cmp.Or(p.MemoryLimit, DefaultMemoryLimit)
}

// checked returns all that is wrong with the parameters for order d, or what
// the lists permit.
func (p *Params) checked(d int) (*choice, error) {
	if err := p.check(d); err != nil {
		return nil, err
	}
	return newChoice(d, p.most(d), p.Include, slices.Concat(p.Exclude, p.Limits.Unmeasured))
}

// most returns the largest number of columns that a support of d may have: k,
// or what the budget affords.
func (p *Params) most(d int) int {
	if p.Limits.Cost == nil {
		return p.Features
	}
	never := lists.Set(slices.Concat(p.Exclude, p.Limits.Unmeasured))
	candidates := lists.Places(d, func(j int) bool { return !never[j] })
	return p.Limits.Most(nil, candidates, cmp.Or(p.Features, len(candidates)))
}

// ParamError reports a wrong parameter: the field of Params, its value and what is
// wanted. Several such errors are joined; errors.As finds the first.
type ParamError = param.Error

// check returns all that is wrong with the parameters for order d.
func (p *Params) check(d int) error {
	limits := p.Limits.Check(d)
	k := p.Features
	if k == 0 && p.Limits.Cost != nil {
		k = d // or as many as can be paid for
	}
	sizes := param.Sizes(k, p.Components, d)
	if p.Limits.Cost != nil && limits == nil && sizes == nil {
		sizes = param.Afford(p.Limits.Budget, p.most(d), p.Components)
	}
	errs := []error{
		limits, sizes, p.checkMethod(), p.checkEffort(), p.checkBound(), p.checkStarts(d),
		param.AtLeast("Restarts", "restarts", p.Restarts, 0, ""), param.Draws("Restarts", "restarts", p.Restarts),
		param.AtLeast("SDPIterations", "SDP iterations", p.SDPIterations, 0, ""),
		param.AtLeast("MemoryLimit", "memory limit in bytes", p.MemoryLimit, 1, strconv.Itoa(DefaultMemoryLimit)),
		param.AtLeast("MaxIterations", "max iterations", p.MaxIterations, 1, strconv.Itoa(DefaultMaxIterations)),
		param.Finite("Epsilon", "epsilon", p.Epsilon),
	}
	if p.W0 != nil && errors.Join(errs...) == nil {
		errs = append(errs, param.Start(p.W0, d, p.Components))
	}
	return errors.Join(errs...)
}

// checkMethod returns what is wrong with the method, and what does not go with it.
func (p *Params) checkMethod() error {
	var errs []error
	bad := func(field string, got any, want, problem string, args ...any) {
		errs = append(errs, param.New(field, got, want, problem, args...))
	}
	switch p.Method {
	case "", MethodIPU:
		if p.Limits.Together() && (p.Epsilon != 0 || p.W0 != nil || p.SDPIterations != 0) {
			bad("Limits", p.Limits, "them unset", "limits on what may stand together take no epsilon, W0 or SDP iterations")
		}
	case MethodGo:
		if p.Limits.Together() {
			bad("Limits", p.Limits, fmt.Sprintf("method %q", MethodIPU), "method %q knows no limits on what may stand together", p.Method)
		}
		if p.Start != "" || p.W0 != nil || len(p.Warm) > 0 || p.Restarts != 0 {
			bad("Start", p.Start, "start, W0, warm and restarts unset", "method %q has no start", p.Method)
		}
		if p.Effort != "" {
			bad("Effort", p.Effort, fmt.Sprintf("method %q", MethodIPU), "effort %q does not go with method %q", p.Effort, p.Method)
		}
	default:
		errs = append(errs, param.OneOf("Method", "method", p.Method, MethodIPU, MethodGo))
	}
	return errors.Join(errs...)
}

func (p *Params) checkEffort() error {
	if err := p.Effort.Check(); err != nil {
		return err
	}
	if p.Effort.great() && p.Epsilon != 0 {
		return param.New("Epsilon", p.Epsilon, fmt.Sprintf("0 with effort %q", p.Effort), "epsilon belongs to the paper's runs")
	}
	return nil
}

func (p *Params) checkStarts(d int) error {
	for _, j := range slices.Concat(p.Warm...) {
		if err := param.Index("Warm", "a support to start from", j, d); err != nil {
			return err
		}
	}
	if p.Start == StartRandom && p.W0 != nil {
		return param.TwoStarts(p.Start)
	}
	return param.OneOf("Start", "start", cmp.Or(p.Start, StartGo), StartGo, StartRandom)
}
