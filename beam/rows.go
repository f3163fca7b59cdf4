package beam

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/solver"
)

// numbers are the rows of a shard, as dataset.Blocks are.
type numbers interface {
	solver.Rows
	Names() []string
	Others() []dataset.Column
	Reading() dataset.Reading
	CheckComplete(ctx context.Context, what string) error
	OmitMissing(ctx context.Context) (left int, err error)
}

// frameRows are the rows of a table in memory.
type frameRows struct {
	frame *dataset.Frame
	none  bool // of the rows is left
}

// Dims returns the number of rows that are left and of columns of numbers.
func (r *frameRows) Dims() (n, d int) {
	if n = r.frame.Rows(); r.none {
		n = 0
	}
	return n, len(r.frame.NumericNames())
}

// Read stores rows from, from+1, … in dst and returns their number.
func (r *frameRows) Read(ctx context.Context, from int, dst *mat.Dense) (int, error) {
	n, _ := r.Dims()
	want, _ := dst.Dims()
	rows := max(0, min(want, n-from))
	for i := range rows {
		dst.SetRow(i, r.frame.Numeric().RawRowView(from+i))
	}
	return rows, ctx.Err()
}

// Names returns the names of the columns of numbers.
func (r *frameRows) Names() []string { return r.frame.NumericNames() }

// Reading returns how the table was read.
func (r *frameRows) Reading() dataset.Reading { return r.frame.Reading() }

// CheckComplete returns an error if a number is missing.
func (r *frameRows) CheckComplete(_ context.Context, what string) error {
	return r.frame.CheckComplete(what)
}

// Others returns the features that are categories.
func (r *frameRows) Others() []dataset.Column {
	return lists.Where(r.frame.Columns(), func(c dataset.Column) bool { return c.Factor != nil })
}

// OmitMissing leaves out the rows with a missing number and returns how many these are.
func (r *frameRows) OmitMissing(context.Context) (left int, err error) {
	kept := lists.Places(r.frame.Rows(), func(i int) bool { return !slices.ContainsFunc(r.frame.Numeric().RawRowView(i), math.IsNaN) })
	if left = r.frame.Rows() - len(kept); left > 0 && len(kept) > 0 {
		r.frame = r.frame.Subset(kept)
	}
	r.none = len(kept) == 0
	return left, nil
}

// permuted are rows with their columns in another order.
type permuted struct {
	solver.Rows
	from []int // the place of each column
	room *mat.Dense
}

// Read reads rows and puts their columns into the other order.
func (p *permuted) Read(ctx context.Context, from int, dst *mat.Dense) (int, error) {
	r, d := dst.Dims()
	if p.room == nil || p.room.RawMatrix().Rows != r {
		p.room = mat.NewDense(r, d, nil)
	}
	n, err := p.Rows.Read(ctx, from, p.room)
	for i := range max(0, n) {
		row, to := p.room.RawRowView(i), dst.RawRowView(i)
		for j, at := range p.from {
			to[j] = row[at]
		}
	}
	return n, err
}

// watched are rows that end when the job does: a runner need not tell its workers.
type watched struct {
	solver.Rows
	job *work
}

// Read reads rows unless the job has ended.
func (w *watched) Read(ctx context.Context, from int, dst *mat.Dense) (int, error) {
	if err := w.job.ended(ctx); err != nil {
		return 0, err
	}
	return w.Rows.Read(ctx, from, dst)
}

