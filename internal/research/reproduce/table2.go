package reproduce

import (
	"context"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/research/synthetic"
	"github.com/fspca/fspca/solver"
)

// table2Methods are the rows of the paper's table, in its order.
var table2Methods = []string{"soap", "srt", "cssp", "go", "ipu"}

// measured aggregates the outcomes of one cell over realisations.
type measured struct {
	ir, re, steps moments
	hf            float64
	cycles        int
}

// hfSpread is what the paper gives as the spread of HF.
func (m measured) hfSpread() float64 { return m.hf * (1 - m.hf) }

// tableOf holds the cells of one reading.
type tableOf map[cell]measured

// runTable2 runs every reading. The optimum of a realisation is searched once
// for all readings that share its matrix.
func runTable2(ctx context.Context, o *session) (*Section, error) {
	x := &table2{o: o, found: map[string]tableOf{}}
	all := readings()
	total := lists.Sum(lists.Map(all, func(r reading) int { return len(r.schemes) * o.Runs }))
	before := 0
	for _, r := range all {
		x.found[r.name] = tableOf{}
		for _, s := range r.schemes {
			tell := func(done int) {
				o.Progress(Progress{"table2", "scheme " + string(s) + ", reading " + r.name, before + done, total})
			}
			if err := x.runScheme(ctx, r, s, tell); err != nil {
				return nil, err
			}
			before += o.Runs
		}
	}
	return x.section(all), nil
}

// eachTrial makes every realisation of a scheme, on all processors, and returns
// their optima, which are searched once for all readings of a matrix.
func (s *session) eachTrial(ctx context.Context, r reading, scheme synthetic.Scheme, tell func(int), use func(i int, t *trial) error) ([]optimum, error) {
	key := r.instance(scheme, s.Seed, 0)
	known := s.optima[key]
	best := make([]optimum, s.Runs)
	err := each(ctx, s.Runs, tell, func(i int) error {
		var given *optimum
		if known != nil {
			given = &known[i]
		}
		t, err := newTrial(ctx, r, r.instance(scheme, s.Seed, i), given)
		if err != nil {
			return err
		}
		best[i] = t.best
		return use(i, t)
	})
	if err == nil {
		s.optima[key] = best
	}
	return best, err
}

// table2 is the experiment under way.
type table2 struct {
	o      *session
	found  map[string]tableOf
	trials [][]string // every number of the main reading
	beaten []string   // cells of realisations in which another method beat our best
}

// runScheme runs all realisations of a scheme.
func (x *table2) runScheme(ctx context.Context, r reading, s synthetic.Scheme, tell func(int)) error {
	outcomes := make([][]outcome, x.o.Runs)
	best, err := x.o.eachTrial(ctx, r, s, tell, func(i int, t *trial) (err error) {
		outcomes[i], err = t.run(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if r.name == mainReading {
		x.keep(s, best, outcomes)
	}
	x.aggregate(r, s, outcomes)
	return nil
}

// aggregate takes the moments over realisations.
func (x *table2) aggregate(r reading, s synthetic.Scheme, outcomes [][]outcome) {
	for j, o := range outcomes[0] {
		these := lists.Map(outcomes, func(of []outcome) outcome { return of[j] })
		moments := func(of func(outcome) float64) moments { return momentsOf(lists.Map(these, of)) }
		hits := lists.Count(these, func(o outcome) bool { return o.re <= hitError })
		x.found[r.name][cell{s, o.method, o.column}] = measured{
			ir:     moments(func(o outcome) float64 { return o.ir }),
			re:     moments(func(o outcome) float64 { return o.re }),
			steps:  moments(func(o outcome) float64 { return o.steps }),
			hf:     float64(hits) / float64(len(outcomes)),
			cycles: lists.Sum(lists.Map(these, func(o outcome) int { return o.cycles })),
		}
	}
}

// keep notes every number of the main reading, and where our best was beaten.
func (x *table2) keep(s synthetic.Scheme, best []optimum, outcomes [][]outcome) {
	for i := range outcomes {
		ours := math.Inf(-1)
		for _, o := range outcomes[i] {
			x.trials = append(x.trials, []string{
				string(s), exactly(float64(i)), o.method, string(o.column), exactly(o.ir), exactly(o.re),
				exactly(o.objective), exactly(best[i].value), exactly(o.steps), exactly(float64(o.cycles)),
			})
			if isOwn(o.method) {
				ours = max(ours, o.objective)
			}
		}
		for _, o := range outcomes[i] {
			if o.objective > ours*(1+1e-10) {
				x.beaten = append(x.beaten, string(s)+" "+exactly(float64(i))+" "+o.method)
			}
		}
	}
}

// isOwn reports whether a method is an effort of ours.
func isOwn(method string) bool { return slices.Contains(owns(), solver.Effort(method)) }
