package dataset

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// WriteCSV writes a frame as comma-separated text with a header, the class last.
// Numbers are written in their shortest exact form, so that [ReadCSV] gives the
// same frame back if its options name the class and the categorical columns
// whose levels are all numbers. A missing cell is empty. Names and levels that
// would not come back are an error: one with space
// around it, a zero byte, or not in Unicode's form NFC; a level that has "\r\n" in
// it or is the same number as another; a name that has "\r" or a byte order mark.
func WriteCSV(w io.Writer, f *Frame) error {
	columns, err := csvOutputs(f)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	for j, c := range columns {
		if j > 0 {
			out.WriteByte(',')
		}
		out.WriteString(c.name)
	}
	out.WriteByte('\n')
	var line []byte
	for i := range f.rows {
		line = line[:0]
		for j := range columns {
			if j > 0 {
				line = append(line, ',')
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
}

// csvOutputs returns the columns of a frame, the class last.
func csvOutputs(f *Frame) ([]csvOutput, error) {
	names := f.Names()
	if f.class != nil {
		names = append(names, f.className)
	}
	if len(names) == 0 {
		return nil, errors.New("the frame has no columns to write")
	}
	quoted, err := quoteAll(names, func(s string) bool {
		_, separator := separatorLine(s)
		return isClean(s) && !strings.ContainsAny(s, "\r\ufeff") && !(separator && len(names) == 1)
	})
	if err != nil {
		return nil, err
	}
	columns := make([]csvOutput, len(names))
	for j := range columns {
		c := &columns[j]
		c.name = quoted[j]
		if j < len(f.cols) {
			c.place, c.factor = f.place[j], f.cols[j].Factor
		} else {
			c.factor = f.class
		}
		if c.factor == nil {
			continue
		}
		keys := make(map[string]bool, len(c.factor.Levels))
		if c.levels, err = quoteAll(c.factor.Levels, func(s string) bool {
			key := levelKey(s)
			twice := keys[key]
			keys[key] = true
			return !twice && isClean(s) && !strings.Contains(s, "\r\n")
		}); err != nil {
			return nil, fmt.Errorf("column %q: %w", names[j], err)
		}
	}
	return columns, nil
}

// isClean reports whether a name or level is one as files have it.
func isClean(s string) bool { return s != "" && cleanText(s) == s && !strings.Contains(s, "\x00") }

// append appends the text of a cell; none if it is missing.
func (c *csvOutput) append(line []byte, f *Frame, row int) []byte {
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
func quoteAll(texts []string, can func(string) bool) ([]string, error) {
	quoted := make([]string, len(texts))
	var b bytes.Buffer
	w := csv.NewWriter(&b)
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
