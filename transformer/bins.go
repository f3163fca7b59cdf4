package transformer

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
)

const (
	quantileBinsStep = "quantile_bins"
	defaultBins      = 5
	mostBins         = 1 << 16
)

// QuantileBins maps each numeric cell to the number of its bin, from 0. All bins hold about as many
// cells of the table of Fit. A cell that equals an edge belongs to the bin above it; cells below the
// first bin or above the last belong to these.
//
// Edges are interpolated between two sorted cells, as in Robust. Edges that do not differ
// (WithinRounding) are one edge: a column of few values has fewer bins, and one that does not vary
// has a single bin. Missing cells are errors as in Center. Categorical columns pass through.
type QuantileBins struct {
	// Bins is the number of bins; 0 means 5.
	Bins int

	derived[binOptions, binEdges]
}

var _ Transformer = (*QuantileBins)(nil)

type binOptions struct {
	Bins int `json:"bins"`
}

func (o binOptions) check() error {
	if o.Bins < 2 || o.Bins > mostBins {
		return fmt.Errorf("%s: the number of bins is %d: want 2 to %d", quantileBinsStep, o.Bins, mostBins)
	}
	return nil
}

// binEdges are the edges between bins, ascending, without the two ends.
type binEdges struct {
	Edges []float64 `json:"edges"`
}

var quantileBinsRecipe = &recipe[binOptions, binEdges]{
	step:     quantileBinsStep,
	complete: true,
	number: func(b *binEdges, _ string) func(float64) float64 {
		return func(v float64) float64 {
			return float64(sort.Search(len(b.Edges), func(i int) bool { return b.Edges[i] > v }))
		}
	},
	check: func(_ binOptions, c derivedColumn[binEdges], part string) error {
		if err := needsKind(c, numeric, part); err != nil {
			return err
		}
		if c.Learned.Edges == nil || !slices.IsSorted(c.Learned.Edges) {
			return fmt.Errorf(`column %q: the field "edges" is missing or does not ascend`, c.Name)
		}
		return nil
	},
}

// Fit learns the edges of each numeric column.
func (q *QuantileBins) Fit(grid base.FixedDataGrid) error {
	o := binOptions{cmp.Or(q.Bins, defaultBins)}
	if err := o.check(); err != nil {
		return err
	}
	return q.fit(quantileBinsRecipe, o, grid, func(f *dataset.Frame) ([]derivedColumn[binEdges], []derivedOutput, error) {
		return learnEach(f, numeric, func(_, j int) *binEdges { return &binEdges{edges(sortedCells(f.Numeric(), j), o.Bins)} })
	})
}

// edges returns the edges between bins that share out sorted cells.
func edges(cells []float64, bins int) []float64 {
	out := []float64{}
	last := cells[0]
	for i := 1; i < bins; i++ {
		e := quantile(cells, i, bins)
		if !WithinRounding(last, e, 0) {
			out = append(out, e)
			last = e
		}
	}
	if n := len(out); n > 0 && WithinRounding(out[n-1], cells[len(cells)-1], 0) {
		out = out[:n-1] // the last edge is the end of the table: there is no bin above it
	}
	return out
}

// Transform yields the columns Outputs and passes the class through.
func (q *QuantileBins) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return q.transform(quantileBinsStep, grid)
}

// Narrow returns a copy for the named columns alone.
func (q *QuantileBins) Narrow(outputs []string) (Transformer, error) {
	return narrowed(q, quantileBinsStep, outputs)
}

// Save writes the fitted step as JSON of type "quantile_bins".
func (q *QuantileBins) Save(w io.Writer) error { return q.save(w, quantileBinsStep) }

// Load reads what Save wrote, with the option. After an error the step is unchanged.
func (q *QuantileBins) Load(r io.Reader) error {
	return q.load(r, quantileBinsRecipe, func(o binOptions) { q.Bins = o.Bins })
}

// Filter returns the mapping as golearn's Filter; see Center.Filter for its use.
func (q *QuantileBins) Filter() base.Filter { return q.filter(quantileBinsStep) }
