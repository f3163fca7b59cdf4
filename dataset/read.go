package dataset

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// ReadOptions says how to read a file. The zero value reads a comma-separated
// file with a header and without a class.
type ReadOptions struct {
	// Label is the name of the class column; "" for none. It is always categorical
	// and keeps its text ("1" and "01" differ, but "1.0" is "1"). None of its
	// cells may be missing.
	Label string
	// Delimiter separates cells; 0 is a tab for .tsv, else a comma. [Whitespace]
	// is any run of spaces and tabs.
	Delimiter rune
	// NoHeader says that the first line is data. The columns are then named
	// x1…xd, the label being one of them.
	NoHeader bool
	// Missing lists the texts that stand for a missing cell, as "NA"; space around a
	// cell does not matter, and numbers count by their value ("-999" is "-999.0"). An
	// empty cell is always missing, and by default nothing else is. In an array "NaN"
	// makes NaN a missing cell, which is an error otherwise; a text that is not a
	// number is an error there.
	Missing []string
	// Drop names columns that are left out, whatever their cells hold. With * and ? a name is a
	// pattern, such as "time_*", unless a column has exactly that name. "" is the column without a
	// name.
	Drop []string
	// Only, unless nil, names the feature columns that are wanted; all others are
	// passed over as if dropped. It is an error if one of them is not there.
	Only []string
	// Categorical names columns that are categorical even if they hold numbers; patterns as in Drop.
	Categorical []string
	// Numeric names columns that must be numbers: text in them is an error even if no
	// cell is a number. Names without a column are ignored.
	Numeric []string
	// NumbersOnly says that the caller takes no text columns, except the label and the names of
	// rows. Errors then do not suggest categorical columns.
	NumbersOnly bool
	// Decimal is the decimal sign of numbers in text, "." (or "") or ",".
	Decimal string
	// Thousands is the separator of groups of three digits in text: ".", ",", " "
	// (also the no-break and thin spaces), "'" or "_"; "" for none.
	Thousands string
	// Numbers lists other notations that are numbers in text: "percent" ("12.5%" is
	// 0.125) and "fortran" ("1.5D+03" and "1.5+103" are 1.5e3 and 1.5e103).
	Numbers []string
	// SkipRows is the number of lines to skip at the start of a text, before the
	// header.
	SkipRows int
	// SkipFooter is the number of lines to skip at the end of a text; blank lines do
	// not count.
	SkipFooter int
	// Comment is the start of comment lines, which are skipped, such as "#"; ""
	// for none. Space before it is ignored.
	Comment string
	// SkipLines skips lines of a text that are not rows. "units" is a line below the header with text
	// and no number, before rows with numbers. "headers" are lines that repeat the header. There may be
	// none.
	SkipLines []string
	// Base says whether the indices in an svmlight file count from 0 or 1.
	Base IndexBase
	// Format is the name of the format, one of [FormatNames], if neither the first bytes of the
	// file nor its name show it.
	Format string
	// ID names the column with the names of the rows, which is not a feature; see [Frame.ID]. For
	// files without column names (.npy, .npz, .svm, .mtx) it is a file with a row name in each line.
	ID string
	// LabelOptional says that rows may lack a label. The label is then a categorical column, and
	// the frame has no class.
	LabelOptional bool
	// Transpose makes the columns of the file the rows of the table. The first line of a text then
	// names the rows. Other options name columns of the transposed table.
	Transpose bool
	// Names is, for a transposed text, the column of the file with the names of the table's
	// columns; "" is the first. For files without column names it is a file with a column name in
	// each line, such as features.tsv.
	Names string
	// Sheet is the sheet of a workbook or the array of an .npz; "" if there is only one.
	Sheet string
	// As says how the data of a model were read ([Frame.Reading], selector.Model.Reading,
	// pipeline.Pipeline.Reading). Zero options take their values from it, if they apply to this
	// format. Columns without names must be as many as in the fit.
	As *Reading
	// LineLimit is the largest size, in bytes, of a line of a text, or of a row over several
	// lines; 0 is 64 MiB. Binary files and missing quotes give endless lines.
	LineLimit int64

	ctx  context.Context // that ends the reading; nil: none
	kind readerKind      // of the reader of a text

	tabByName bool // the delimiter is what the name of the file says
}

// Read reads a table from a file. What is in it is known by its first bytes, else by the ending of
// its name, else by [ReadOptions.Format]: delimited text (.csv, .txt, .data, .dat; .tsv and .tab
// between tabs; see [ReadCSV]), NumPy arrays (.npy; .npz of one array; see [ReadNPY]), and sparse
// rows ([ReadSparse]), which are read with every cell stored if there are at most 2²⁸ of them. The
// packages dataset/parquet, dataset/xlsx and dataset/zstd add what they are called by, where they are
// imported. Compressed files and those in UTF-16 are read as what is in them; see [OpenReader].
func Read(path string, opt ReadOptions) (*Frame, error) {
	return ReadContext(context.Background(), path, opt)
}

// ReadContext is Read with a context; if ctx ends, the error is the context's.
func ReadContext(ctx context.Context, path string, opt ReadOptions) (*Frame, error) {
	f, err := OpenContext(ctx, path, opt.Format)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Read(opt)
}

// readText reads delimited text.
func (f *File) readText(opt ReadOptions) (*Frame, error) { return ReadCSV(f.rawText(), f.name, opt) }

// readArray reads an .npy.
func (f *File) readArray(opt ReadOptions) (*Frame, error) {
	return readNPYFrame(f.stream(), f.name, opt)
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
