package dataset

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// ReadOptions says how to read a file. The zero value reads a comma-separated
// file with a header and without a class.
type ReadOptions struct {
	// Label is the name of the class column; "" for none. It is categorical
	// whatever it holds, its text is kept ("1" and "01" differ, but "1.0" is "1"),
	// and none of its cells may be missing.
	Label string
	// Delimiter stands between cells; 0 is a tab for .tsv, else a comma. Runs of
	// spaces and tabs are [Whitespace].
	Delimiter rune
	// NoHeader says that the first line is data. The columns are then named
	// x1…xd, the label being one of them.
	NoHeader bool
	// Missing lists the texts that stand for a missing cell, as "NA"; space around
	// a cell does not matter, and numbers count by their value ("-999" is "-999.0"). An empty cell is always missing. Nothing else is by
	// default, so that no text vanishes unasked. For .npy, "NaN" makes NaN a
	// missing cell; otherwise it is an error.
	Missing []string
	// Drop names columns that are left out. Nothing about their cells matters. ""
	// is the column without a name.
	Drop []string
	// Only, unless nil, names the feature columns that are wanted; all others are
	// passed over as if dropped. It is an error if one of them is not there.
	Only []string
	// Categorical names columns that are categorical even if they hold numbers.
	Categorical []string
	// Numeric names columns that must be numbers: text in them is an error even if no
	// cell is a number. Those that are not there do not matter.
	Numeric []string
	// Decimal is the decimal sign of numbers in text, "." (or "") or ",".
	Decimal string
	// Thousands is what may group the digits of numbers in text by three: ".", ",",
	// " " (also the no-break and thin spaces), "'" or "_"; "" for nothing.
	Thousands string
	// Numbers lists other notations that are numbers in text: "percent" ("12.5%" is
	// 0.125) and "fortran" ("1.5D+03" and "1.5+103" are 1.5e3 and 1.5e103).
	Numbers []string
	// SkipRows is how many lines of a text to leave out at its start, before the
	// header.
	SkipRows int
	// SkipFooter is how many lines of a text to leave out at its end; blank lines do
	// not count.
	SkipFooter int
	// Comment is what lines of a text start with that are left out, as "#"; "" for
	// none. Space before it does not matter.
	Comment string
	// Base says whether the indices in an svmlight file count from 0 or 1.
	Base IndexBase
}

// Read reads a table from a file, by the ending of its name: .csv and .tsv
// (compressed by gzip or not, see [ReadCSV]) or .npy (see [ReadNPY]; its columns
// are named x1…xd). A file of sparse rows ([ReadSparse]) is read with every cell
// stored, if there are at most 2²⁸ of them.
func Read(path string, opt ReadOptions) (*Frame, error) {
	format, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	if IsSparseFile(path) {
		return readDense(path, opt)
	}
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	switch format {
	case ".npy":
		return readNPYFrame(file, path, opt)
	case ".tsv":
		if opt.Delimiter == 0 {
			opt.Delimiter = '\t'
		}
	}
	return ReadCSV(file, path, opt)
}

// readDense reads sparse rows as a table.
func readDense(path string, opt ReadOptions) (*Frame, error) {
	s, err := ReadSparse(path, opt)
	if err != nil {
		return nil, err
	}
	f, err := s.Dense()
	if err != nil {
		return nil, &ParseError{File: path, Err: err}
	}
	return f, nil
}

// formatOf returns the ending of a file's name that says what is in it.
func formatOf(path string) (string, error) {
	name := strings.ToLower(filepath.Base(path))
	switch format := filepath.Ext(strings.TrimSuffix(name, ".gz")); {
	case format == ".csv", format == ".tsv", format == ".npy" && strings.HasSuffix(name, ".npy"):
		return format, nil
	case slices.Contains(sparseFormats, format):
		return format, nil
	}
	return "", fmt.Errorf("%s: the format is not known by its name: want .csv, .tsv, .svm, .libsvm, .svmlight, .mtx (or one of these with .gz) or .npy", path)
}

// sizeLeft returns the number of bytes that r still has, if that is known.
func sizeLeft(r io.Reader) (int64, bool) {
	switch r := r.(type) {
	case interface{ Len() int }:
		return int64(r.Len()), true
	case *os.File:
		info, err := r.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0, false
		}
		at, err := r.Seek(0, io.SeekCurrent)
		if err != nil {
			return 0, false
		}
		return max(0, info.Size()-at), true
	}
	return 0, false
}

// keepColumns moves the columns of row-major data that are to be kept together,
// in place, and returns them as a matrix; nil if there are none.
func keepColumns(data []float64, width int, keep []int) *mat.Dense {
	if len(keep) == 0 || width == 0 || len(data) == 0 {
		return nil
	}
	rows := len(data) / width
	if len(keep) < width {
		to := 0
		for i := range rows {
			for _, j := range keep {
				data[to] = data[i*width+j]
				to++
			}
		}
	}
	return mat.NewDense(rows, len(keep), data[:rows*len(keep)])
}
