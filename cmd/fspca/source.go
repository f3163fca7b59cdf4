package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/transformer"
)

// source is what DATA of fit and path holds: one of the three.
type source struct {
	covariance mat.Symmetric
	names      []string // of its columns
	sparse     *dataset.Sparse
	frame      *dataset.Frame

	blocks *dataset.Blocks // what is larger than the memory
	bytes  int64           // that its fit may take
	close  func() error    // nil for nothing
}

// read reads DATA. The largest k is 0 where it is yet to be found.
func (f *fitFlags) read(cmd *cobra.Command, path string, largest int) (*source, error) {
	if f.covariance {
		a, names, err := f.data.readCovariance(cmd.Context(), path)
		if err != nil {
			return nil, err
		}
		return &source{covariance: a, names: names}, nil
	}
	file, opt, err := f.data.open(cmd.Context(), path)
	if err != nil {
		return nil, err
	}
	opt.NumbersOnly = true
	keepOpen := false
	defer func() {
		if !keepOpen {
			file.Close()
		}
	}()
	if file.Sparse() {
		return f.readSparse(cmd, path, file, opt)
	}
	d, err := f.readBlocks(cmd, path, file, opt, largest)
	if err != nil {
		return nil, err
	}
	if d != nil {
		keepOpen = d.blocks != nil
		return d, nil
	}
	return f.readTable(cmd, path, file, opt)
}

// readSparse reads rows that stay sparse.
func (f *fitFlags) readSparse(cmd *cobra.Command, path string, file *dataset.File, opt dataset.ReadOptions) (*source, error) {
	if f.impute != "" || f.omitMissing {
		return nil, at(path, errors.New("--impute and --omit-missing do not apply to sparse rows: a cell that is not there is 0"))
	}
	if f.memory.bytes != 0 && f.memory.inBlocks(file, opt, nil) {
		return nil, at(path, tooSmall(fmt.Errorf("sparse rows: %w", dataset.ErrNoBlocks)))
	}
	table, err := file.ReadSparse(opt)
	if err != nil {
		return nil, err
	}
	if err := f.data.say(cmd, path, table.Warnings()); err != nil {
		return nil, err
	}
	return &source{sparse: table}, nil
}

// readTable reads a table of numbers into memory.
func (f *fitFlags) readTable(cmd *cobra.Command, path string, file *dataset.File, opt dataset.ReadOptions) (*source, error) {
	frame, err := file.Read(opt)
	if err != nil {
		return nil, err
	}
	return f.completedTable(cmd, path, frame, frame.Warnings())
}

// completedTable is a table in memory without missing cells.
func (f *fitFlags) completedTable(cmd *cobra.Command, path string, frame *dataset.Frame, found []dataset.Warning) (*source, error) {
	if err := f.data.say(cmd, path, found); err != nil {
		return nil, err
	}
	if text := frame.CategoricalNames(); len(text) > 0 {
		c := frame.Factor(text[0])
		if len(text) == 1 && len(c.Levels) == frame.Rows() && f.data.ID == "" {
			return nil, at(path, fmt.Errorf("fit takes numbers only, but column %q holds a different text in each row (%q): if it names the rows, say --id %s, else leave it out with --drop %s", text[0], example(c), text[0], text[0]))
		}
		return nil, at(path, fmt.Errorf("%w; try %s", notNumbers(text, example(c)), proposal(frame, text, &f.data)))
	}
	frame, err := f.complete(cmd, path, frame)
	if err != nil {
		return nil, err
	}
	return &source{frame: frame}, nil
}

// notNumbers is the error for columns of text, of which an example is given.
func notNumbers(columns []string, example string) error {
	it := words.Of(len(columns), "it", "them")
	return fmt.Errorf("fit takes numbers only, but %s text (%q in %q); leave %s out with --drop, or one-hot encode %s in a pipeline",
		holds(columns), example, columns[0], it, it)
}

// example returns a text of a column, "" if all of its cells are missing.
func example(c *dataset.Factor) string {
	if len(c.Levels) == 0 {
		return ""
	}
	return c.Levels[0]
}

