package selector

import (
	"context"
	"fmt"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
)

// Shared keeps what fits to the same rows have in common: the moments of the columns and, if they were
// formed, A or the Gram matrix of the rows and its leading eigenpairs. Further fits with another k only
// repeat the search. The zero value is ready to use; one goroutine may use it at a time.
type Shared struct {
	x          *mat.Dense // the rows, nil before the first fit
	uncentered bool
	scaled     bool

	data  *solver.Data
	flat  []int
	scale []float64
}

// FitShared is FitContext that reuses what an earlier fit to the same frame stored in shared, and stores
// what it computes. The choice is that of FitContext, bit for bit. The frame must not have changed. Fits
// with Options.Weight, and to grids other than *dataset.Frame, share nothing.
func (s *FSPCA) FitShared(ctx context.Context, grid base.FixedDataGrid, shared *Shared) error {
	if err := s.Options.check(); err != nil {
		return err
	}
	f, err := dataset.FromGrid(grid)
	if err != nil {
		return fmt.Errorf("fspca: %w", err)
	}
	return s.fit(ctx, func() (*table, error) {
		f, weights, err := s.takeWeights(f)
		if err != nil {
			return nil, err
		}
		return s.openRows(f, weights, shared)
	})
}

// denseData is FSPCA.denseData, of rows that were read before where they are the same.
func (h *Shared) denseData(s *FSPCA, x *mat.Dense, weights []float64) (data *solver.Data, flat []int, scale []float64, err error) {
	if h == nil || weights != nil {
		return s.denseData(x, weights)
	}
	if h.x == x && h.uncentered == s.Uncentered && h.scaled == s.Standardize {
		return h.data, h.flat, h.scale, nil
	}
	if data, flat, scale, err = s.denseData(x, nil); err == nil {
		*h = Shared{x, s.Uncentered, s.Standardize, data, flat, scale}
	}
	return data, flat, scale, err
}
