package solver

import (
	"fmt"
	"sort"

	"github.com/fspca/fspca/internal/kernel"
)

// entrySpan returns the rows of part i of parts with nearly equal numbers of
// entries.
func entrySpan(offsets []int64, parts, i int) (lo, hi int) {
	rows := len(offsets) - 1
	cut := func(i int) int {
		if i == parts {
			return rows
		}
		want := offsets[rows] / int64(parts) * int64(i)
		return sort.Search(rows, func(r int) bool { return offsets[r] >= want })
	}
	return cut(i), cut(i + 1)
}

// momentParts returns in how many pieces the entries of d columns are summed:
// more where there are enough of them per column to pay for adding the sums.
func momentParts(entries, d int) int {
	return max(1, min(8, entries/max(1, 4*d), entries>>14))
}

// checkEntries looks for entries that are not finite and for rows that are not
// in ascending order; the error is that of the first row with one.
func checkEntries(x kernel.Sparse) error {
	parts := max(1, min(8, x.Entries()>>14))
	errs := make([]error, parts)
	kernel.Parallel(parts, func(_, part int) {
		lo, hi := entrySpan(x.Offsets, parts, part)
		for i := lo; i < hi && errs[part] == nil; i++ {
			errs[part] = checkRow(x, i)
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func checkRow(x kernel.Sparse, i int) error {
	before := int32(-1)
	for p := x.Offsets[i]; p < x.Offsets[i+1]; p++ {
		j, v := x.Indices[p], x.Values[p]
		switch {
		case v-v != 0: // NaN or ±Inf
			return fmt.Errorf("the data: %w", &EntryError{Row: i, Col: int(j), Value: v, Reason: "want a finite number"})
		case j == before:
			return fmt.Errorf("the data: %w", &EntryError{Row: i, Col: int(j), Value: v, Reason: "the row has two entries in this column, want one"})
		case j < before:
			return fmt.Errorf("the data: %w", &EntryError{Row: i, Col: int(j), Value: v, Reason: fmt.Sprintf("it stands after column %d, want the columns of a row ascending", before)})
		}
		before = j
	}
	return nil
}

// columnSums are what one reading of the entries tells of each column.
type columnSums struct {
	count     []int32 // of entries
	low, high []float64
	sum       []float64
}

// sparseMoments returns the column means and the sums of squared deviations
// from them, in two readings of the entries. The zeros of column j, of which
// there are n − count_j, each deviate by its mean. The mean is corrected by
// the mean of the deviations, and the squares for the same. So both are right
// to a few units in the last place at any mean. A column whose n values are
// equal has its value as mean and exactly 0.
func sparseMoments(x kernel.Sparse) (mean, squares []float64) {
	n := x.Rows
	sums := sumColumns(x)
	mean = sums.sum
	for j := range mean {
		mean[j] /= float64(n)
	}
	sums.level(mean, n)
	squares, rest := deviations(x, mean)
	sums.correct(mean, squares, rest, func(j int) float64 { return float64(n - int(sums.count[j])) }, float64(n))
	return mean, squares
}

// level notes the zeros of n rows, and makes the mean of a column of equal values that value.
func (s *columnSums) level(mean []float64, n int) {
	for j := range mean {
		if int(s.count[j]) < n {
			s.low[j], s.high[j] = min(s.low[j], 0), max(s.high[j], 0)
		}
		if s.low[j] == s.high[j] {
			mean[j] = s.low[j]
		}
	}
}

// correct makes sums over the entries those over all rows, and about the mean that they show. All rows count
// mass, and those with a 0 in column j count zeros(j).
func (s *columnSums) correct(mean, squares, rest []float64, zeros func(j int) float64, mass float64) {
	for j, m := range mean {
		if s.low[j] == s.high[j] {
			squares[j] = 0
			continue
		}
		z := zeros(j)
		squares[j] += z * m * m
		rest[j] -= z * m
		r := rest[j] / mass
		mean[j] += r
		squares[j] = max(0, squares[j]-rest[j]*r)
	}
}

// weightedMoments is sparseMoments where rows count root² times, mass together.
func weightedMoments(x kernel.Sparse, root []float64, mass float64) (mean, squares []float64) {
	d := x.Cols
	sums := sumColumns(x)
	mean, squares = make([]float64, d), make([]float64, d)
	seen, rest := make([]float64, d), make([]float64, d)
	each := func(f func(j int32, w, v float64)) {
		for i, r := range root {
			for p := x.Offsets[i]; p < x.Offsets[i+1]; p++ {
				f(x.Indices[p], r*r, x.Values[p])
			}
		}
	}
	each(func(j int32, w, v float64) {
		seen[j] += w
		mean[j] += w / mass * v
	})
	sums.level(mean, x.Rows)
	each(func(j int32, w, v float64) {
		e := v - mean[j]
		squares[j] += w * e * e
		rest[j] += w * e
	})
	sums.correct(mean, squares, rest, func(j int) float64 {
		if int(sums.count[j]) < x.Rows {
			return mass - seen[j]
		}
		return 0
	}, mass)
	return mean, squares
}

// sumColumns reads the entries once. Columns without any have low = high = 0.
func sumColumns(x kernel.Sparse) *columnSums {
	d, parts := x.Cols, momentParts(x.Entries(), x.Cols)
	all := make([]*columnSums, parts)
	kernel.Parallel(parts, func(_, part int) {
		s := &columnSums{make([]int32, d), make([]float64, d), make([]float64, d), make([]float64, d)}
		lo, hi := entrySpan(x.Offsets, parts, part)
		values := x.Values[x.Offsets[lo]:x.Offsets[hi]]
		for p, j := range x.Indices[x.Offsets[lo]:x.Offsets[hi]] {
			v := values[p]
			if s.count[j] == 0 {
				s.low[j], s.high[j] = v, v
			}
			s.count[j]++
			s.low[j], s.high[j] = min(s.low[j], v), max(s.high[j], v)
			s.sum[j] += v
		}
		all[part] = s
	})
	first := all[0]
	for _, s := range all[1:] {
		for j, c := range s.count {
			switch {
			case c == 0:
				continue
			case first.count[j] == 0:
				first.low[j], first.high[j] = s.low[j], s.high[j]
			}
			first.count[j] += c
			first.low[j], first.high[j] = min(first.low[j], s.low[j]), max(first.high[j], s.high[j])
			first.sum[j] += s.sum[j]
		}
	}
	return first
}

// deviations returns Σ(v − mean_j)² and Σ(v − mean_j) over the entries v of each
// column.
func deviations(x kernel.Sparse, mean []float64) (squares, rest []float64) {
	d, parts := x.Cols, momentParts(x.Entries(), x.Cols)
	all := make([][2][]float64, parts)
	kernel.Parallel(parts, func(_, part int) {
		squares, rest := make([]float64, d), make([]float64, d)
		lo, hi := entrySpan(x.Offsets, parts, part)
		values := x.Values[x.Offsets[lo]:x.Offsets[hi]]
		for p, j := range x.Indices[x.Offsets[lo]:x.Offsets[hi]] {
			e := values[p] - mean[j]
			squares[j] += e * e
			rest[j] += e
		}
		all[part] = [2][]float64{squares, rest}
	})
	squares, rest = all[0][0], all[0][1]
	for _, s := range all[1:] {
		kernel.Axpy(1, s[0], squares)
		kernel.Axpy(1, s[1], rest)
	}
	return squares, rest
}
