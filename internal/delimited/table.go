package delimited

import (
	"runtime"
	"slices"
	"sort"
	"sync"

	"github.com/fspca/fspca/internal/memory"
)

// A Table is what was read.
type Table struct {
	Rows   int
	Values []float64 // row-major: Rows × the columns of numbers; NaN where Texts has a text
	Codes  [][]int32 // of the columns of text: indices into Texts, −1 for a missing cell
	Texts  [][]string
	// What was wrong with the lines of the text. After a SyntaxError or Err nothing
	// was read.
	Ragged   []Run
	Syntax   *SyntaxError
	Err      error
	Broken   bool // Err is none of the text: what was read may be garbage
	Carriage int  // the first line with a carriage return inside a cell, 0 for none
	Zero     int  // the first line with a zero byte in a text, 0 for none

	starts Lines
	layout *layout
}

// A lineStart says that from a row on, lines follow each other.
type lineStart struct{ row, line int }

// Lines say where the rows of a text are in it.
type Lines []lineStart

// Lines returns where the rows are; it holds nothing else of the table.
func (t *Table) Lines() Lines { return slices.Clone(t.starts) }

// Line returns the line on which a row starts, from 1.
func (t *Table) Line(row int) int { return t.starts.Line(row) }

// Line returns the line on which a row starts, from 1; 0 where it is not known.
func (l Lines) Line(row int) int {
	i := sort.Search(len(l), func(i int) bool { return l[i].row > row })
	if i == 0 {
		return 0
	}
	s := l[i-1]
	return s.line + row - s.row
}

// A merger puts blocks together in their order.
type merger struct {
	*Table
	source *Source
	number int // blocks begun
	read   sync.Mutex

	mu      sync.Mutex
	turn    *sync.Cond
	next    int // the block to be committed
	copying int // blocks on their way into Values
	stopped bool
	line    int // of the start of the next block
	room    int // rows for which there is memory
	merged  []*dictionary

	spill func(values []float64) error // takes the numbers; nil: they go to Values
}

// mostRagged is how many runs of lines with a wrong number of cells are listed before the reading
// ends.
const mostRagged = 1 << 16

// mostWorkers is how many goroutines parse at once: more only wait for their
// turn.
const mostWorkers = 32

// Read reads the rest of the text.
func (s *Source) Read(form Format, plan Plan) *Table { return s.read(form, plan, nil) }

// Spill reads the rest of the text as Read does, but hands the numbers of one row
// after another to take instead of keeping them: Values stays empty.
// An error of take is that of the table.
func (s *Source) Spill(form Format, plan Plan, take func(values []float64) error) *Table {
	return s.read(form, plan, take)
}

func (s *Source) read(form Format, plan Plan, spill func([]float64) error) *Table {
	l := plan.layout(form.compile())
	m := &merger{Table: &Table{layout: l}, source: s, line: s.line, spill: spill}
	m.turn = sync.NewCond(&m.mu)
	m.merged = make([]*dictionary, l.numbers+l.texts)
	m.Codes = make([][]int32, l.texts)
	workers := min(runtime.GOMAXPROCS(0), mostWorkers)
	if s.eof && len(s.text()) <= s.size {
		workers = 1
	}
	var wait sync.WaitGroup
	for range workers {
		wait.Go(m.work)
	}
	wait.Wait()
	if spill == nil {
		m.Values = m.Values[:m.Rows*l.numbers]
	}
	for k := range m.Codes {
		m.Codes[k] = m.Codes[k][:m.Rows]
	}
	m.Texts = make([][]string, len(plan.Columns))
	for i, d := range m.merged {
		if d != nil {
			m.Texts[l.columnOf(i)] = d.texts
		}
	}
	if m.Err == nil && (m.Syntax == nil || s.broken() != nil) {
		m.Err, m.Broken = s.err, s.broken() != nil
		if long, ok := m.Err.(*LongError); ok && long.Line == 0 {
			long.Line = m.line
		}
	}
	return m.Table
}

