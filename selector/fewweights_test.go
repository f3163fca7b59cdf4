package selector_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// few are three rows whose columns vary.
func few(n int) *mat.Dense {
	rows := mat.NewDense(3, 4, []float64{1, 2, 3, -1, 2, 5, 1, 0, 4, 4, 7, 3})
	return rows.Slice(0, n, 0, 4).(*mat.Dense)
}

// rowsOf are the rows of a matrix, read in blocks.
type rowsOf struct{ *mat.Dense }

// Read copies rows.
func (r rowsOf) Read(_ context.Context, from int, dst *mat.Dense) (int, error) {
	n, d := r.Dims()
	got, _ := dst.Copy(r.Slice(from, n, 0, d))
	return got, nil
}

// fewOptions are options that a few rows bear.
func fewOptions() (all []selector.Options) {
	for i := range 16 {
		o := selector.Options{Features: 2, Components: 1, Uncentered: i&1 > 0, Reconstruction: true, Ledger: true, Standardize: i&2 > 0}
		if i&4 > 0 {
			o.Criterion, o.Decoder = selector.CriterionReconstruction, true
		}
		if i&8 > 0 {
			o.Bootstrap, o.Seed = 2, 3
		}
		all = append(all, o)
	}
	return all
}

// waysOfWeights are the fits to weighted rows; nil stands for an error.
func waysOfWeights(t *testing.T, o selector.Options, x *mat.Dense, w []float64) map[string]*selector.Model {
	f := weightedFrame(t, x, w)
	column := o
	column.Weight = "w"
	models := map[string]*selector.Model{}
	for name, fit := range map[string]func() (*selector.FSPCA, error){
		"given": func() (*selector.FSPCA, error) {
			s := selector.New(o)
			return s, s.FitWeighted(t.Context(), must.Get(dataset.New(f.Names()[:4], x))(t), w)
		},
		"column": func() (*selector.FSPCA, error) { s := selector.New(column); return s, s.Fit(f) },
		"sparse": func() (*selector.FSPCA, error) {
			s := selector.New(column)
			return s, s.FitSparse(t.Context(), sparseNamed(t, f.Numeric(), f.Names()))
		},
		"stream": func() (*selector.FSPCA, error) {
			s := selector.New(column)
			return s, s.FitRows(t.Context(), rowsOf{f.Numeric()}, f.Names(), 0)
		},
	} {
		models[name] = nil
		if s, err := fit(); err == nil {
			models[name] = s.Model()
		}
	}
	return models
}

// Few rows with weights, even a single one, are fitted as the rows that they stand for are, or refused as they.
func TestWeightsOfFewRows(t *testing.T) {
	for n := 1; n <= 3; n++ {
		for code := range int(math.Pow(3, float64(n))) {
			w := lists.Make(n, func(i int) float64 { return []float64{0, 1, 3}[code/int(math.Pow(3, float64(i)))%3] })
			if lists.Sum(w) == 0 {
				continue
			}
			same := repeated(few(n), w)
			for i, o := range fewOptions() {
				plain := selector.New(o)
				err := plain.Fit(must.Get(dataset.New([]string{"x1", "x2", "x3", "x4"}, same))(t))
				for way, m := range waysOfWeights(t, o, few(n), w) {
					what := fmt.Sprintf("weights %v, options %d, %s", w, i, way)
					if (m == nil) != (err != nil) {
						t.Errorf("%s: fitted is %t, and the rows themselves: %v", what, m != nil, err)
					} else if m != nil {
						sameModels(t, what, plain.Model(), m)
					}
				}
			}
		}
	}
}

// A row with a weight is two equal rows with half of it each, whether these are whole numbers or not.
func TestHalvedWeightsOfFewRows(t *testing.T) {
	for _, w := range [][]float64{{0.5}, {1}, {1.5}, {2}, {0.5, 0.5}, {0.2, 0.9}, {1.5, 0}, {0, 0.7, 0.8}, {0.1, 0.2, 0.3}, {0.5, 2.5, 1e-3}} {
		x := few(len(w))
		twice := repeated(x, slices.Repeat([]float64{2}, len(w)))
		var half []float64
		for _, weight := range w {
			half = append(half, weight/2, weight/2)
		}
		for i, o := range fewOptions() {
			if o.Bootstrap > 0 {
				continue // halves are drawn by themselves
			}
			others := waysOfWeights(t, o, twice, half)
			for way, m := range waysOfWeights(t, o, x, w) {
				what := fmt.Sprintf("weights %v, options %d, %s", w, i, way)
				if (m == nil) != (others[way] == nil) || m == nil && lists.Sum(w) > 1 && o.Uncentered {
					t.Errorf("%s: fitted is %t, and %t by halves", what, m != nil, others[way] != nil)
				} else if m != nil {
					sameModels(t, what, others[way], m)
				}
			}
		}
	}
}
