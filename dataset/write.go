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

	"github.com/fspca/fspca/internal/files"
)

// WriteCSV writes a frame as comma-separated text with a header, the names of the rows first
// ([Frame.ID]) and the class last.
// Numbers are written in their shortest exact form, so that [ReadCSV] gives the
// same frame back if its options name the class and the categorical columns
// whose levels are all numbers. A missing cell is empty. Names and levels that
// would not come back are an error: one with space
// around it, a zero byte, or not in Unicode's form NFC; a level that has "\r\n" in
// it or is the same number as another; a name that has "\r" or a byte order mark.
func WriteCSV(w io.Writer, f *Frame) error { return writeDelimited(w, f, ',') }

// writeTSV writes a frame as WriteCSV does, between tabs.
func writeTSV(w io.Writer, f *Frame) error { return writeDelimited(w, f, '\t') }

func writeDelimited(w io.Writer, f *Frame, comma rune) error {
	if f == nil {
		return errors.New("there is no frame to write")
	}
	if files.Absent(w) {
		return files.ErrNoWriter
	}
	columns, err := csvOutputs(f, comma)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	for j, c := range columns {
		if j > 0 {
			out.WriteByte(byte(comma))
		}
		out.WriteString(c.name)
	}
	out.WriteByte('\n')
	var line []byte
	for i := range f.rows {
		line = line[:0]
		for j := range columns {
			if j > 0 {
				line = append(line, byte(comma))
			}
			line = columns[j].append(line, f, i)
		}
		if len(line) == 0 { // a blank line would not be read as a row
			line = append(line, `""`...)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

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
		c, j := &columns[i], i
		c.name = quoted[i]
		if f.ids != nil {
			j--
		}
		if j < 0 {
			if c.texts, err = quoteAll(f.ids, comma, func(string) bool { return true }); err != nil {
				return nil, err
			}
			continue
		}
		if j < len(f.cols) {
			c.place, c.factor = f.place[j], f.cols[j].Factor
		} else {
			c.factor = f.class
		}
		if c.factor == nil {
			continue
		}
		keys := make(map[string]bool, len(c.factor.Levels))
		if c.levels, err = quoteAll(c.factor.Levels, comma, func(s string) bool {
			key := levelKey(s)
			twice := keys[key]
			keys[key] = true
			return !twice && isClean(s) && !strings.Contains(s, "\r\n")
		}); err != nil {
			return nil, fmt.Errorf("column %q: %w", names[i], err)
		}
	}
	return columns, nil
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
		line = formatNumber(line, v)
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
			return nil, fmt.Errorf("%q cannot be written: it would not be read back as it is", s)
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

// WriteNPY writes the numbers of a frame as a NumPy array of float64 in C order, without names. A
// categorical column, a class or names of rows are an error, since the format has no place for them.
func WriteNPY(w io.Writer, f *Frame) error {
	if f == nil || f.x == nil || f.x.IsEmpty() {
		return errors.New("there are no numbers to write")
	}
	if files.Absent(w) {
		return files.ErrNoWriter
	}
	if _, d := f.x.Dims(); d < len(f.cols) || f.class != nil || f.ids != nil {
		return errors.New("an .npy file holds numbers only, not text, a class or names of rows: write CSV, or leave them out")
	}
	n, d := f.x.Dims()
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", n, d)
	const before = len(npyMagic) + 4                                 // with the version and the length
	header += strings.Repeat(" ", 63-(before+len(header))%64) + "\n" // so that the numbers start at a multiple of 64
	out := bufio.NewWriterSize(w, 1<<16)
	out.WriteString(npyMagic + "\x01\x00")
	out.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	out.WriteString(header)
	for i := range n {
		for _, v := range f.x.RawRowView(i) {
			out.Write(binary.LittleEndian.AppendUint64(out.AvailableBuffer(), math.Float64bits(v)))
		}
	}
	return out.Flush()
}