// open calls use with the rows of a shard, in the order of the job's columns, unless it has none.
func (w *work) open(ctx context.Context, s shard, use func(rows solver.Rows, reading dataset.Reading, omitted int) error) error {
	if err := w.unchanged(ctx, s); err != nil {
		return err
	}
	names, err := headerOf(ctx, s, w.Read)
	if err == nil {
		err = w.compare(s, names)
	}
	if errors.Is(err, dataset.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	opt := w.Read
	for {
		err := withFile(ctx, s.Path, s.Name, opt.Format, func(f *dataset.File) error {
			rows, closed, err := openNumbers(f, opt)
			if err != nil {
				return err
			}
			return errors.Join(w.use(ctx, s, rows, use), closed())
		})
		var text *dataset.TextError
		switch {
		case errors.Is(err, dataset.ErrNoRows):
			return nil
		case errors.As(err, &text) && opt.Numeric == nil: // read again, it says in which lines
			opt.Numeric = text.Columns
			continue
		case errors.As(err, &text):
			return mistakef("%s: %w", s.Name, err)
		}
		return err
	}
}

// openNumbers reads in blocks where the format can, else the whole.
func openNumbers(f *dataset.File, opt dataset.ReadOptions) (numbers, func() error, error) {
	b, err := f.Blocks(opt)
	if err == nil {
		return b, b.Close, nil
	}
	if !errors.Is(err, dataset.ErrNoBlocks) {
		return nil, nil, err
	}
	frame, err := f.Read(opt)
	if err != nil {
		return nil, nil, err
	}
	return &frameRows{frame: frame}, func() error { return nil }, nil
}

// use checks the rows of a shard and hands them on.
func (w *work) use(ctx context.Context, s shard, rows numbers, use func(solver.Rows, dataset.Reading, int) error) error {
	if err := w.checkNumbers(s, rows); err != nil {
		return err
	}
	omitted := 0
	if w.OmitMissing {
		var err error
		if omitted, err = rows.OmitMissing(ctx); err != nil {
			return err
		}
		if n, _ := rows.Dims(); n == 0 {
			return use(nil, rows.Reading(), omitted)
		}
	} else if err := rows.CheckComplete(ctx, "fit"); err != nil {
		return incomplete(s, err)
	}
	p, moved, err := w.inOrder(s, rows)
	if err != nil {
		return err
	}
	if !moved {
		return use(&watched{rows, w}, rows.Reading(), omitted)
	}
	return use(&watched{p, w}, rows.Reading(), omitted)
}

// checkNumbers returns an error if a feature is text.
func (w *work) checkNumbers(s shard, rows numbers) error {
	for _, c := range rows.Others() {
		if c.Name == w.Read.Label || c.Name == w.Read.ID || w.Read.ID != "" && c.Name == "id" {
			continue
		}
		example := ""
		if len(c.Factor.Levels) > 0 {
			example = c.Factor.Levels[0]
		}
		return mistakef("%s: column %q holds text (%q), and a fit takes numbers: leave it out (option drop)", s.Name, c.Name, example)
	}
	return nil
}

// incomplete says what to do about missing cells.
func incomplete(s shard, err error) error {
	var missing *dataset.MissingCellsError
	if errors.As(err, &missing) {
		missing.Cure = "leave the rows out (option omit_missing), or the columns (option drop)"
		return mistakef("%s: %w", s.Name, err)
	}
	return err
}

// inOrder puts the columns of a shard in the order of all, and reports whether that moves one.
func (w *work) inOrder(s shard, rows numbers) (p *permuted, moved bool, err error) {
	at := lists.Index(rows.Names())
	p = &permuted{Rows: rows, from: make([]int, len(w.Names))}
	for j, name := range w.Names {
		from, there := at[name]
		if !there {
			return nil, false, mistakef("%s: column %q is missing", s.Name, name)
		}
		p.from[j] = from
		moved = moved || from != j
	}
	return p, moved, nil
}

// compare returns an error that names the columns which a shard lacks or has beside those of the
// first one.
func (w *work) compare(s shard, names []string) error {
	var differs []string
	if lacks := lists.Without(w.Names, names); len(lacks) > 0 {
		differs = append(differs, "lacks "+words.Quoted(lacks, 5))
	}
	if beside := lists.Without(names, w.Names); len(beside) > 0 {
		differs = append(differs, "has "+words.Quoted(beside, 5)+" beside")
	}
	if differs == nil {
		return nil
	}
	return mistakef("%s %s: all shards have the columns of the first, in any order; leave out those that are not features (option drop)", s.Name, strings.Join(differs, " and "))
}
