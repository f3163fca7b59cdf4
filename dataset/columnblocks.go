package dataset

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/lists"
)

// columnCells are those of a file of typed columns.
func (f *File) columnCells(ReadOptions) (rows, columns int, ok bool) {
	r, size, err := f.place()
	if err != nil {
		return 0, 0, false
	}
	file, err := f.format.columns(r, size)
	if err != nil {
		return 0, 0, false
	}
	return file.Rows(), len(file.Columns()), true
}

// columnBlocks copies the numbers of a file of typed columns to a temporary file, column by column.
func (f *File) columnBlocks(opt ReadOptions) (*Blocks, error) {
	t, err := f.openColumns(opt)
	if err != nil {
		return nil, err
	}
	file, ok := t.file.(ColumnSpiller)
	if !ok {
		return nil, fmt.Errorf("%s: %w", f.format.name, ErrNoBlocks)
	}
	return spillTo(func(spill spooled) (*Blocks, error) {
		b, err := f.spillColumns(t, file, spill, opt)
		if stopped := bounded.Err(f.ctx); stopped != nil {
			err = stopped
		}
		return b, err
	})
}

func (f *File) spillColumns(t *columnTable, file ColumnSpiller, spill spooled, opt ReadOptions) (*Blocks, error) {
	features := lists.At(t.numbers, t.features)
	declared := lists.Where(t.numbers, func(field int) bool { return t.declared[field] })
	x, factors, err := t.file.Read(declared, t.texts)
	if err != nil {
		return nil, err
	}
	markers, texts := newMarkers(t.opt.Missing), newCSVMarkers(t.opt.Missing, delimited.Notation{})
	absent := markers.apply(x, t.rounded(markers, declared)...)
	cols, class, err := t.columns(x, len(declared), factors, texts)
	if err != nil {
		return nil, err
	}
	rows := t.file.Rows()
	cells := &spilledCells{to: spill, rows: rows, counts: make([]int, len(features)), names: markers.names, markers: t.rounded(markers, features),
		seen: make([]bool, len(markers.numbers)), stop: func() error { return bounded.Err(f.ctx) }}
	err = file.Spill(features, cells.take)
	if cells.full != nil { // what each column says of it
		err = cells.full
	}
	if err != nil {
		return nil, err
	}
	reading := readingOf(columnReader, opt)
	b := &Blocks{name: f.name, rows: rows, numbers: numberFile{file: spill.File, closer: spill, header: nativeHeader(rows, len(features))},
		missing: missingMarkers{nan: true}, src: provenance{reading: &reading, notes: t.warnings}}
	b.numbers.header.columnMajor = true
	if opt.As == nil {
		b.src.notes = append(b.src.notes, t.absent(slices.DeleteFunc(absent, cells.saw), texts)...)
	}
	for _, c := range cols {
		b.addColumn(c.Name, c.Factor, t.opt)
	}
	if class != nil {
		b.className, b.class = t.opt.Label, class
	}
	if lists.Sum(cells.counts) == 0 {
		b.counts = cells.counts
	}
	return b, b.numbers.note()
}

// spilledCells writes cells to the temporary file.
type spilledCells struct {
	to      spooled
	rows    int
	names   []string         // of the markers
	markers []missingMarkers // as each column stores them
	stop    func() error     // why no more are to come

	mu     sync.Mutex
	full   error  // of the first writing that failed, after which nothing is written
	counts []int  // missing cells of the columns
	seen   []bool // of the markers
}

// take writes cells of column i from a row on, NaN for those that are missing.
func (s *spilledCells) take(i, row int, cells []float64) error {
	if err := s.stop(); err != nil {
		return err
	}
	seen := make([]bool, len(s.seen))
	missing := 0
	for p, v := range cells {
		if at := slices.Index(s.markers[i].numbers, v); at >= 0 {
			seen[at] = true
			v = math.NaN()
			cells[p] = v
		}
		if v != v {
			missing++
		}
	}
	s.mu.Lock()
	s.counts[i] += missing
	for at, is := range seen {
		s.seen[at] = s.seen[at] || is
	}
	full := s.full
	s.mu.Unlock()
	if full != nil {
		return full
	}
	if _, err := s.to.WriteAt(bytesOf(cells), 8*(int64(i)*int64(s.rows)+int64(row))); err != nil {
		return s.fill(errSpill(err))
	}
	return nil
}

// fill keeps the first error of writing, and returns it.
func (s *spilledCells) fill(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full == nil {
		s.full = err
	}
	return s.full
}

// saw reports whether a marker stands in the cells.
func (s *spilledCells) saw(name string) bool {
	i := slices.Index(s.names, name)
	return i >= 0 && s.seen[i]
}
