package solver

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// formed returns A as a matrix where it was formed, else nil.
func (c *Stream) formed() *matrix {
	if c.source == nil || c.scatter.Rows == 0 {
		return nil
	}
	c.forming.Lock()
	defer c.forming.Unlock()
	if c.entries == nil {
		full := c.scatter
		if c.columns != nil || c.factor != nil || c.moments.exponents != nil {
			full = c.scaledScatter()
		}
		c.entries = &matrix{full: full, a: symmetric(full), diag: c.diag, route: RouteCovariance}
	}
	return c.entries
}

// scaledScatter returns A of the operator's columns.
func (c *Stream) scaledScatter() kernel.Matrix {
	factor := make([]float64, c.d)
	for j := range factor {
		factor[j] = 1
		if c.factor != nil {
			factor[j] = c.factor[j]
		}
		factor[j] = c.moments.unscaled(j, factor[j])
	}
	full := kernel.NewMatrix(c.d, c.d)
	for i := range c.d {
		from, to := c.scatter.Row(at(c.columns, i)), full.Row(i)
		for j := range to {
			to[j] = from[at(c.columns, j)] * factor[i] * factor[j]
		}
	}
	return full
}

// Entries returns A itself, where it was formed.
func (c *Stream) Entries(ctx context.Context) (*mat.SymDense, error) {
	if a := c.formed(); a != nil {
		return a.a, nil
	}
	if c.d == 0 {
		return nil, errNoColumn
	}
	if c.d > MaxEntriesOrder {
		return nil, fmt.Errorf("order %d: %w", c.d, ErrTooLarge)
	}
	all := lists.Upto[int](c.d)
	return c.Block(ctx, all)
}
