package selector

import (
	"context"
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"math"
	"strings"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/transformer"
)

// PCA is dense principal component analysis: FSPCA with k = d. It yields the m components pc1…pcm
// of the table's columns, centred at their means, by descending variance. The entry of largest
// magnitude of each direction is positive. All columns of the table must be numeric and complete,
// and all are needed again in Transform. It is a transformer.Transformer.
//
// It is in this package, and not in transformer, because it needs the solver.
type PCA struct {
	// Components is m. If it is 0, Target or ParallelAnalysis says how many there are; see Options.
	Components       int
	Target           float64
	ParallelAnalysis bool
	// Whiten divides each component by its standard deviation in the table of Fit (over n − 1). A
	// component without variance stays as it is: 0.
	Whiten bool

	state *pcaState // nil before Fit; replaced as a whole, never changed
}

var _ transformer.Transformer = (*PCA)(nil)

// pcaState is a fitted PCA: an FSPCA of all columns that yields the outputs, and what each is divided
// by, nil for nothing.
type pcaState struct {
	selection *FSPCA
	scale     []float64
}

func newPCAState(selection *FSPCA, whiten bool) *pcaState {
	if !whiten {
		return &pcaState{selection: selection}
	}
	return &pcaState{selection, lists.Map(selection.state.outputs, func(c column) float64 {
		if v := selection.Model().variances[c.at]; v > 0 {
			return math.Sqrt(v)
		}
		return 1
	})}
}

// pcaError is an error of the engine in the words of this step.
type pcaError struct{ err error }

// Error has this step's name at the beginning of each line.
func (e *pcaError) Error() string {
	return strings.TrimPrefix(strings.ReplaceAll("\n"+e.err.Error(), "\nfspca", "\npca"), "\n")
}

// Unwrap gives what errors.Is and errors.As look into.
func (e *pcaError) Unwrap() error { return e.err }

func inPCA(err error) error {
	if err == nil {
		return nil
	}
	return &pcaError{err}
}

// Fit is FitContext without a limit.
func (p *PCA) Fit(grid base.FixedDataGrid) error { return p.FitContext(context.Background(), grid) }

// FitContext finds the components of grid. The class, if any, is not looked at. A categorical column,
// a missing cell, more components than columns, fewer than two rows and a table in which no column
// varies are errors; the step is then as it was.
func (p *PCA) FitContext(ctx context.Context, grid base.FixedDataGrid) error {
	f, err := dataset.FromGrid(grid)
	if err != nil {
		return fmt.Errorf("pca: %w", err)
	}
	d := len(f.Columns())
	if p.Target == 0 && !p.ParallelAnalysis && d > 0 && (p.Components < 1 || p.Components > d) {
		return fmt.Errorf("pca: cannot make %s of %s: want 1 to %d", words.Count(p.Components, "component"), words.Count(d, "column"), d)
	}
	s := New(Options{Features: d, Components: p.Components, ComponentsTarget: p.Target, ParallelAnalysis: p.ParallelAnalysis, Output: Projection})
	if err := s.FitContext(ctx, f); err != nil {
		return inPCA(err)
	}
	p.state = newPCAState(s, p.Whiten)
	return nil
}

// Model returns what was fitted, as a selection of all columns; nil before Fit.
func (p *PCA) Model() *Model {
	if p.state == nil {
		return nil
	}
	return p.state.selection.Model()
}

// Transform yields the components of grid, and its class.
func (p *PCA) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	s := p.state
	if s == nil {
		return nil, inPCA(notFitted())
	}
	out, err := s.selection.Transform(grid)
	if err != nil {
		return nil, inPCA(err)
	}
	f := out.(*dataset.Frame)
	if s.scale == nil {
		return f, nil
	}
	var y mat.Dense
	y.Apply(func(_, j int, v float64) float64 { return v / s.scale[j] }, f.Numeric())
	return dataset.Assemble(&y, f.Columns(), f.ClassName(), f.Class())
}

// Inputs returns the names of the columns that Transform needs: all that were fitted. Nil before Fit.
func (p *PCA) Inputs() []string {
	if p.state == nil {
		return nil
	}
	return p.state.selection.Inputs()
}

// Outputs returns the names of the components, pc1 and so on; nil before Fit.
func (p *PCA) Outputs() []string {
	if p.state == nil {
		return nil
	}
	return p.state.selection.Outputs()
}

// Narrow returns a copy for the named components alone. It still needs all columns.
func (p *PCA) Narrow(outputs []string) (transformer.Transformer, error) {
	if p.state == nil {
		return nil, inPCA(notFitted())
	}
	narrow, err := p.state.selection.Narrow(outputs)
	if err != nil {
		return nil, inPCA(err)
	}
	out := *p
	out.state = newPCAState(narrow.(*FSPCA), p.state.scale != nil)
	return &out, nil
}
