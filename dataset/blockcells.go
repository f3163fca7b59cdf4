package dataset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// CheckComplete returns a *[MissingCellsError] if a number is missing, like that of
// a Frame. It reads the numbers unless that is known already.
func (b *Blocks) CheckComplete(ctx context.Context, what string) error {
	if b.counts == nil {
		if err := b.countMissing(ctx); err != nil {
			return err
		}
	}
	counts := missingCounts{counts: b.counts, rows: b.rows, first: b.first}
	return counts.err(what, b.names, b.RowPlace)
}

// RowPlace says where row i (from 0) is in the file, like that of a Frame.
func (b *Blocks) RowPlace(i int) string {
	if i < 0 || i >= b.rows {
		return fmt.Sprintf("row %d", i+1)
	}
	return b.src.place(b.src.row(i))
}

// countMissing counts the missing cells of an array.
func (b *Blocks) countMissing(ctx context.Context) error {
	d := len(b.names)
	if !b.missing.nan && len(b.missing.numbers) == 0 {
		b.counts = make([]int, d)
		return nil
	}
	counts := &missingCounts{counts: make([]int, d)}
	if err := b.eachRow(ctx, func(_ int, row []float64) { counts.add(row) }); err != nil {
		return err
	}
	b.counts, b.first = counts.counts, counts.first
	return nil
}

// missingCounts counts missing cells of rows that come one after another.
type missingCounts struct {
	counts []int // of the columns
	rows   int
	found  bool
	first  [2]int // row and column of the first
}

func (m *missingCounts) add(values []float64) {
	d := len(m.counts)
	for at := 0; at < len(values); at += d {
		for j, v := range values[at : at+d] {
			if v == v {
				continue
			}
			if !m.found {
				m.found, m.first = true, [2]int{m.rows, j}
			}
			m.counts[j]++
		}
		m.rows++
	}
}

// err returns a *[MissingCellsError] unless nothing is missing.
func (m *missingCounts) err(what string, names []string, place func(row int) string) error {
	e := &MissingCellsError{What: what, Rows: m.rows, Row: m.first[0] + 1, Place: place(m.first[0])}
	for j, count := range m.counts {
		if count > 0 {
			e.Columns, e.Counts = append(e.Columns, names[j]), append(e.Counts, count)
		}
	}
	if e.Columns == nil {
		return nil
	}
	e.Column = names[m.first[1]]
	return e
}

// FillMeans makes Read replace each missing cell by the mean of its column. It
// reads the numbers once. A column without any number is an error.
func (b *Blocks) FillMeans(ctx context.Context) error {
	d := len(b.names)
	count, first, sums, rest := make([]int, d), make([]float64, d), make([]float64, d), make([]float64, d)
	err := b.eachRow(ctx, func(_ int, row []float64) {
		for j, v := range row {
			if v != v {
				continue
			}
			if count[j]++; count[j] == 1 {
				first[j] = v
			}
			// Deviations from the first cell, summed as Neumaier does.
			e := v - first[j]
			s := sums[j] + e
			if math.Abs(sums[j]) >= math.Abs(e) {
				rest[j] += sums[j] - s + e
			} else {
				rest[j] += e - s + sums[j]
			}
			sums[j] = s
		}
	})
	if err != nil {
		return err
	}
	b.fill = make([]float64, d)
	var errs []error
	for j, n := range count {
		if n == 0 {
			errs = append(errs, fmt.Errorf("column %q has no cell that is not missing, so it has no mean: drop it", b.names[j]))
		}
		b.fill[j] = first[j] + (sums[j]+rest[j])/float64(n)
	}
	b.counts = make([]int, d)
	return errors.Join(errs...)
}

// OmitMissing leaves out the rows with a missing number and returns how many these
// are. It reads the numbers once, and stores 8 bytes for each row that is kept.
func (b *Blocks) OmitMissing(ctx context.Context) (left int, err error) {
	var kept []int
	err = b.eachRow(ctx, func(i int, row []float64) {
		if !slices.ContainsFunc(row, math.IsNaN) {
			kept = append(kept, i)
		}
	})
	if left = b.rows - len(kept); err != nil || left == 0 {
		return left, err
	}
	for j, c := range b.columns {
		b.columns[j].Factor = c.Factor.subset(kept)
	}
	b.class, b.ids = b.class.subset(kept), b.ids.subset(kept)
	b.src.rows, b.rows, b.counts = kept, len(kept), make([]int, len(b.names))
	return left, nil
}

// eachRow calls f with the rows, in order.
func (b *Blocks) eachRow(ctx context.Context, f func(i int, row []float64)) error {
	n, d := b.Dims()
	if d == 0 {
		return nil
	}
	x := mat.NewDense(min(n, max(1, npyChunk/d)), d, nil)
	for from := 0; from < n; {
		got, err := b.Read(ctx, from, x)
		if err != nil {
			return err
		}
		for i := range got {
			f(from+i, x.RawRowView(i))
		}
		from += got
	}
	return nil
}
