package selector

import (
	"cmp"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// Memory returns the peak memory, in bytes, of a fit of data of this shape, beyond the data. It is
// that of solver.Memory and of the methods for comparison, weights and draws of Options.Bootstrap. If
// k or m is yet to be found, it is a guess. Every fit and path compares it with the free memory
// before it allocates much. If there is too little, the error is a failure of the machine, not of the
// data.
func Memory(s solver.Shape, o Options) int64 {
	o = o.guessed(s.Columns)
	s.Scaled = o.Standardize
	need := solver.Memory(s, solver.Params{
		Features: o.Features, Components: o.Components, Effort: solver.Effort(o.Effort), MemoryLimit: o.MemoryLimit, Tell: !o.Reconstruction,
	})
	square := 8 * int64(s.Columns) * int64(s.Columns)
	need = max(need, tables(s, o))
	switch {
	case o.Method == string(baseline.MethodConvexRelaxation) || o.Init == string(baseline.StartConvexRelaxation):
		need += 10 * square
	case o.Method == string(baseline.MethodBruteForce):
		need += square
	}
	if o.Weight != "" { // the rows without the weights, and those that they are multiplied by
		need += 2 * DataMemory(s)
	}
	if o.Bootstrap > 0 { // draws are copies of rows
		need += DataMemory(s) + need
	}
	return need
}

// guessed returns the options with numbers for k and m that are yet to be found among d columns.
func (o Options) guessed(d int) Options {
	const manyFeatures, manyComponents = 1000, 20
	o.Features = cmp.Or(o.Features, min(d, manyFeatures))
	o.Components = cmp.Or(o.Components, min(d, manyComponents, o.Features))
	return o
}

// decomposedOrder is the order up to which the search by reconstruction may decompose A as a whole.
const decomposedOrder = 1000

// tables returns what the figures of a choice, or the search by reconstruction, have in use; the factors
// are what was measured (TestMemoryOfFigures).
func tables(s solver.Shape, o Options) int64 {
	d := int64(max(0, min(s.Columns, 1<<27)))
	chosen := 8 * d * max(0, min(int64(o.Features), d))
	packing := min(8<<20, chosen)
	switch formed := s.Rows == 0 || s.Columns <= min(s.Rows, solver.MaxEntriesOrder); {
	case o.Criterion == CriterionReconstruction && formed && d <= decomposedOrder: // A, A², and A with its eigenvectors
		return 32*d*d + packing
	case o.Criterion == CriterionReconstruction && formed: // A and A²
		return 16*d*d + packing
	case o.Criterion == CriterionReconstruction:
		return 12*chosen + min(40<<20, 16*chosen)
	case o.Reconstruction: // A's columns of the chosen ones, and a factor of them
		return 2*chosen + packing
	}
	return 0
}

// DataMemory returns how many bytes data of this shape take.
func DataMemory(s solver.Shape) int64 {
	switch {
	case s.Sparse:
		return 12*int64(s.Entries) + 8*int64(s.Rows)
	case s.Rows == 0:
		return 8 * int64(s.Columns) * int64(s.Columns)
	}
	return 8 * int64(s.Rows) * int64(s.Columns)
}

// checkMemory returns an error if there is no memory for a fit of data of this shape. What
// EffortExact may take up to its limit is not needed for certain, and does not count.
func (o Options) checkMemory(s solver.Shape) error {
	if o.Effort == string(solver.EffortExact) {
		o.Effort = string(solver.EffortThorough)
	}
	return ours(memory.Check("the fit", Memory(s, o)))
}

func frameShape(f *dataset.Frame) solver.Shape {
	s := solver.Shape{Rows: f.Rows()}
	if x := f.Numeric(); x != nil {
		_, s.Columns = x.Dims()
	}
	return s
}

func sparseShape(s *dataset.Sparse) solver.Shape {
	return solver.Shape{Rows: s.Rows(), Columns: s.Columns(), Sparse: true, Entries: s.Entries()}
}
