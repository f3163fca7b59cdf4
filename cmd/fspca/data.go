package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/spelling"
	"github.com/fspca/fspca/solver"
)

// dataFlags are the flags of every command that reads a table.
type dataFlags struct {
	label       string
	delimiter   string
	header      bool
	missing     []string
	drop        []string
	categorical []string
	indexBase   string
}

func (f *dataFlags) register(cmd *cobra.Command, labelUse string) {
	flags := cmd.Flags()
	flags.StringVar(&f.label, "label", "", labelUse)
	flags.StringVar(&f.delimiter, "delimiter", "", "`CHARACTER` between cells, \"\\t\" or tab for a tabulator (default a comma; a tabulator for .tsv)")
	flags.BoolVar(&f.header, "header", true, "whether the first line holds the column names; --header=false names them x1, x2, …")
	flags.StringArrayVar(&f.missing, "missing", nil, "`TEXT` that stands for a missing cell, beside the empty one (repeatable)")
	flags.StringArrayVar(&f.drop, "drop", nil, "`COLUMN` to leave out (repeatable)")
	flags.StringArrayVar(&f.categorical, "categorical", nil, "`COLUMN` to read as categories whatever its cells look like (repeatable)")
	flags.StringVar(&f.indexBase, "index-base", "auto", "`BASE` of the indices in an svmlight file: 1, 0, or auto: 0 if the file has an index 0, else 1")
}

// options returns what the flags ask of the reader of path.
func (f *dataFlags) options(path string) (dataset.ReadOptions, error) {
	opt := dataset.ReadOptions{Label: f.label, NoHeader: !f.header, Missing: f.missing, Drop: f.drop, Categorical: f.categorical}
	switch f.delimiter {
	case "":
	case `\t`, "tab":
		opt.Delimiter = '\t'
	default:
		r, size := utf8.DecodeRuneInString(f.delimiter)
		if size == 0 || size != len(f.delimiter) || r == utf8.RuneError {
			return opt, fmt.Errorf(`--delimiter is %q: want one character, or "\t"`, f.delimiter)
		}
		opt.Delimiter = r
	}
	var err error
	opt.Base, err = f.base(path)
	return opt, err
}

// base returns where the indices of path start.
func (f *dataFlags) base(path string) (dataset.IndexBase, error) {
	bases := map[string]dataset.IndexBase{"auto": dataset.AutoBase, "0": dataset.ZeroBased, "1": dataset.OneBased}
	base, ok := bases[f.indexBase]
	switch {
	case !ok:
		return base, fmt.Errorf("--index-base is %q: want auto, 0 or 1", f.indexBase)
	case base != dataset.AutoBase && (!dataset.IsSparseFile(path) || strings.Contains(strings.ToLower(filepath.Base(path)), ".mtx")):
		return base, fmt.Errorf("--index-base is for svmlight files, and by its name %s is none", path)
	}
	return base, nil
}

func (f *dataFlags) read(path string) (*dataset.Frame, error) {
	opt, err := f.options(path)
	if err != nil {
		return nil, err
	}
	return dataset.Read(path, opt)
}

// readSparse reads a file of sparse rows.
func (f *dataFlags) readSparse(path string) (*dataset.Sparse, error) {
	opt, err := f.options(path)
	if err != nil {
		return nil, err
	}
	return dataset.ReadSparse(path, opt)
}

// readFor reads what a fitted model needs of path and nothing else: only its
// inputs, those it knows as categories read as such.
func (f *dataFlags) readFor(path string, inputs, categorical []string) (*dataset.Frame, error) {
	opt, err := f.options(path)
	if err != nil {
		return nil, err
	}
	if f.label != "" && slices.Contains(inputs, f.label) {
		return nil, fmt.Errorf("--label %s: the model needs the column %q, so it cannot be the label", f.label, f.label)
	}
	opt.Only = inputs
	for _, name := range categorical {
		if !slices.Contains(opt.Categorical, name) {
			opt.Categorical = append(slices.Clone(opt.Categorical), name)
		}
	}
	return dataset.Read(path, opt)
}

// readCovariance reads a square symmetric matrix and the names of its columns.
// A dropped column loses its row too, unless it is a column of text, which names
// the rows in the files of some programs and has no row of its own.
func (f *dataFlags) readCovariance(path string) (*mat.SymDense, []string, error) {
	whole := *f
	whole.drop = nil
	if slices.Contains(f.drop, "") { // without a name it is no column of the matrix
		whole.drop = []string{""}
	}
	drop := slices.DeleteFunc(slices.Clone(f.drop), func(name string) bool { return name == "" })
	frame, err := whole.read(path)
	if err != nil {
		return nil, nil, err
	}
	if err := checkDrop(frame, drop); err != nil {
		return nil, nil, at(path, err)
	}
	for _, name := range textColumns(frame) {
		if !slices.Contains(drop, name) {
			return nil, nil, fmt.Errorf("%s: a covariance holds numbers only, but column %q is text: if it names the rows, leave it out with --drop %s", path, name, name)
		}
	}
	if err := frame.CheckComplete("a covariance"); err != nil {
		return nil, nil, at(path, err)
	}
	names, x := frame.NumericNames(), frame.Numeric()
	if x == nil {
		return nil, nil, fmt.Errorf("%s: --drop leaves no column", path)
	}
	a, err := solver.SymmetricFromDense(x)
	var entry *solver.EntryError
	if errors.As(err, &entry) {
		return nil, nil, fmt.Errorf("%s: %w (variables %q and %q)", path, err, names[entry.Row], names[entry.Col])
	}
	if err != nil {
		return nil, nil, at(path, err)
	}
	return dropRowsAndColumns(path, a, names, drop)
}

// checkDrop returns an error that names the columns to drop that are not there.
func checkDrop(frame *dataset.Frame, drop []string) error {
	sorted := slices.Sorted(slices.Values(drop))
	if _, err := frame.Pick(slices.Compact(sorted)); err != nil {
		return fmt.Errorf("--drop: %w", err)
	}
	return nil
}

func dropRowsAndColumns(path string, a *mat.SymDense, names, drop []string) (*mat.SymDense, []string, error) {
	var kept []int
	var keptNames []string
	for i, name := range names {
		if !slices.Contains(drop, name) {
			kept, keptNames = append(kept, i), append(keptNames, name)
		}
	}
	switch len(kept) {
	case len(names):
		return a, names, nil
	case 0:
		return nil, nil, fmt.Errorf("%s: --drop leaves no column", path)
	}
	b := mat.NewSymDense(len(kept), nil)
	for p, i := range kept {
		for q := p; q < len(kept); q++ {
			b.SetSym(p, q, a.At(i, kept[q]))
		}
	}
	return b, keptNames, nil
}

// near returns a hint at the name that was perhaps meant.
func near(name string, among []string) string {
	if n := spelling.Nearest(name, among); n != "" {
		return fmt.Sprintf(" (the nearest is %q)", n)
	}
	return ""
}

// textColumns returns the names of the feature columns that are not numbers.
func textColumns(f *dataset.Frame) []string {
	var names []string
	for _, c := range f.Columns() {
		if c.Factor != nil {
			names = append(names, c.Name)
		}
	}
	return names
}

// isTable reports whether the name of path is that of a table, which a model
// never has.
func isTable(path string) bool {
	base := strings.ToLower(filepath.Base(path))
	for _, ext := range []string{".csv", ".csv.gz", ".npy", ".tsv"} {
		if strings.HasSuffix(base, ext) {
			return true
		}
	}
	return dataset.IsSparseFile(path)
}
