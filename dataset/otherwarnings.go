package dataset

import (
	"context"
	"math"
	"slices"
)

// Warnings returns warnings of probable mistakes in sparse rows to be fitted, like that of a Frame.
func (s *Sparse) Warnings() []Warning {
	all := slices.Clone(s.src.notes)
	if text := manyClasses(s.className, s.class); text != "" {
		all = append(all, Warning{"W104", "class-per-row", text})
	}
	if s.rows >= 3 && s.rows == s.columns && s.symmetric() {
		all = append(all, Warning{"W103", "symmetric-table", symmetric(s.rows)})
	}
	return all
}

// Notes returns the warnings of the reader about the file.
func (s *Sparse) Notes() []Warning { return s.src.notes }

// symmetric reports whether the table equals its transpose.
func (s *Sparse) symmetric() bool {
	for i := range s.rows {
		columns, values := s.Row(i)
		for p, j := range columns {
			mirror, mirrored := s.Row(int(j))
			if at, ok := slices.BinarySearch(mirror, int32(i)); !ok || mirrored[at] != values[p] {
				return false
			}
		}
	}
	return len(s.indices) > 0
}

// lookedAt is how many rows of a table in blocks are looked at for what surely is a mistake.
const lookedAt = 1000

// Warnings returns warnings of probable mistakes in a table to be fitted, like that of a Frame: those
// of the reader, and those from the names, the first 1000 rows and the last row. All numbers are read
// again only if the last row seems to hold the sums of all others.
func (b *Blocks) Warnings(ctx context.Context) ([]Warning, error) {
	head, err := b.Frame(ctx, 0, min(b.rows, max(fewRows, min(lookedAt, 1+npyChunk/max(1, len(b.names))))))
	if err != nil {
		return nil, err
	}
	head.src.notes = b.src.notes
	all := slices.DeleteFunc(head.Warnings(), func(w Warning) bool {
		return w.Code == "W103" || w.Code == "W104" || w.Code == "W107"
	})
	if text := manyClasses(b.className, b.class); text != "" {
		all = append(all, Warning{"W104", "class-per-row", text})
	}
	text, err := b.totals(ctx, head)
	if err != nil {
		return nil, err
	}
	if text != "" {
		all = append(all, Warning{"W107", "totals-row", text})
	}
	return all, nil
}

// totals says that the last row sums up the others; "" where it does not.
func (b *Blocks) totals(ctx context.Context, head *Frame) (text string, err error) {
	if b.rows < fewRows {
		return "", nil
	}
	last, err := b.Frame(ctx, b.rows-1, 1)
	if err != nil {
		return "", err
	}
	if name := last.summaryName(0); name != "" {
		text = last.calledTotals(0, name)
	} else if b.mayBeTotals(head, last) {
		holds, err := b.lastIsTotals(ctx, last)
		if err != nil {
			return "", err
		}
		if holds {
			text = last.holdsTotals(0, "sums")
		}
	}
	return text, nil
}

// mayBeTotals reports whether the last row is within a factor of two of what the first rows would add
// up to.
func (b *Blocks) mayBeTotals(head, last *Frame) bool {
	if head.x == nil {
		return false
	}
	n, p := head.x.Dims()
	alike := 0
	for j := range p {
		sum, v := 0.0, last.x.At(0, j)
		for i := range n {
			if x := head.x.At(i, j); x == x {
				sum += x
			}
		}
		sum *= float64(b.rows) / float64(n)
		if v != v || sum == 0 {
			continue
		}
		if ratio := v / sum; !(ratio > 0.5 && ratio < 2) {
			return false
		}
		alike++
	}
	return alike >= 2
}

// lastIsTotals adds up all other rows.
func (b *Blocks) lastIsTotals(ctx context.Context, last *Frame) (bool, error) {
	sums, sizes := make([]float64, len(b.names)), make([]float64, len(b.names))
	err := b.eachRow(ctx, func(i int, row []float64) {
		if i == b.rows-1 {
			return
		}
		for j, v := range row {
			if v == v {
				sums[j] += v
				sizes[j] += math.Abs(v)
			}
		}
	})
	if err != nil {
		return false, err
	}
	for j, sum := range sums {
		if v := last.x.At(0, j); v == v && math.Abs(v-sum) > 2e-3*sizes[j]/float64(b.rows-1) {
			return false, nil
		}
	}
	return true, nil
}