// complete fills missing cells or leaves rows out, as the flags say.
func (f *fitFlags) complete(cmd *cobra.Command, path string, frame *dataset.Frame) (*dataset.Frame, error) {
	switch {
	case f.impute != "":
		if f.Options.Weight != "" { // a weight is not to be guessed
			if weight, err := frame.Pick([]string{f.Options.Weight}); err != nil {
				return nil, at(path, fmt.Errorf("--weight: %w", err))
			} else if err := weight.CheckComplete("--weight"); err != nil {
				return nil, at(path, err)
			}
		}
		filled, err := transformer.FitTransform(&transformer.Impute{Strategy: f.impute}, frame)
		if err != nil {
			return nil, at(path, err)
		}
		full, err := dataset.FromGrid(filled)
		if err != nil {
			return nil, at(path, err)
		}
		return full.WithSource(frame), nil
	case f.omitMissing:
		rows := completeRows(frame)
		left := frame.Rows() - len(rows)
		if err := f.tellOmitted(cmd, path, left, frame.Rows()); err != nil {
			return nil, err
		}
		if left > 0 {
			return frame.Subset(rows), nil
		}
	}
	return frame, withCure(path, frame.CheckComplete("fit"))
}

// tellOmitted says how many of all rows were left out. It is an error if none is left.
func (f *fitFlags) tellOmitted(cmd *cobra.Command, path string, left, all int) error {
	switch left {
	case 0:
		return nil
	case all:
		return at(path, errors.New("every row has a missing cell: --omit-missing would leave none; use --impute, or drop the columns that are mostly missing"))
	}
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), "fspca: %s: %s of %d with missing cells left out\n", shown(path), words.Count(left, "row"), all)
	return cli.Failed(err)
}

// withCure says of missing cells what the flags can do about them.
func withCure(path string, err error) error {
	var missing *dataset.MissingCellsError
	if errors.As(err, &missing) {
		missing.Cure = "fill them with --impute mean, leave the rows out with --omit-missing, or the columns with --drop"
	}
	return at(path, err)
}

// completeRows returns the rows of which no number is missing.
func completeRows(f *dataset.Frame) []int {
	return lists.Places(f.Rows(), func(i int) bool { return !slices.ContainsFunc(f.Numeric().RawRowView(i), math.IsNaN) })
}

// shape is the size of the table.
func (d *source) shape() solver.Shape {
	switch {
	case d.covariance != nil:
		return solver.Shape{Columns: len(d.names)}
	case d.sparse != nil:
		return solver.Shape{Rows: d.sparse.Rows(), Columns: d.sparse.Columns(), Sparse: true, Entries: d.sparse.Entries()}
	}
	if d.blocks != nil {
		n, columns := d.blocks.Dims()
		return solver.Shape{Rows: n, Columns: columns}
	}
	_, columns := d.frame.Numeric().Dims()
	return solver.Shape{Rows: d.frame.Rows(), Columns: columns}
}

// columns are the names of the columns.
func (d *source) columns() []string {
	switch {
	case d.covariance != nil:
		return d.names
	case d.sparse != nil:
		return lists.Make(d.sparse.Columns(), d.sparse.Name)
	case d.blocks != nil:
		return d.blocks.Names()
	}
	return d.frame.NumericNames()
}

func (d *source) fit(ctx context.Context, s *selector.FSPCA) error {
	switch {
	case d.covariance != nil:
		return s.FitCovariance(ctx, d.covariance, d.names)
	case d.sparse != nil:
		return s.FitSparse(ctx, d.sparse)
	case d.blocks != nil:
		return s.FitRows(ctx, d.blocks, d.blocks.Names(), d.rowsMemory())
	}
	return s.FitContext(ctx, d.frame)
}

func (d *source) path(ctx context.Context, s *selector.FSPCA, points selector.Points) ([]*selector.Model, error) {
	switch {
	case d.covariance != nil:
		return s.PathCovariance(ctx, d.covariance, d.names, points)
	case d.sparse != nil:
		return s.PathSparse(ctx, d.sparse, points)
	case d.blocks != nil:
		return s.PathRows(ctx, d.blocks, d.blocks.Names(), d.rowsMemory(), points)
	}
	return s.Path(ctx, d.frame, points)
}
