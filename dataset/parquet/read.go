package parquet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/internal/parallel"
)

// together is how many columns are read side by side: their cells in a row of the matrix then share
// a line of the cache, and only their pages are held at a time.
const together = 8

// blockRows is how many rows of a group of columns are written before the next group of rows.
const blockRows = 1024

// Read reads columns as numbers and as texts; see dataset.Columns.
func (f *file) Read(numbers, texts []int) (x []float64, factors []*dataset.Factor, err error) {
	defer guard(&err)
	if err := f.verify(append(append([]int(nil), numbers...), texts...)); err != nil {
		return nil, nil, err
	}
	x = memory.Numbers(f.rows * len(numbers))
	factors = make([]*dataset.Factor, len(texts))
	var tasks []func() error
	for g := range len(f.starts) - 1 {
		for at := 0; at < len(numbers); at += together {
			part := numbers[at:min(at+together, len(numbers))]
			tasks = append(tasks, func() error { return f.readNumbers(x, len(numbers), at, g, part) })
		}
	}
	for i, j := range texts {
		tasks = append(tasks, func() (err error) {
			factors[i], err = f.readTexts(j)
			return err
		})
	}
	if err := runAll(tasks); err != nil {
		return nil, nil, err
	}
	return x, factors, nil
}

// Spill hands over columns of numbers page by page; see dataset.ColumnSpiller. Only the pages of as
// many columns as there are processors are in memory at a time.
func (f *file) Spill(numbers []int, take func(i, row int, cells []float64) error) (err error) {
	defer guard(&err)
	if err := f.verify(numbers); err != nil {
		return err
	}
	var tasks []func() error
	for g := range len(f.starts) - 1 {
		for i, j := range numbers {
			tasks = append(tasks, func() error {
				return f.spillChunk(g, &f.columns[j], func(row int, cells []float64) error { return take(i, row, cells) })
			})
		}
	}
	return runAll(tasks)
}

// spillChunk hands over the pages of a column in a row group.
func (f *file) spillChunk(group int, column *column, take func(row int, cells []float64) error) error {
	c := f.cursor(group, column)
	defer c.close()
	for end := f.starts[group+1]; c.row < end; {
		if err := c.refill(); err != nil {
			return err
		}
		cells := c.values[:min(len(c.values), end-c.row)]
		if err := take(c.row, cells); err != nil {
			return err
		}
		c.row += len(cells)
	}
	return nil
}

// runAll runs tasks on all processors and returns their errors, as told does, in the order of the tasks.
func runAll(tasks []func() error) error {
	errs := make([]error, len(tasks))
	parallel.Each(context.Background(), len(tasks), 0, func(i int) error {
		errs[i] = guarded(tasks[i])
		return nil // the others may have errors too
	})
	return told(errs)
}

func guarded(task func() error) (err error) {
	defer guard(&err)
	return task()
}

// readNumbers reads columns of a row group to their places in the rows of x, from column at on.
func (f *file) readNumbers(x []float64, stride, at, group int, columns []int) error {
	cursors := make([]*cursor, len(columns))
	for i, j := range columns {
		cursors[i] = f.cursor(group, &f.columns[j])
		defer cursors[i].close()
	}
	for row, end := f.starts[group], f.starts[group+1]; row < end; row += blockRows {
		n := min(blockRows, end-row)
		for i, c := range cursors {
			if err := c.copyTo(x[row*stride+at+i:], stride, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// cursor goes through the cells of a column in a row group.
type cursor struct {
	file   *file
	column *column
	pages  parquet.Pages
	page   parquet.Page
	row    int // of the file, the next
	table  parquet.Dictionary
	words  []float64 // of the dictionary
	buffer []float64
	values []float64 // cells of the page that are yet to be copied
}

func (f *file) cursor(group int, c *column) *cursor {
	return &cursor{file: f, column: c, pages: f.in.RowGroups()[group].ColumnChunks()[c.leaf].Pages(), row: f.starts[group]}
}

func (c *cursor) close() {
	c.release()
	c.pages.Close()
}

func (c *cursor) release() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
}

// nextPage reads the next page that has cells.
func (c *cursor) nextPage() error {
	for {
		c.release()
		page, err := c.readPage()
		if c.page = page; err == nil && page.NumValues() == 0 {
			continue
		}
		if err == io.EOF {
			return &columnError{column: c.column.name, err: fmt.Errorf("the file is damaged: it has no cell for row %d", c.row+1)}
		}
		own, ownErr := c.ownPage()
		switch {
		case ownErr != nil:
			return &columnError{column: c.column.name, err: ownErr}
		case own != nil: // the library, which may have failed to decode it, stands behind it
			c.release()
			c.page = own
		case err != nil:
			return &columnError{column: c.column.name, err: fmt.Errorf("the file is damaged: %w", err)}
		}
		return nil
	}
}

// readPage reads the next page by the library; its decoder of gzip panics where there is nothing to decode.
func (c *cursor) readPage() (page parquet.Page, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("reading it as Parquet failed: %v", p)
		}
	}()
	return c.pages.ReadPage()
}

// copyTo copies the next n cells to every stride-th number of dst.
func (c *cursor) copyTo(dst []float64, stride, n int) error {
	for at := 0; n > 0; {
		for len(c.values) == 0 {
			if err := c.refill(); err != nil {
				return err
			}
		}
		m := min(n, len(c.values))
		for _, v := range c.values[:m] {
			dst[at] = v
			at += stride
		}
		c.values = c.values[m:]
		c.row += m
		n -= m
	}
	return nil
}

// noCells are cells that are missing.
var noCells = slices.Repeat([]float64{math.NaN()}, blockRows)

// refill makes the cells of the next page numbers.
func (c *cursor) refill() error {
	if c.column.kind == nothing {
		c.values = slices.Clone(noCells) // who takes cells may change them
		return nil
	}
	if err := c.nextPage(); err != nil {
		return err
	}
	values, err := c.present()
	if err == nil {
		c.values, err = spread(values, c.page, math.NaN())
	}
	if err != nil {
		return &columnError{column: c.column.name, err: err}
	}
	return nil
}

// spread puts a missing cell between the values of a page where its levels say that there is none.
func spread[T any](values []T, page parquet.Page, missing T) ([]T, error) {
	levels := page.DefinitionLevels()
	if len(levels) == 0 {
		if int64(len(values)) != page.NumValues() {
			return nil, fmt.Errorf("the file is damaged: a page has %d of %d values", len(values), page.NumValues())
		}
		return values, nil
	}
	cells, next := make([]T, len(levels)), 0
	if len(values) == len(levels) { // each is there
		if slices.Contains(levels, 0) {
			return nil, errLevels
		}
		return values, nil
	}
	for i, level := range levels {
		if level == 0 {
			cells[i] = missing
			continue
		}
		if next == len(values) {
			return nil, errLevels
		}
		cells[i] = values[next]
		next++
	}
	if next != len(values) {
		return nil, errLevels
	}
	return cells, nil
}

var errLevels = errors.New("the file is damaged: a page has another number of values than its levels say")
