package selector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/parallel"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/solver"
)

// Stability says how much a choice of columns depends on the rows: how often each column is chosen
// when as many rows are drawn with replacement (the bootstrap of Efron, 1979).
type Stability struct {
	// Replicates is the number of draws that were fitted: Options.Bootstrap, or fewer if a
	// deadline or a cancellation came first.
	Replicates int `json:"replicates"`

	// Columns are the k columns of the model and all others that are chosen in at least a tenth of
	// the replicates. The most frequent come first; ties go to the first in the table.
	Columns []Frequency `json:"columns"`
}

// Frequency is how often a column is chosen.
type Frequency struct {
	Name      string  `json:"name"`
	Column    int     `json:"column"`    // its place among the numeric feature columns, from 0
	Times     int     `json:"times"`     // replicates that chose it
	Frequency float64 `json:"frequency"` // Times over Replicates; 0 without any
	Chosen    bool    `json:"chosen"`    // by the model
}

// Stability returns how often columns are chosen when the rows are drawn again; nil
// without Options.Bootstrap.
func (m *Model) Stability() *Stability {
	if m.stability == nil {
		return nil
	}
	s := *m.stability
	s.Columns = slices.Clone(s.Columns)
	return &s
}

// String says in words how often the chosen columns are chosen again.
func (s *Stability) String() string {
	if s.Replicates == 0 {
		return "no draw of the rows was done in time"
	}
	chosen, sum := 0, 0.0
	for _, c := range s.Columns {
		if c.Chosen {
			chosen, sum = chosen+1, sum+c.Frequency
		}
	}
	return fmt.Sprintf("in %s of the rows a chosen column is chosen %.0f %% of the time", words.Count(s.Replicates, "draw"), 100*sum/float64(chosen))
}

const (
	// StageBootstrap is the stage of progress while replicates are fitted. Start, of Starts, is
	// the replicate that was finished. Objective is the variance that its choice explains in its
	// own rows.
	StageBootstrap solver.Stage = "bootstrap"

	// sampleMemory bounds the bytes of the copied rows of replicates that are fitted side by side.
	sampleMemory = 256 << 20

	// redraws is how often rows are drawn anew for a replicate in which no column varies.
	redraws = 100

	// oftenShare is the share of the replicates from which a column is worth telling of.
	oftenShare = 0.1
)

// sampler gives the rows of a table again.
type sampler struct {
	rows  int
	bytes int                                       // of a copy
	draw  func(at []int) (solver.Covariance, error) // of the rows at these places

	// together is draw for up to atOnce draws in one pass over rows that are not in memory; nil without. An
	// error in errs is that of one draw.
	together func(draws [][]int) (data []solver.Covariance, errs []error, err error)
	atOnce   int
}

// sampleDense draws from the rows of x.
func (s *FSPCA) sampleDense(x *mat.Dense, weights []float64) sampler {
	n, d := x.Dims()
	drawn := func(at []int, weights []float64) (solver.Covariance, error) {
		y := mat.NewDense(len(at), d, nil)
		for i, row := range at {
			copy(y.RawRowView(i), x.RawRowView(row))
		}
		data, _, _, err := s.denseData(y, weights)
		return data, err
	}
	return weighing(sampler{rows: n, bytes: 8 * n * d}, weights, drawn)
}

// sampleSparse draws from the rows of table.
func (s *FSPCA) sampleSparse(table *dataset.Sparse, weights []float64) sampler {
	take := func(at []int, weights []float64) (solver.Covariance, error) {
		offsets, indices, values := copyRows(table, at, int32(table.Columns()))
		drawn, err := dataset.NewSparse(len(at), table.Columns(), offsets, indices, values, nil)
		if err != nil {
			return nil, err
		}
		data, _, err := s.sparseData(drawn, weights, flatColumns(drawn))
		return data, err
	}
	return weighing(sampler{rows: table.Rows(), bytes: 12 * table.Entries()}, weights, take)
}

// bootstrap returns how often columns are chosen from draws of the rows of t, for the model m.
func (s *FSPCA) bootstrap(ctx context.Context, m *Model, t *table) (*Stability, error) {
	names, from := t.names, t.sampler
	if from.rows > mostDraws {
		return nil, fmt.Errorf("fspca: bootstrap: weights that add up to more than %d ask for as many rows in each draw: divide them by a constant", mostDraws)
	}
	params, err := m.replicateParams(names)
	if err != nil {
		return nil, err
	}
	b := &bootstrap{from: from, options: m.options, params: params, seed: s.Seed, total: s.Bootstrap, progress: s.Progress, times: make([]int, len(names))}
	if from.together != nil {
		err = b.together(ctx)
	} else {
		atOnce := max(1, sampleMemory/max(1, from.bytes))
		err = parallel.Each(ctx, s.Bootstrap, atOnce, func(r int) error { return b.replicate(ctx, r) })
	}
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("fspca: bootstrap: %w", err)
	}
	return b.stability(names, m.support), nil
}

