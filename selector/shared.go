package selector

import (
	"context"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
)

// Shared keeps what fits to the same rows have in common: the moments of the columns and, if they were
// formed, A or the Gram matrix of the rows and its leading eigenpairs. Further fits with another k only
// repeat the search. The zero value is ready to use; one goroutine may use it at a time.
type Shared struct {
	frame   *dataset.Frame // of the rows, nil before the first fit
	weight  string         // the column with their weights, "" for none
	rest    *dataset.Frame // without it and without rows of weight 0
	weights []float64      // of rest; nil for 1 each

	x          *mat.Dense // the numbers of rest that what follows is of
	uncentered bool
	scaled     bool
	data       *solver.Data
	flat       []int
	scale      []float64
}

// FitShared is FitContext that reuses what an earlier fit to the same frame stored in shared, and stores
// what it computes. The choice is that of FitContext, bit for bit. The frame must not have changed. Fits to
// grids other than *dataset.Frame share nothing.
func (s *FSPCA) FitShared(ctx context.Context, grid base.FixedDataGrid, shared *Shared) error {
	return s.fit(ctx, func() (*table, error) {
		f, err := frameOf(grid)
		if err != nil {
			return nil, err
		}
		f, weights, err := shared.rows(s, f)
		if err != nil {
			return nil, err
		}
		return s.openRows(f, weights, shared)
	})
}

// rows is Options.takeWeights, of rows that were read before where they are the same.
func (h *Shared) rows(s *FSPCA, f *dataset.Frame) (*dataset.Frame, []float64, error) {
	if h == nil {
		return s.takeWeights(f)
	}
	if h.frame == f && h.weight == s.Weight {
		return h.rest, h.weights, nil
	}
	rest, weights, err := s.takeWeights(f)
	if err == nil {
		*h = Shared{frame: f, weight: s.Weight, rest: rest, weights: weights}
	}
	return rest, weights, err
}

// denseData is FSPCA.denseData, of rows that were read before where they are the same.
func (h *Shared) denseData(s *FSPCA, x *mat.Dense, weights []float64) (data *solver.Data, flat []int, scale []float64, err error) {
	if h == nil {
		return s.denseData(x, weights)
	}
	if h.data != nil && h.x == x && h.uncentered == s.Uncentered && h.scaled == s.Standardize {
		return h.data, h.flat, h.scale, nil
	}
	if data, flat, scale, err = s.denseData(x, weights); err == nil {
		h.x, h.uncentered, h.scaled = x, s.Uncentered, s.Standardize
		h.data, h.flat, h.scale = data, flat, scale
	}
	return data, flat, scale, err
}
