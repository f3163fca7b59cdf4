package selector

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
)

// takeRowWeights returns the rows without their column of weights and without those of weight 0, and the
// weights; nil where Options.Weight is "". It reads the rows once.
func (s *FSPCA) takeRowWeights(ctx context.Context, rows solver.Rows, names []string) (solver.Rows, []float64, error) {
	if s.Weight == "" {
		return rows, nil, nil
	}
	column := slices.IndexFunc(names, func(name string) bool { return dataset.SameName(name, s.Weight) })
	weights, err := s.readWeights(ctx, rows, column)
	if err != nil {
		return nil, nil, err
	}
	var place func(i int) string
	if named, ok := rows.(interface{ RowPlace(i int) string }); ok {
		place = named.RowPlace
	}
	if err := checkWeights(weights, s.Weight, place); err != nil {
		return nil, nil, err
	}
	rest := solver.Rows(&rowsWithout{Rows: rows, column: column})
	at, counts := counted(weights)
	if at != nil {
		if rest, err = solver.Drawn(rest, at); err != nil {
			return nil, nil, err
		}
	}
	return rest, plain(counts), nil
}

// readWeights reads one column of the rows.
func (s *FSPCA) readWeights(ctx context.Context, rows solver.Rows, column int) ([]float64, error) {
	n, d := rows.Dims()
	weights := make([]float64, 0, n)
	block := mat.NewDense(max(1, min(n, rowsAtOnce/d)), d, nil)
	for len(weights) < n {
		got, err := rows.Read(ctx, len(weights), block)
		if err != nil {
			return nil, err
		}
		if got < 1 {
			return nil, fmt.Errorf("fspca: the rows end after %d, want %d", len(weights), n)
		}
		for i := range got {
			weights = append(weights, block.At(i, column))
		}
		if s.Progress != nil {
			s.Progress(solver.Progress{Stage: StageRead, Iteration: 1, Start: len(weights), Starts: n})
		}
	}
	return weights, nil
}

// rowsAtOnce is how many numbers are read at a time where only one of each row is wanted.
const rowsAtOnce = 1 << 18

// rowsWithout are rows without one of their columns.
type rowsWithout struct {
	solver.Rows
	column int
	room   *mat.Dense
}

// Dims returns the number of rows and of columns.
func (r *rowsWithout) Dims() (n, d int) {
	n, d = r.Rows.Dims()
	return n, d - 1
}

// Read reads all columns, some rows at a time, and leaves one out.
func (r *rowsWithout) Read(ctx context.Context, from int, dst *mat.Dense) (int, error) {
	want, d := dst.Dims()
	if r.room == nil {
		r.room = mat.NewDense(max(1, rowsAtOnce/(d+1)), d+1, nil)
	}
	done := 0
	for done < want {
		part := r.room
		if left := want - done; left < part.RawMatrix().Rows {
			part = part.Slice(0, left, 0, d+1).(*mat.Dense)
		}
		got, err := r.Rows.Read(ctx, from+done, part)
		if err != nil {
			return done, err
		}
		if got < 1 {
			break
		}
		for i := range got {
			row, to := part.RawRowView(i), dst.RawRowView(done+i)
			copy(to, row[:r.column])
			copy(to[r.column:], row[r.column+1:])
		}
		done += got
	}
	return done, nil
}

// sampleStream draws from rows that are not in memory, so many draws in one pass.
func (s *FSPCA) sampleStream(ctx context.Context, rows solver.Rows, weights []float64, opt solver.StreamOptions, atOnce int) sampler {
	n, _ := rows.Dims()
	drawn := func(at []int, weights []float64) (solver.Covariance, error) {
		drawn, err := solver.Drawn(rows, at)
		if err != nil {
			return nil, err
		}
		a, _, _, err := s.streamData(ctx, drawn, weights, opt)
		return a, err
	}
	from := weighing(sampler{rows: n, bytes: sampleMemory}, weights, drawn)
	if weights != nil {
		return from
	}
	from.atOnce = atOnce
	from.together = func(draws [][]int) ([]solver.Covariance, []error, error) {
		streams, errs, err := solver.NewStreams(ctx, rows, draws, opt)
		if err != nil {
			return nil, nil, err
		}
		all := make([]solver.Covariance, len(streams))
		for i, a := range streams {
			if errs[i] == nil {
				all[i], _, _, errs[i] = s.streamScaled(a)
			}
		}
		return all, errs, nil
	}
	return from
}

// drawMemory is what one draw of the bootstrap takes: its A, the rows that come next, and their places.
func drawMemory(n, d int, o Options) int64 {
	bytes := 8*int64(d)*int64(d) + 8*int64(n) + 16<<20
	if o.Standardize {
		bytes += 8 * int64(d) * int64(d)
	}
	return bytes
}

// drawsAtOnce is how many draws are made in one pass over the rows.
func (s *FSPCA) drawsAtOnce(n, d int, bytes int64) int {
	one := drawMemory(n, d, s.Options)
	if bytes == 0 {
		bytes = one + sampleMemory
	} else {
		formed, _ := RowsMemory(n, d, s.Options)
		_, less := solver.LeastBlock(n, d)
		bytes = one + max(0, bytes-formed-less)
	}
	return int(max(1, min(int64(s.Bootstrap), bytes/one)))
}
