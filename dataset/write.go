package dataset

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// WriteCSV writes a frame as comma-separated text with a header, the class last.
// Numbers are written in their shortest exact form, so that [ReadCSV] gives the
// same frame back if its options name the class and the categorical columns
// whose levels are all numbers. A missing cell is empty. Names and levels that
// would not come back are an error: a level that is only space or has "\r\n" in
// it, a name that has "\r", a zero byte or a byte order mark.
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
	quoted, err := quoteAll(names, func(s string) bool { return !strings.ContainsAny(s, "\r\x00\ufeff") })
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
		if c.levels, err = quoteAll(c.factor.Levels, func(s string) bool { return strings.TrimSpace(s) != "" && !strings.Contains(s, "\r\n") }); err != nil {
			return nil, fmt.Errorf("column %q: %w", names[j], err)
		}
	}
	return columns, nil
}

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

// WriteFile writes a file as a whole or not at all: write fills a temporary file
// beside it, which is synced and then renamed to path, and removed if anything
// fails. An existing file keeps its permissions, and a symbolic link stays one. A
// path that is neither a file nor free, as a device or a pipe, is written
// directly.
func WriteFile(path string, write func(io.Writer) error) error {
	target := path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		target = resolved
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory: want a file name", path)
	case !info.Mode().IsRegular():
		return writeDirectly(target, write)
	}
	temporary, err := createBeside(target)
	if err != nil {
		return inPlaceOf(path, "", err)
	}
	renamed := false
	defer func() { // also after a panic of write
		if !renamed {
			temporary.Close()
			os.Remove(temporary.Name())
		}
	}()
	if info != nil {
		if err := temporary.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := writeBuffered(temporary, write); err != nil {
		return inPlaceOf(path, temporary.Name(), err)
	}
	if err := errors.Join(temporary.Sync(), temporary.Close()); err != nil {
		return inPlaceOf(path, temporary.Name(), err)
	}
	if err := os.Rename(temporary.Name(), target); err != nil {
		return inPlaceOf(path, "", err)
	}
	renamed = true
	syncDirectory(filepath.Dir(target))
	return nil
}

// createBeside makes a new file in the directory of path, with the permissions
// that any new file gets.
func createBeside(path string) (*os.File, error) {
	dir, name := filepath.Split(path)
	for {
		beside := fmt.Sprintf("%s.%s.%08x.tmp", dir, name, rand.Uint32())
		file, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// inPlaceOf says of an error of the temporary file, "" if it could not be made,
// what is the matter with path, the name that the caller knows.
func inPlaceOf(path, temporary string, err error) error {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &file):
		if temporary != "" && file.Path != temporary { // of another file, from inside write
			return err
		}
		if dir := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot write %s: there is no folder %s: %w", path, dir, file.Err)
		}
		return fmt.Errorf("cannot write %s: %w", path, file.Err)
	case errors.As(err, &link):
		return fmt.Errorf("cannot write %s: %w", path, link.Err)
	}
	return err
}

func writeBuffered(file *os.File, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(file, 1<<16)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

func writeDirectly(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(writeBuffered(file, write), file.Close())
}

// syncDirectory makes a rename in a directory last. Not all systems can sync a
// directory, and the file is whole in any case, so this cannot fail.
func syncDirectory(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}
