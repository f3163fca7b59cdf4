package selector

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/transformer"
)

// StageRead is the stage of progress while rows are read in blocks. Iteration is the pass, from 1.
// Start, of Starts, is the number of rows that are done in it.
const StageRead solver.Stage = "read"

// FitRows chooses among the columns of rows that need not be in memory, such as a dataset.Blocks. Nil names
// stand for x1…xd. The choice is that of FitMatrix, up to rounding; see solver.Stream for how often the
// rows are read. Bytes is the memory that the fit may take, 0 for any. If it is too little, an error says
// how much is needed before anything is read. ParallelAnalysis is an error, since it needs all rows in
// memory. If bytes do not hold A, options that would read the rows very often are errors too: an effort or
// method other than "ipu" and "go", Bootstrap, Decoder, and the criterion "reconstruction"; Reconstruction
// then has no effect. Bootstrap reads the rows once more for as many draws as bytes hold matrices A. Weight
// reads them twice more, and both together twice for each draw.
func (s *FSPCA) FitRows(ctx context.Context, rows solver.Rows, names []string, bytes int64) error {
	return s.fit(ctx, func() (*table, error) { return s.openStream(ctx, rows, names, bytes, s.Features) })
}

// PathRows is Path for rows that need not be in memory; see FitRows.
func (s *FSPCA) PathRows(ctx context.Context, rows solver.Rows, names []string, bytes int64, points Points) ([]*Model, error) {
	return s.path(ctx, points, func(s *FSPCA) (*table, error) { return s.openStream(ctx, rows, names, bytes, points.largest()) })
}

// FitStream chooses among the columns of a covariance whose rows were summed before (solver.Sums), such
// as parts of a table on other machines. Reading says how they were read. Nil names stand for x1…xd. The
// choice is that of FitRows, with the same errors if A was not formed. Bootstrap is an error, since
// there are no rows to draw.
func (s *FSPCA) FitStream(ctx context.Context, a *solver.Stream, names []string, reading dataset.Reading) error {
	return s.fit(ctx, func() (*table, error) { return s.openSums(a, names, reading) })
}

// CheckColumns returns the errors with which FitStream refuses columns of these names before it
// looks at their covariance; nil if there are none.
func CheckColumns(names []string, o Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	s := &FSPCA{Options: o}
	names, err := s.checkHeader(names, 0, len(names))
	if err != nil {
		return err
	}
	if o.Weight != "" {
		err = errors.New("fspca: weights apply to rows, but only the sums of the rows are given")
	}
	if o.Bootstrap > 0 {
		err = errors.Join(err, errors.New("fspca: bootstrap draws rows, but only the sums of the rows are given"))
	}
	if what := o.many(); what != "" && len(names) > solver.MaxEntriesOrder {
		err = errors.Join(err, fmt.Errorf("fspca: %s needs very many products, and each is a pass over all rows: leave columns out until there are at most %d, or do without it", what, solver.MaxEntriesOrder))
	}
	_, wrong := o.params(names)
	return errors.Join(o.rowsNeeded(), err, wrong)
}

// openSums takes a covariance whose rows are elsewhere.
func (s *FSPCA) openSums(a *solver.Stream, names []string, reading dataset.Reading) (*table, error) {
	if a == nil || a.Order() == 0 {
		return nil, errors.New("fspca: there is no covariance")
	}
	names, err := s.checkHeader(names, a.Rows(), a.Order())
	if err == nil {
		err = CheckColumns(names, s.Options)
	}
	if err != nil {
		return nil, err
	}
	a, flat, scale, err := s.streamScaled(a)
	if err != nil {
		return nil, inColumns(err, names)
	}
	t := s.streamTable(a, names, flat, scale)
	t.reading = reading
	return t, nil
}

// checkHeader returns the names of d columns.
func (s *FSPCA) checkHeader(names []string, n, d int) ([]string, error) {
	if d < 1 {
		return nil, errors.New("fspca: the table has no feature column")
	}
	header, err := headerOf(names, d)
	if err != nil {
		return nil, err
	}
	return header.Names(), s.checkSizes(d, n)
}

// headerOf returns a table with d columns of these names, which it checks.
func headerOf(names []string, d int) (*dataset.Frame, error) {
	f, err := dataset.New(names, mat.NewDense(1, d, nil))
	return f, ours(err)
}