// columnOf returns the place in Plan.Columns of a dictionary.
func (l *layout) columnOf(dictionary int) int {
	if dictionary < l.numbers {
		return l.byNumber[dictionary]
	}
	return l.byText[dictionary-l.numbers]
}

// work reads, parses and commits blocks until there are none.
func (m *merger) work() {
	b := &block{scanner: scanner{format: m.layout.format}}
	for m.take(b) {
		b.parse(m.layout)
		m.commit(b)
	}
}

// take reads the next block.
func (m *merger) take(b *block) bool {
	m.read.Lock()
	defer m.read.Unlock()
	m.mu.Lock()
	if m.number%blocksBetweenChecks == blocksBetweenChecks-1 {
		m.stop(m.checkFree())
	}
	stopped := m.stopped
	m.mu.Unlock()
	if stopped || !m.source.next(b, m.layout.format) {
		return false
	}
	b.number = m.number
	m.number++
	return true
}

// While a table is read, there has to be some memory left: texts take it beside the cells.
const (
	blocksBetweenChecks = 32
	leastFree           = 32 << 20
)

// checkFree returns an error if there is too little memory left. Numbers that are
// spilled take none, and beside them what nobody uses may be all that is in the way.
func (m *merger) checkFree() error {
	if m.spill == nil {
		return memory.Check("reading the table", leastFree)
	}
	err := memory.Check("reading the table", leastFree/32)
	if err != nil {
		runtime.GC()
		err = memory.Check("reading the table", leastFree/32)
	}
	return err
}

// stop ends the reading with an error, if there is one. The caller holds mu.
func (m *merger) stop(err error) {
	if err != nil && m.Err == nil {
		m.Err, m.stopped = err, true
	}
}

// commit puts a block into the table when its turn has come.
func (m *merger) commit(b *block) {
	m.mu.Lock()
	for m.next != b.number {
		m.turn.Wait()
	}
	first, skip := m.Rows, m.stopped
	if !skip {
		m.addMistakes(b)
		m.addLines(b)
		m.reserve(b)
		if skip = m.Err != nil; !skip {
			m.mergeTexts(b)
			m.Rows += b.rows
			if m.spill != nil {
				m.stop(m.spill(b.values))
			}
		}
	}
	m.next++
	m.copying++
	m.turn.Broadcast()
	m.mu.Unlock()
	if !skip {
		if m.spill == nil {
			copy(m.Values[first*m.layout.numbers:], b.values)
		}
		for k, codes := range m.Codes {
			for i := range b.rows {
				codes[first+i] = b.codes[i*m.layout.texts+k]
			}
		}
	}
	m.mu.Lock()
	m.copying--
	m.turn.Broadcast()
	m.mu.Unlock()
}

// addMistakes takes over what is wrong with the lines of a block.
func (m *merger) addMistakes(b *block) {
	for _, r := range b.ragged {
		r.First, r.Last, r.Row = r.First+m.line, r.Last+m.line, r.Row+m.Rows
		m.Ragged = withRun(m.Ragged, r)
	}
	if len(m.Ragged) > mostRagged { // it is no table
		m.stopped = true
	}
	if b.carried >= 0 && m.Carriage == 0 {
		m.Carriage = m.line + b.carried
	}
	if b.zeroAt >= 0 && m.Zero == 0 {
		m.Zero = m.line + b.zeroAt
	}
	if b.err != nil {
		m.Syntax = &SyntaxError{b.err.Line + m.line, b.err.Err}
		m.stopped = true
	}
}

// addLines takes over where the rows of a block are.
func (m *merger) addLines(b *block) {
	for i := 0; i < len(b.starts); i += 2 {
		row, line := m.Rows+b.starts[i], m.line+b.starts[i+1]
		if n := len(m.starts); n > 0 && m.starts[n-1].line+row-m.starts[n-1].row == line {
			continue
		}
		m.starts = append(m.starts, lineStart{row, line})
	}
	m.line += b.line
}