// replicateParams is what the solver is asked for in each replicate: what it was asked for the
// model, but for a proof, which would take its time again for each.
func (m *Model) replicateParams(names []string) (solver.Params, error) {
	opt := m.options
	opt.SDPIterations, opt.Bound = 0, ""
	if opt.Effort == string(solver.EffortExact) {
		opt.Effort, opt.MemoryLimit = string(solver.EffortThorough), 0
	}
	return opt.params(names)
}

// bootstrap counts choices. Each replicate has a generator of its own, so that it does not matter
// which worker takes it.
type bootstrap struct {
	from     sampler
	options  Options
	params   solver.Params
	seed     uint64
	total    int
	progress func(solver.Progress)

	mu    sync.Mutex
	done  int   // replicates that were counted
	times []int // for each column, the replicates that chose it
}

// replicate fits replicate r and counts its choice.
func (b *bootstrap) replicate(ctx context.Context, r int) error {
	d := b.draw(r)
	data, err := b.from.draw(d.at)
	return b.count(ctx, r, d, data, err)
}

// together fits replicates whose rows are drawn several at a time.
func (b *bootstrap) together(ctx context.Context) error {
	for first := 0; first < b.total && ctx.Err() == nil; first += b.from.atOnce {
		draws := make([]*drawnPlaces, min(b.from.atOnce, b.total-first))
		places := make([][]int, len(draws))
		for i := range draws {
			draws[i] = b.draw(first + i)
			places[i] = draws[i].at
		}
		data, errs, err := b.from.together(places)
		if err != nil {
			return fmt.Errorf("replicates %d to %d of %d: %w", first+1, first+len(draws), b.total, err)
		}
		for i, d := range draws {
			if err := b.count(ctx, first+i, d, data[i], errs[i]); err != nil {
				return err
			}
			data[i] = nil // its memory is free
		}
	}
	return nil
}

// count chooses among the columns of replicate r and counts the choice, unless ctx cut it off. The error
// of the draw d is err.
func (b *bootstrap) count(ctx context.Context, r int, d *drawnPlaces, data solver.Covariance, err error) error {
	solution, err := b.choose(ctx, d, data, err)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil
	case err != nil:
		return fmt.Errorf("replicate %d of %d: %w", r+1, b.total, err)
	case solution.Status == solver.Deadline || solution.Status == solver.Cancelled:
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, j := range solution.Support {
		b.times[j]++
	}
	b.done++
	if b.progress != nil {
		b.progress(solver.Progress{Stage: StageBootstrap, Start: b.done - 1, Starts: b.total, Objective: solution.Objective})
	}
	return nil
}

// drawnPlaces are the places of the rows of a draw, ascending.
type drawnPlaces struct {
	rng *rand.Rand
	at  []int
}

// draw draws the rows of replicate r.
func (b *bootstrap) draw(r int) *drawnPlaces {
	d := &drawnPlaces{rand.New(rand.NewPCG(b.seed, uint64(r))), make([]int, b.from.rows)}
	d.again()
	return d
}

// again draws anew.
func (d *drawnPlaces) again() {
	for i := range d.at {
		d.at[i] = d.rng.IntN(len(d.at))
	}
	slices.Sort(d.at) // their order means nothing, and memory is read from front to back
}

// choose chooses among the columns of a draw, or of another where none of them varies.
func (b *bootstrap) choose(ctx context.Context, d *drawnPlaces, data solver.Covariance, err error) (*solver.Solution, error) {
	for try := 1; ; try++ {
		if err == nil {
			_, err = solver.Without(ctx, data, b.params.Exclude)
		}
		if !errors.Is(err, solver.ErrConstant) || try == redraws {
			break
		}
		d.again()
		data, err = b.from.draw(d.at)
	}
	if err != nil {
		return nil, err
	}
	return b.options.solve(ctx, data, b.params)
}

// stability puts the counts in order.
func (b *bootstrap) stability(names []string, support []int) *Stability {
	s := &Stability{Replicates: b.done}
	for j, times := range b.times {
		_, chosen := slices.BinarySearch(support, j)
		if !chosen && (times == 0 || float64(times) < oftenShare*float64(b.done)) {
			continue
		}
		s.Columns = append(s.Columns, Frequency{Name: names[j], Column: j, Times: times, Chosen: chosen})
	}
	s.complete()
	return s
}

// complete derives the frequencies and sorts.
func (s *Stability) complete() {
	for i := range s.Columns {
		if c := &s.Columns[i]; s.Replicates > 0 {
			c.Frequency = float64(c.Times) / float64(s.Replicates)
		}
	}
	slices.SortFunc(s.Columns, func(a, b Frequency) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Column, b.Column))
	})
}
