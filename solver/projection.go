package solver

import (
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// Projection maps rows of the k chosen columns to the m components, row ↦
// Vᵀ(row − mean). It is immutable and safe for concurrent use. A single row
// gives the same bytes as in a batch. The mean is subtracted before the
// product, so that a large mean loses no digits.
type Projection struct{ p *kernel.Projection }

// NewProjection returns the projection on the columns of v (k×m, copied). mean has
// length k; nil means 0. It panics unless v is a matrix and mean fits.
func NewProjection(v *mat.Dense, mean []float64) *Projection {
	return &Projection{kernel.NewProjection(kernel.Matrix(v.RawMatrix()), mean)}
}

// Project stores in dst (n×m) the components of the rows of x (n×k). If there are
// many rows it uses all processors; its speed is then near that of reading the
// memory. It panics if the shapes do not fit.
func (p *Projection) Project(dst, x *mat.Dense) {
	p.p.Project(kernel.Matrix(dst.RawMatrix()), kernel.Matrix(x.RawMatrix()))
}

// ProjectRow stores in dst (length m) the components of a row (length k). It
// allocates nothing, and panics if the lengths do not fit.
func (p *Projection) ProjectRow(dst, row []float64) { p.p.ProjectRow(dst, row) }
