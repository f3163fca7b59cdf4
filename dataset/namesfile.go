package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// readNames reads a file with a name in each line, or with several fields between tabs: an
// identifier, and then the name that people use, as in the features.tsv of gene expression. That
// second field is the name where no other line has it, and the first otherwise. Blank lines at the
// end do not count.
func readNames(path string, opt ReadOptions) ([]string, error) {
	f, err := OpenContext(opt.ctx, path, "csv")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, _, err := openText(f.stream(), opt)
	if err != nil {
		return nil, &ParseError{File: path, Err: err}
	}
	var first, second []string
	count := map[string]int{}
	err = lines.each(func(line []byte) error {
		if !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 {
			return fmt.Errorf("%q is not text in UTF-8", clip(string(line)))
		}
		id, rest, _ := strings.Cut(string(line), "\t")
		name, _, _ := strings.Cut(rest, "\t")
		first, second = append(first, cleanText(id)), append(second, cleanText(name))
		count[second[len(second)-1]]++
		return nil
	})
	if err != nil {
		return nil, &ParseError{File: path, Line: lines.line, Err: err}
	}
	for len(first) > 0 && first[len(first)-1] == "" {
		first = first[:len(first)-1]
	}
	for i := range first {
		if name := second[i]; name != "" && count[name] == 1 {
			first[i] = name
		}
	}
	return first, nil
}

// axes are the names of a matrix in a file: of its rows and its columns there. Nil where none are
// known.
type axes struct{ rows, columns []string }

// namesOfAxes reads the files with the names of a rows×columns matrix: those that the options name,
// or for a Matrix Market file those beside it.
func namesOfAxes(path string, rows, columns int, market bool, opt ReadOptions) (axes, error) {
	var a axes
	var errs []error
	column, row := &a.columns, &a.rows // of the table
	columnCount, rowCount := columns, rows
	if opt.Transpose {
		column, row, columnCount, rowCount = row, column, rows, columns
	}
	var err error
	if opt.Names != "" {
		*column, err = countedNames("names", opt.Names, columnCount, "columns", opt)
		errs = append(errs, err)
	}
	if opt.ID != "" {
		*row, err = countedNames("id", opt.ID, rowCount, "rows", opt)
		errs = append(errs, err)
	}
	if market && path != "" {
		errs = append(errs, a.findBeside(path, rows, columns, opt))
	}
	if err := errors.Join(errs...); err != nil {
		return axes{}, err
	}
	if err := checkNames(*column); err != nil {
		return axes{}, fmt.Errorf("names of the columns: %w", err)
	}
	return a, nil
}

// countedNames is readNames for a file that an option names, with a name for each of count rows or columns.
func countedNames(option, path string, count int, what string, opt ReadOptions) ([]string, error) {
	names, err := readNames(path, opt)
	if err == nil && len(names) != count {
		err = fmt.Errorf("%s (option %s) has %s, and the table has %d %s", path, option, words.Count(len(names), "name"), count, what)
	}
	return names, err
}

// besideNames are the files that hold the names of a Matrix Market file, and whether they are those
// of its rows.
var besideNames = []struct {
	names     []string
	rowsFirst bool
}{{[]string{"features.tsv", "genes.tsv"}, true}, {[]string{"barcodes.tsv"}, false}}

// FilesBeside returns the files in the same folder that [Read] also reads: those with the names of
// rows and columns of a Matrix Market file. Nil if there are none.
func FilesBeside(path string) []string {
	if FormatByName(path) != "mtx" {
		return nil
	}
	var all []string
	for _, kind := range besideNames {
		if file, err := besideFile(path, kind.names); err == nil && file != "" {
			all = append(all, file)
		}
	}
	return all
}

// findBeside reads features.tsv (or genes.tsv) and barcodes.tsv beside a Matrix Market file: by
// convention the features are the rows of the file and the barcodes its columns. What counts is
// which of the two they are as many as.
func (a *axes) findBeside(path string, rows, columns int, opt ReadOptions) error {
	for _, kind := range besideNames {
		file, err := besideFile(path, kind.names)
		if file == "" || err != nil {
			return err
		}
		list, err := readNames(file, opt)
		if err != nil {
			return err
		}
		fitsRows, fitsColumns := len(list) == rows && a.rows == nil, len(list) == columns && a.columns == nil
		switch {
		case fitsRows && (kind.rowsFirst || !fitsColumns):
			a.rows = list
		case fitsColumns:
			a.columns = list
		case a.rows == nil || a.columns == nil:
			return fmt.Errorf("%s beside the file has %d names, and the matrix has %d rows and %d columns: give the right file (option names), or move this one away", file, len(list), rows, columns)
		}
	}
	return nil
}

// besideFile returns the first file of these names, compressed or not, in the folder of path; also
// with what stands before "matrix.mtx" in the name of path.
func besideFile(path string, names []string) (string, error) {
	dir, base := filepath.Split(path)
	prefix, _, ok := strings.Cut(base, "matrix.mtx")
	if !ok {
		prefix = ""
	}
	for _, name := range names {
		for _, ending := range []string{"", ".gz"} {
			file := dir + prefix + name + ending
			info, err := os.Stat(file)
			if err == nil && info.Mode().IsRegular() {
				return file, nil
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
	}
	return "", nil
}
