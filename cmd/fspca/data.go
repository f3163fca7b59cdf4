package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
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
}

func (f *dataFlags) register(cmd *cobra.Command, labelUse string) {
	flags := cmd.Flags()
	flags.StringVar(&f.label, "label", "", labelUse)
	flags.StringVar(&f.delimiter, "delimiter", "", `character between cells, "\t" or tab for a tabulator (default a comma; a tabulator for .tsv)`)
	flags.BoolVar(&f.header, "header", true, "whether the first line holds the column names; --header=false names them x1, x2, …")
	flags.StringArrayVar(&f.missing, "missing", nil, "text that stands for a missing cell, beside the empty one (repeatable)")
	flags.StringArrayVar(&f.drop, "drop", nil, "column to leave out (repeatable)")
	flags.StringArrayVar(&f.categorical, "categorical", nil, "column to read as categories whatever its cells look like (repeatable)")
}

// options returns what the flags ask of the reader.
func (f *dataFlags) options() (dataset.ReadOptions, error) {
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
	return opt, nil
}

func (f *dataFlags) read(path string) (*dataset.Frame, error) {
	opt, err := f.options()
	if err != nil {
		return nil, err
	}
	return dataset.Read(path, opt)
}

// readFor reads what a fitted model needs of path and nothing else: only its
// inputs, those it knows as categories read as such.
func (f *dataFlags) readFor(path string, inputs, categorical []string) (*dataset.Frame, error) {
	opt, err := f.options()
	if err != nil {
		return nil, err
	}
	opt.Only = slices.DeleteFunc(slices.Clone(inputs), func(name string) bool { return name == f.label })
	for _, name := range categorical {
		if !slices.Contains(opt.Categorical, name) {
			opt.Categorical = append(slices.Clone(opt.Categorical), name)
		}
	}
	return dataset.Read(path, opt)
}

// readCovariance reads a square symmetric matrix and the names of its columns.
// A dropped column loses its row too.
func (f *dataFlags) readCovariance(path string) (*mat.SymDense, []string, error) {
	whole := *f
	whole.drop = nil
	frame, err := whole.read(path)
	if err != nil {
		return nil, nil, err
	}
	names, x := frame.NumericNames(), frame.Numeric()
	if len(names) < len(frame.Names()) {
		return nil, nil, fmt.Errorf("%s: a covariance holds numbers only, but column %q is text", path, textColumns(frame)[0])
	}
	if err := frame.CheckComplete("a covariance"); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	a, err := solver.SymmetricFromDense(x)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(f.drop) == 0 {
		return a, names, nil
	}
	return dropRowsAndColumns(path, a, names, f.drop)
}

func dropRowsAndColumns(path string, a *mat.SymDense, names, drop []string) (*mat.SymDense, []string, error) {
	for _, name := range drop {
		if !slices.Contains(names, name) {
			return nil, nil, fmt.Errorf("%s: --drop %s: no such column%s", path, name, near(name, names))
		}
	}
	var kept []int
	var keptNames []string
	for i, name := range names {
		if !slices.Contains(drop, name) {
			kept, keptNames = append(kept, i), append(keptNames, name)
		}
	}
	if len(kept) == 0 {
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
	if n := dataset.Nearest(name, among); n != "" {
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
	return false
}
