package main

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

// verifiedCells is about how many cells of a table verify reads at once: 8 MB.
const verifiedCells = 1 << 20

// tableRows are the rows of a table, in memory or in blocks, from which verify computes.
type tableRows struct {
	names  []string
	n      int
	read   func(from int, dst *mat.Dense) (int, error) // as Blocks.Read
	weight int                                         // the column with the weights; −1 for none
}

// tableRows returns those of what was read. Frame is that of a table in memory.
func (d *source) tableRows(ctx context.Context, frame *dataset.Frame) *tableRows {
	if d.blocks != nil {
		n, _ := d.blocks.Dims()
		return &tableRows{names: d.blocks.Names(), n: n, weight: -1, read: func(from int, dst *mat.Dense) (int, error) { return d.blocks.Read(ctx, from, dst) }}
	}
	x := frame.Numeric()
	return &tableRows{names: frame.NumericNames(), n: frame.Rows(), weight: -1, read: func(from int, dst *mat.Dense) (int, error) {
		n, columns := x.Dims()
		count, _ := dst.Copy(x.Slice(from, n, 0, columns))
		return count, ctx.Err()
	}}
}

// without takes the column of the weights, if one has this name, from the others, and returns their names.
func (t *tableRows) without(weight string) []string {
	if t.weight = slices.IndexFunc(t.names, func(name string) bool { return dataset.SameName(name, weight) }); weight == "" || t.weight < 0 {
		t.weight = -1
		return t.names
	}
	return slices.Delete(slices.Clone(t.names), t.weight, t.weight+1)
}

// pass calls f with one block of rows after another, and their weights.
func (t *tableRows) pass(f func(x *mat.Dense, weights []float64)) error {
	block := mat.NewDense(min(t.n, max(1, verifiedCells/len(t.names))), len(t.names), nil)
	for from := 0; from < t.n; {
		n, err := t.read(from, block)
		if err != nil {
			return err
		}
		from += n
		x := block.Slice(0, n, 0, len(t.names)).(*mat.Dense)
		if t.weight < 0 {
			f(x, nil)
			continue
		}
		weights, rest := mat.Col(nil, t.weight, x), mat.NewDense(n, len(t.names)-1, nil)
		for i := range n {
			rest.SetRow(i, slices.Delete(slices.Clone(x.RawRowView(i)), t.weight, t.weight+1))
		}
		f(rest, weights)
	}
	return nil
}
