package dataset

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/lists"
)

// WriteCSV writes a frame as comma-separated text with a header, the names of the rows first
// ([Frame.ID]) and the class last. Numbers are written in their shortest exact form.
// [ReadCSV] returns the same frame if its options name the class and the categorical columns
// whose levels are all numbers. A missing cell is empty. Names and levels that would be read
// differently are errors: with surrounding space, a zero byte, or not in Unicode's form NFC;
// a level that contains "\r\n" or is the same number as another; a name that contains "\r"
// or a byte order mark.
func WriteCSV(w io.Writer, f *Frame) error { return writeWhole(newCSVWriter, w, f) }

// newCSVWriter writes text as WriteCSV does.
func newCSVWriter(w io.Writer, _ int) (FrameWriter, error) { return newDelimitedWriter(w, ',') }

// newTSVWriter writes text as WriteCSV does, between tabs.
func newTSVWriter(w io.Writer, _ int) (FrameWriter, error) { return newDelimitedWriter(w, '\t') }

// delimitedWriter writes the rows of one frame after another as text.
type delimitedWriter struct {
	out    *bufio.Writer
	comma  rune
	header []byte // as it was written; nil before
	line   []byte
}

func newDelimitedWriter(w io.Writer, comma rune) (FrameWriter, error) {
	if files.Absent(w) {
		return nil, files.ErrNoWriter
	}
	return &delimitedWriter{out: bufio.NewWriterSize(w, 1<<16), comma: comma}, nil
}

// Write writes the rows of f, after the header if they are the first.
func (w *delimitedWriter) Write(f *Frame) error {
	columns, err := csvOutputs(f, w.comma)
	if err != nil {
		return err
	}
	if err := w.writeHeader(columns); err != nil {
		return err
	}
	for i := range f.rows {
		line := w.line[:0]
		for j := range columns {
			if j > 0 {
				line = append(line, byte(w.comma))
			}
			line = columns[j].append(line, f, i)
		}
		if len(line) == 0 { // a blank line would not be read as a row
			line = append(line, `""`...)
		}
		w.line = append(line, '\n')
		if _, err := w.out.Write(w.line); err != nil {
			return err
		}
	}
	return nil
}

// writeHeader writes the names of the columns once.
func (w *delimitedWriter) writeHeader(columns []csvOutput) error {
	names := lists.Map(columns, func(c csvOutput) string { return c.name })
	header := []byte(strings.Join(names, string(w.comma)) + "\n")
	if w.header != nil {
		if !bytes.Equal(header, w.header) {
			return errOtherColumns
		}
		return nil
	}
	w.header = header
	_, err := w.out.Write(header)
	return err
}

// Close writes what is left.
func (w *delimitedWriter) Close() error { return w.out.Flush() }

// csvOutput is a column on its way to a file.
type csvOutput struct {
	name   string // quoted
	place  int    // numeric: column of the matrix
	factor *Factor
	levels []string // quoted
	texts  []string // quoted: the names of the rows
}

// csvOutputs returns the columns of a frame, the class last.
func csvOutputs(f *Frame, comma rune) ([]csvOutput, error) {
	names := f.Names()
	if f.ids != nil {
		names = append([]string{f.idName}, names...)
	}
	if f.class != nil {
		names = append(names, f.className)
	}
	if len(names) == 0 {
		return nil, errors.New("the frame has no columns to write")
	}
	quoted, err := quoteAll(names, comma, func(s string) bool {
		_, separator := separatorLine(s)
		return isClean(s) && !strings.ContainsAny(s, "\r\ufeff") && !(separator && len(names) == 1)
	})
	if err != nil {
		return nil, err
	}
	columns := make([]csvOutput, len(names))
	for i := range columns {
		columns[i].name = quoted[i]
		if err := f.fillOutput(&columns[i], names[i], i, comma); err != nil {
			return nil, err
		}
	}
	return columns, nil
}

