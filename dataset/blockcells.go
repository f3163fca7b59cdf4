package dataset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// FillMeans makes Read give the mean of the column for each missing cell, as an
// imputation by means does. It reads the numbers once. A column without any cell
// is an error.
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
// are. It reads the numbers once, and keeps 8 bytes for each row that stays.
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
	for j, c := range b.others {
		codes := make([]int32, len(kept))
		for p, i := range kept {
			codes[p] = c.Factor.Codes[i]
		}
		b.others[j].Factor = &Factor{Levels: c.Factor.Levels, Codes: codes}
	}
	b.kept, b.rows, b.counts = kept, len(kept), make([]int, len(b.names))
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

// loadKept is load for the rows that were kept, where some were left out.
func (b *Blocks) loadKept(ctx context.Context, from, rows int, dst *mat.Dense) (wrong bool, err error) {
	if b.kept == nil {
		return b.load(ctx, from, rows, dst)
	}
	_, d := dst.Dims()
	for i := 0; i < rows; {
		run := 1
		for i+run < rows && b.kept[from+i+run] == b.kept[from+i]+run {
			run++
		}
		bad, err := b.load(ctx, b.kept[from+i], run, dst.Slice(i, i+run, 0, d).(*mat.Dense))
		if err != nil {
			return false, err
		}
		wrong = wrong || bad
		i += run
	}
	return wrong, nil
}
