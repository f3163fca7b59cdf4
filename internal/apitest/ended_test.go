package apitest

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"github.com/fspca/fspca/solver/reconstruction"
)

// TestEndedContext: a function of the solver that takes a context which has ended returns its error, whatever
// little it would have to do.
func TestEndedContext(t *testing.T) {
	matrix := mat.NewSymDense(4, []float64{3, 1, .5, .2, 1, 3, .1, .3, .5, .1, 2, .4, .2, .3, .4, 1})
	rows := mat.NewDense(6, 4, []float64{1, 2, 3, 4, 2, 3, 1, 0, 5, 1, 2, 2, 3, 3, 1, 1, 0, 4, 2, 1, 1, 1, 1, 5})
	ended, end := context.WithCancel(context.Background())
	end()
	for kind, a := range map[string]solver.Covariance{
		"matrix": must.Get(solver.NewMatrix(matrix))(t), "rows": must.Get(solver.NewData(rows, solver.DataOptions{}))(t),
	} {
		s := must.Get(solver.Go(context.Background(), a, 2, 1))(t)
		for name, call := range map[string]func() (any, error){
			"Ledger":              func() (any, error) { return solver.Ledger(ended, a, s, nil) },
			"LowestCopies":        func() (any, error) { return solver.LowestCopies(ended, a, s.Support) },
			"ColumnSquares":       func() (any, error) { return solver.ColumnSquares(ended, a, 1, nil) },
			"Columns":             func() (any, error) { return solver.Columns(ended, a, s.Support) },
			"Eigenvalues":         func() (any, error) { return solver.Eigenvalues(ended, a, 2) },
			"Without":             func() (any, error) { return solver.Without(ended, a, []int{1}) },
			"ComponentsForTarget": func() (any, error) { return solver.ComponentsForTarget(ended, a, .5) },
			"Refit":               func() (any, error) { return solver.Refit(ended, a, s.Support, 1) },
			"FindMultipliers":     func() (any, error) { return solver.FindMultipliers(ended, matrix, 0, 2, 1, 3, 0) },
			"Encoder":             func() (any, error) { return baseline.Encoder(ended, a, s.Support, 1) },
			"LowRankStart":        func() (any, error) { return baseline.LowRankStart(ended, a, 2, 1) },
			"FPS":                 func() (any, error) { return baseline.FPS(ended, a, 1, .1, baseline.FPSParams{}) },
			"FPSPath":             func() (any, error) { return baseline.FPSPath(ended, a, 2, 1, baseline.FPSParams{}) },
			"Decoder":             func() (any, error) { return reconstruction.Decoder(ended, a, s.Support, s.Loadings, nil, 0) },
			"Describe": func() (any, error) {
				return reconstruction.Describe(ended, a, s.Support, s.Loadings, reconstruction.Question{})
			},
		} {
			if _, err := call(); !errors.Is(err, context.Canceled) {
				t.Errorf("%s of a %s: got the error %v, want that of the context", name, kind, err)
			}
		}
	}
}
