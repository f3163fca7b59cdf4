package solver

import (
	"context"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// Route says in what form a covariance is worked with.
type Route string

// The routes.
const (
	RouteMatrix     Route = "matrix"     // A was given entry by entry
	RouteCovariance Route = "covariance" // d×d matrix A formed from the rows
	RouteGram       Route = "gram"       // n×n matrix of the rows' scalar products
	RouteImplicit   Route = "implicit"   // products with X alone
	RouteOther      Route = "operator"   // an implementation from outside
)

const (
	// explicitOrder is the smaller side of X up to which the square matrix of that
	// side costs no more than passes over X. Forming it takes n·d·min(n,d)
	// multiplications and additions. A fused pass with 16 columns takes 2·16 of
	// them per entry of X (4·16·n·d flop against 2·n·d·s). An implicit fit takes
	// about nine passes, of which some are half. A pass over n < d rows costs more
	// than one over as many numbers in a high table.
	explicitOrder = 560

	// covarianceOrder is the number of columns of n ≥ d rows up to which A is
	// formed for one fit: it then is decomposed directly, which gives the bound as
	// many pairs as it likes. Beyond, eight passes take two thirds of the time.
	covarianceOrder = directOrder
)

// explicit returns the same covariance with A formed, where that is formable, for
// work that takes many products with A or many of its eigenpairs. Forming it costs
// as much as d/64 fused passes over dense rows.
func explicit(a Covariance) Covariance {
	if subspace.Order(a) == 0 {
		return a
	}
	switch c := a.(type) {
	case *Data:
		if c.route == RouteCovariance || !formable(c.n, c.d) {
			return a
		}
		c.twinOnce.Do(func() {
			c.twin = &Data{rows: c.rows, route: RouteCovariance}
		})
		return c.twin
	case *Sparse:
		if c.route == RouteCovariance || !sparseFormable(c.x.Rows, c.x.Cols, c.x.Entries(), entrySquares(c.x)) {
			return a
		}
		c.twinOnce.Do(func() {
			c.twin = c.with(c.factor, c.diag, RouteCovariance)
		})
		return c.twin
	}
	return a
}

// formable reports whether explicit forms A of n×d rows: where it is no larger than
// X, or small and the Gram matrix is not.
func formable(n, d int) bool {
	return d <= n && d <= MaxEntriesOrder || n > explicitOrder && d <= decomposedOrder
}

// sparseFormable is formable for sparse rows, squares as in sparseRoute: where A
// is no larger than the rows would be with every cell stored, or small; and
// where it costs no more than some four hundred passes over the entries.
func sparseFormable(n, d, entries int, squares float64) bool {
	return (d <= n && d <= MaxEntriesOrder || d <= decomposedOrder) && squares/2 <= 1600*float64(entries)
}

// route returns the form in which a fit to n×d rows is cheapest.
func route(n, d int) Route {
	switch {
	case d <= n && d <= covarianceOrder:
		return RouteCovariance
	case n < d && n <= explicitOrder:
		return RouteGram
	}
	return RouteImplicit
}

// Route returns the form in which A is worked with for one fit, which the shape
// of X decides. A solution says which one it took: a greater effort and paths
// form an A of moderate order in any case.
func (c *Data) Route() Route { return c.route }

// formed returns A as a matrix where it is worked with as one, else nil.
func (c *Data) formed(ctx context.Context) (*matrix, error) {
	if c.Route() != RouteCovariance {
		return nil, nil
	}
	return c.form(ctx)
}

// leader is what our own operators offer beyond Covariance: leading pairs
// with residuals, and an earlier end once settled says that they suffice.
type leader interface {
	leading(ctx context.Context, r int, settled func(*spectral.Pairs) bool) (*spectral.Pairs, error)
}

// routed is a Covariance that knows its route.
type routed interface{ Route() Route }

func routeOf(a Covariance) Route {
	if r, ok := a.(routed); ok {
		return r.Route()
	}
	return RouteOther
}

// leading is Leading with residuals; see leader.
func (c *Data) leading(ctx context.Context, r int, settled func(*spectral.Pairs) bool) (*spectral.Pairs, error) {
	p, _, err := c.leadingBy(ctx, r, settled)
	return p, err
}

// leadingBy is leading, and returns what formed A on the way, nil if nothing did.
func (c *Data) leadingBy(ctx context.Context, r int, settled func(*spectral.Pairs) bool) (*spectral.Pairs, *switching, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	switch c.Route() {
	case RouteCovariance:
		a, err := c.form(ctx)
		if err != nil {
			return nil, nil, err
		}
		p, err := a.leading(ctx, r, settled)
		return p, nil, err
	case RouteGram:
		g, err := c.byGram(ctx, r)
		if err != nil {
			return nil, nil, err
		}
		return g.pairs(), nil, nil
	}
	settings := spectral.Settings{Converged: settled, Sketch: c.sketch()}
	s := c.newSwitching(r)
	if s == nil {
		p, err := krylov(ctx, c, r, settings)
		return p, nil, err
	}
	p, err := s.leading(ctx, r, settings)
	if s.formed == nil {
		s = nil
	}
	return p, s, err
}

// sketchStride and sketchRows say which rows make a first guess of the leading
// subspace, and from how many on it is worth a start.
const (
	sketchStride = 32
	sketchRows   = 48
)

// sketch returns the covariance of every 32nd row, up to its scale, or nil
// where these are few. Two products with it save one with A.
func (c *Data) sketch() spectral.Operator {
	rows := c.n / sketchStride
	if rows < sketchRows {
		return nil
	}
	s := &Data{rows: c.rows, route: RouteImplicit}
	s.x.Rows, s.x.Stride, s.n, s.reads = rows, sketchStride*c.x.Stride, rows, new(atomic.Int64)
	return s
}

func maxOf(values []float64) float64 {
	peak := math.Inf(-1)
	for _, v := range values {
		peak = max(peak, v)
	}
	return peak
}

// symmetric returns m, both of whose triangles are filled, as a SymDense
// that shares its numbers.
func symmetric(m kernel.Matrix) *mat.SymDense {
	return mat.NewSymDense(m.Rows, m.Data[:m.Rows*m.Stride])
}

// scaleAll multiplies every entry of m by f.
func scaleAll(m kernel.Matrix, f float64) {
	eachRow(m.Rows, m.Cols, func(i int) { floats.Scale(f, m.Row(i)) })
}

// finishRows turns XᵀT (d×c) into D·XᵀT/(n−1); factor is D's diagonal or nil.
func finishRows(out kernel.Matrix, n int, factor []float64) {
	f := 1 / float64(n-1)
	eachRow(out.Rows, out.Cols, func(j int) {
		g := f
		if factor != nil {
			g *= factor[j]
		}
		row := out.Row(j)
		for i, v := range row {
			row[i] = v * g
		}
	})
}

// eachRow calls body for the rows of a rows×cols matrix, on several threads where these are many numbers.
func eachRow(rows, cols int, body func(i int)) {
	if rows*cols < parallelWork {
		for i := range rows {
			body(i)
		}
		return
	}
	block := max(1, 1<<15/cols)
	kernel.Parallel((rows+block-1)/block, func(_, task int) {
		for i := task * block; i < min(rows, (task+1)*block); i++ {
			body(i)
		}
	})
}

// scaledRows returns a copy of m with row j multiplied by factor[j].
func scaledRows(m kernel.Matrix, factor []float64) kernel.Matrix {
	c := kernel.NewMatrix(m.Rows, m.Cols)
	for j, f := range factor {
		row := c.Row(j)
		for i, v := range m.Row(j) {
			row[i] = f * v
		}
	}
	return c
}