// openStream reads the rows once. The largest k is 0 where it is yet to be found.
func (s *FSPCA) openStream(ctx context.Context, rows solver.Rows, names []string, bytes int64, largest int) (*table, error) {
	if rows == nil {
		return nil, errors.New("fspca: there are no rows to read")
	}
	names, n, d, err := s.streamHeader(rows, names)
	if err != nil {
		return nil, err
	}
	room := s.Options
	room.Features = largest
	keep, block, err := room.streamRoom(n, d, bytes)
	if err != nil {
		return nil, err
	}
	reading, _ := rows.(interface{ Reading() dataset.Reading })
	rows, weights, err := s.takeRowWeights(ctx, rows, names)
	if err != nil {
		return nil, err
	}
	if s.Weight != "" {
		names = slices.DeleteFunc(names, func(name string) bool { return dataset.SameName(name, s.Weight) })
		n, _ = rows.Dims()
	}
	opt := s.streamOptions(keep, block)
	a, flat, scale, err := s.streamData(ctx, rows, weights, s.opening(opt))
	if err != nil {
		return nil, inColumns(err, names)
	}
	t := s.streamTable(a, names, flat, scale)
	t.weight = floats.Sum(weights)
	if reading != nil {
		t.reading = reading.Reading()
	}
	t.sampler = s.sampleStream(ctx, rows, weights, opt, s.drawsAtOnce(n, d, bytes))
	return t, nil
}

// streamOptions returns how rows are read of which so many bytes may be kept, in blocks of so many.
func (o Options) streamOptions(keep int64, block int) solver.StreamOptions {
	opt := solver.StreamOptions{Uncentered: o.Uncentered, Memory: keep, Block: block}
	if o.Progress != nil {
		opt.Progress = func(pass, done, rows int) {
			o.Progress(solver.Progress{Stage: StageRead, Iteration: pass, Start: done, Starts: rows})
		}
	}
	return opt
}

// opening returns the options with what is known beforehand of the first product that the fit takes.
func (s *FSPCA) opening(opt solver.StreamOptions) solver.StreamOptions {
	if s.ComponentsTarget == 0 && !s.ParallelAnalysis && len(s.Exclude) == 0 {
		opt.Components, opt.Standardize = s.Components, s.Standardize
	}
	return opt
}

// streamHeader returns the names of the columns, and the numbers of rows and of columns to choose from.
func (s *FSPCA) streamHeader(rows solver.Rows, names []string) (all []string, n, d int, err error) {
	n, d = rows.Dims()
	if s.Weight == "" {
		all, err = s.checkHeader(names, n, d)
		return all, n, d, err
	}
	if d < 2 {
		return nil, 0, 0, errors.New("fspca: the table has no feature column beside the weights")
	}
	header, err := headerOf(names, d)
	if err != nil {
		return nil, 0, 0, err
	}
	if _, err := header.Pick([]string{s.Weight}); err != nil {
		return nil, 0, 0, fmt.Errorf("fspca: weight: %w", err)
	}
	return header.Names(), n, d - 1, s.checkSizes(d-1, n)
}

// streamTable is the table of rows that are not in memory.
func (s *FSPCA) streamTable(a *solver.Stream, names []string, flat []int, scale []float64) *table {
	t := &table{a: a, names: names, rows: a.Rows(), constant: lists.At(names, flat), costly: a.Route() != solver.RouteCovariance}
	t.spread = func(support []int) *training {
		s := &training{}
		for _, j := range support {
			least, largest, mean, variance := a.Spread(j)
			s.Low, s.High = append(s.Low, least), append(s.High, largest)
			s.Mean, s.Variance = append(s.Mean, mean), append(s.Variance, variance)
		}
		return s
	}
	s.setAffine(t, a.Mean(), scale)
	return t
}

// flatOf returns the columns that are constant up to rounding.
func flatOf(a *solver.Stream) []int {
	return lists.Places(a.Order(), func(j int) bool {
		lo, hi, _, _ := a.Spread(j)
		return transformer.WithinRounding(lo, hi, 0)
	})
}

// streamData is denseData for rows that are read in blocks.
func (s *FSPCA) streamData(ctx context.Context, rows solver.Rows, weights []float64, opt solver.StreamOptions) (a *solver.Stream, flat []int, scale []float64, err error) {
	opt.Weights = weights
	if a, err = solver.NewStream(ctx, rows, opt); err != nil {
		return nil, nil, nil, err
	}
	return s.streamScaled(a)
}

// streamScaled divides the columns, if they are to be.
func (s *FSPCA) streamScaled(a *solver.Stream) (_ *solver.Stream, flat []int, scale []float64, err error) {
	flat = flatOf(a)
	if !s.scales(flat) {
		return a, flat, nil, nil
	}
	if scale, err = s.scaleOf(a.Diag(), flat); err != nil {
		return nil, nil, nil, err
	}
	a, err = a.Scaled(scale)
	return a, flat, scale, err
}