// fillOutput sets the cells of column i of the file.
func (f *Frame) fillOutput(c *csvOutput, name string, i int, comma rune) (err error) {
	j := i
	if f.ids != nil {
		j--
	}
	if j < 0 {
		c.texts, err = quoteAll(f.ids, comma, func(string) bool { return true })
		return err
	}
	if j < len(f.cols) {
		c.place, c.factor = f.place(j), f.cols[j].Factor
	} else {
		c.factor = f.class
	}
	if c.factor == nil {
		return nil
	}
	keys := make(map[string]bool, len(c.factor.Levels))
	if c.levels, err = quoteAll(c.factor.Levels, comma, func(s string) bool {
		key := levelKey(s)
		twice := keys[key]
		keys[key] = true
		return !twice && isClean(s) && !strings.Contains(s, "\r\n")
	}); err != nil {
		return fmt.Errorf("column %q: %w", name, err)
	}
	return nil
}

// isClean reports whether a name or level is one as files have it.
func isClean(s string) bool { return s != "" && cleanText(s) == s && !strings.Contains(s, "\x00") }

// append appends the text of a cell; none if it is missing.
func (c *csvOutput) append(line []byte, f *Frame, row int) []byte {
	if c.texts != nil {
		return append(line, c.texts[row]...)
	}
	if c.factor != nil {
		if code := c.factor.Codes[row]; code != Missing {
			line = append(line, c.levels[code]...)
		}
		return line
	}
	if v := f.x.At(row, c.place); !math.IsNaN(v) {
		line = delimited.AppendNumber(line, v)
	}
	return line
}

// quoteAll returns the texts as they stand in a file, quoted where they must be;
// an error if one cannot.
func quoteAll(texts []string, comma rune, can func(string) bool) ([]string, error) {
	quoted := make([]string, len(texts))
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = comma
	for i, s := range texts {
		if !can(s) {
			return nil, fmt.Errorf("%q cannot be written: it would not be read back as it is; change the text, or write .parquet", s)
		}
		b.Reset()
		if err := w.Write([]string{s}); err != nil {
			return nil, err
		}
		w.Flush()
		quoted[i] = strings.TrimSuffix(b.String(), "\n")
	}
	return quoted, nil
}

// WriteNPY writes the numbers of a frame as a NumPy array of float64 in C order, without names.
// Categorical columns, a class and row names are errors, since the format cannot hold them.
func WriteNPY(w io.Writer, f *Frame) error { return writeWhole(newNPYWriter, w, f) }

// npyWriter writes the rows of one frame after another as an array.
type npyWriter struct {
	out     *bufio.Writer
	rows    int // in all
	columns int // 0 before the header is written
}

func newNPYWriter(w io.Writer, rows int) (FrameWriter, error) {
	if files.Absent(w) {
		return nil, files.ErrNoWriter
	}
	return &npyWriter{out: bufio.NewWriterSize(w, 1<<16), rows: rows}, nil
}

// Write writes the rows of f, after the header if they are the first.
func (w *npyWriter) Write(f *Frame) error {
	if f.x == nil || f.x.IsEmpty() {
		return errors.New("there are no numbers to write")
	}
	n, d := f.x.Dims()
	if d < len(f.cols) || f.class != nil || f.ids != nil {
		return errors.New("an .npy file holds numbers only, not text, a class or names of rows: write CSV, or leave them out")
	}
	if w.columns == 0 {
		w.columns = d
		w.writeHeader()
	} else if w.columns != d {
		return errOtherColumns
	}
	for i := range n {
		for _, v := range f.x.RawRowView(i) {
			w.out.Write(binary.LittleEndian.AppendUint64(w.out.AvailableBuffer(), math.Float64bits(v)))
		}
	}
	_, err := w.out.Write(nil) // which tells of errors before
	return err
}

func (w *npyWriter) writeHeader() {
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", w.rows, w.columns)
	const before = len(npyMagic) + 4                                 // with the version and the length
	header += strings.Repeat(" ", 63-(before+len(header))%64) + "\n" // so that the numbers start at a multiple of 64
	w.out.WriteString(npyMagic + "\x01\x00")
	w.out.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	w.out.WriteString(header)
}

// Close writes what is left.
func (w *npyWriter) Close() error { return w.out.Flush() }
