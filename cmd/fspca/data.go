package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/internal/spelling"
	"github.com/fspca/fspca/solver"
)

// dataFlags are the flags of every command that reads a table.
type dataFlags struct {
	label       string
	id          string
	delimiter   string
	header      bool
	missing     []string
	drop        []string
	categorical []string
	indexBase   string
	format      string
	transpose   bool
	names       string
	sheet       string
	decimal     string
	thousands   string
	numbers     []string
	skipRows    int
	skipFooter  int
	skipLines   []string
	comment     string
	lineLimit   int64 // MiB

	strictness

	given *pflag.FlagSet // which of them were given
}

func (f *dataFlags) register(cmd *cobra.Command, labelUse string) {
	flags := cmd.Flags()
	f.given = flags
	f.strictness.register(cmd)
	flags.StringVar(&f.label, "label", "", labelUse)
	flags.StringVar(&f.id, "id", "", "`COLUMN` with the names of the rows, which is no feature and stands first in what is written; for .npy, .npz, .svm and .mtx a file with one name a line")
	flags.StringVar(&f.delimiter, "delimiter", "", "`CHARACTER` between cells, \"\\t\" or tab for a tabulator, whitespace for any run of spaces (default a comma; a tabulator for .tsv and .tab)")
	flags.BoolVar(&f.header, "header", true, "whether the first line holds the column names; --header=false names them x1, x2, …")
	flags.StringArrayVar(&f.missing, "missing", nil, "`TEXT` that stands for a missing cell, beside the empty one (repeatable)")
	flags.StringVar(&f.decimal, "decimal", "", "decimal `SIGN` of numbers in text, . or , (default .)")
	flags.StringVar(&f.thousands, "thousands", "", "`SIGN` that groups the digits of numbers in text by three: . , ' _ or a space")
	flags.StringSliceVar(&f.numbers, "numbers", nil, "other `NOTATIONS` of numbers in text: percent, fortran")
	flags.IntVar(&f.skipRows, "skip-rows", 0, "`NUMBER` of lines of a text before its header")
	flags.IntVar(&f.skipFooter, "skip-footer", 0, "`NUMBER` of lines of a text after its last row")
	flags.StringSliceVar(&f.skipLines, "skip-lines", nil, "`KINDS` of lines of a text that are no rows: units (below the header), headers (that repeat it)")
	flags.StringVar(&f.comment, "comment", "", "`TEXT` that lines of a text start with which are left out, as #")
	flags.Int64Var(&f.lineLimit, "line-limit", 64, "`MIB` that a line of a text may have")
	flags.StringArrayVar(&f.drop, "drop", nil, "`COLUMNS` to leave out, with commas between them; time_* is a pattern (repeatable)")
	flags.StringArrayVar(&f.categorical, "categorical", nil, "`COLUMNS` to read as categories whatever their cells look like, as in --drop (repeatable)")
	flags.StringVar(&f.indexBase, "index-base", "auto", "`BASE` of the indices in an svmlight file: 1, 0, or auto: 0 if the file has an index 0, else 1")
	flags.StringVar(&f.format, "format", "", "`FORMAT` of DATA where its name does not tell: "+strings.Join(dataset.FormatNames(), ", "))
	flags.BoolVar(&f.transpose, "transpose", false, "the columns of DATA are the rows of the table, as where genes are in rows")
	flags.StringVar(&f.names, "names", "", "with --transpose, the `COLUMN` of DATA with the names of the table's columns (default the first if it holds text); for .npy, .npz, .svm and .mtx a file with a name a line, as features.tsv")
	flags.StringVar(&f.sheet, "sheet", "", "`NAME` of the sheet of a workbook or the array of an .npz, where there are several")
}

// options returns what the flags ask of the reader.
func (f *dataFlags) options() (dataset.ReadOptions, error) {
	opt := dataset.ReadOptions{Label: f.label, ID: f.id, NoHeader: !f.header, Missing: f.missing, Drop: f.drop, Categorical: f.categorical,
		Transpose: f.transpose, Names: f.names, Sheet: f.sheet, Decimal: f.decimal, Thousands: f.thousands,
		Numbers: f.numbers, SkipRows: f.skipRows, SkipFooter: f.skipFooter, SkipLines: f.skipLines, Comment: f.comment}
	if f.given.Changed("line-limit") {
		if f.lineLimit < 1 || f.lineLimit > 1<<20 {
			return opt, fmt.Errorf("--line-limit is %d: want 1 to %d MiB", f.lineLimit, 1<<20)
		}
		opt.LineLimit = f.lineLimit << 20
	}
	switch f.delimiter {
	case "":
	case `\t`, "tab":
		opt.Delimiter = '\t'
	case "whitespace":
		opt.Delimiter = dataset.Whitespace
	default:
		r, size := utf8.DecodeRuneInString(f.delimiter)
		if size == 0 || size != len(f.delimiter) || r == utf8.RuneError {
			return opt, fmt.Errorf(`--delimiter is %q: want one character, "\t" or whitespace`, f.delimiter)
		}
		opt.Delimiter = r
	}
	bases := map[string]dataset.IndexBase{"auto": dataset.AutoBase, "0": dataset.ZeroBased, "1": dataset.OneBased}
	base, ok := bases[f.indexBase]
	if !ok {
		return opt, fmt.Errorf("--index-base is %q: want auto, 0 or 1", f.indexBase)
	}
	opt.Base = base
	return opt, nil
}

// chosen returns the flags that were given, as YAML calls them.
func (f *dataFlags) chosen() []string {
	var given []string
	f.given.Visit(func(flag *pflag.Flag) { given = append(given, strings.ReplaceAll(flag.Name, "-", "_")) })
	return given
}

// standardInput is what "-" is called in messages.
const standardInput = "standard input"

// open opens DATA, or standard input for "-", and returns what the flags ask of its reader. A flag
// that does not apply to the file's format is an error, even if it says what is so without it.
func (f *dataFlags) open(ctx context.Context, path string) (*dataset.File, dataset.ReadOptions, error) {
	opt, err := f.options()
	if err != nil {
		return nil, opt, err
	}
	var file *dataset.File
	if path == "-" {
		file, err = dataset.OpenReaderContext(ctx, os.Stdin, standardInput, f.format)
	} else {
		file, err = dataset.OpenContext(ctx, path, f.format)
	}
	if err != nil {
		return nil, opt, err
	}
	if err := file.Takes(f.chosen()...); err != nil {
		file.Close()
		return nil, opt, err
	}
	if file.NamedByFiles() {
		opt.Names, opt.ID = files.Home(opt.Names), files.Home(opt.ID)
	}
	return file, opt, nil
}

// readNumbers reads a table of which only the numbers count.
func (f *dataFlags) readNumbers(ctx context.Context, path string) (*dataset.Frame, error) {
	file, opt, err := f.open(ctx, path)
	if err != nil {
		return nil, err
	}
	opt.NumbersOnly = true
	defer file.Close()
	return file.Read(opt)
}

// readCovariance reads a square symmetric matrix and the names of its columns.
// A dropped column loses its row too, unless it is a column of text, which names
// the rows in the files of some programs and has no row of its own.
func (f *dataFlags) readCovariance(ctx context.Context, path string) (*mat.SymDense, []string, error) {
	whole := *f
	whole.drop = nil
	if slices.Contains(f.drop, "") { // without a name it is no column of the matrix
		whole.drop = []string{""}
	}
	frame, err := whole.readNumbers(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	drop, err := expandDrop(frame, slices.DeleteFunc(slices.Clone(f.drop), func(name string) bool { return name == "" }))
	if err != nil {
		return nil, nil, at(path, err)
	}
	for _, name := range frame.CategoricalNames() {
		if !slices.Contains(drop, name) {
			return nil, nil, fmt.Errorf("%s: a covariance holds numbers only, but column %q is text: if it names the rows, leave it out with --drop %s", shown(path), name, name)
		}
	}
	if err := frame.CheckComplete("a covariance"); err != nil {
		var missing *dataset.MissingCellsError
		if errors.As(err, &missing) {
			missing.Cure = "compute it from complete rows, or leave the columns out with --drop"
		}
		return nil, nil, at(path, err)
	}
	return symmetricOf(path, frame, drop)
}

// symmetricOf returns the numbers of a frame as a symmetric matrix, without the rows and columns to drop.
func symmetricOf(path string, frame *dataset.Frame, drop []string) (*mat.SymDense, []string, error) {
	names, x := frame.NumericNames(), frame.Numeric()
	if x == nil {
		return nil, nil, fmt.Errorf("%s: --drop leaves no column", shown(path))
	}
	a, err := solver.SymmetricFromDense(x)
	var entry *solver.EntryError
	if errors.As(err, &entry) {
		return nil, nil, fmt.Errorf("%s: %w (variables %q and %q)", shown(path), err, names[entry.Row], names[entry.Col])
	}
	if err != nil {
		return nil, nil, at(path, err)
	}
	return dropRowsAndColumns(path, a, names, drop)
}

// expandDrop returns the columns that --drop stands for, and an error that names those which are not
// there.
func expandDrop(frame *dataset.Frame, drop []string) ([]string, error) {
	names := frame.Names()
	places, absent := pattern.Expand(drop, names)
	if _, err := frame.Pick(absent); err != nil {
		return nil, fmt.Errorf("--drop: %w", err)
	}
	found := make([]string, len(places))
	for i, j := range places {
		found[i] = names[j]
	}
	return found, nil
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
		return nil, nil, fmt.Errorf("%s: --drop leaves no column", shown(path))
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

// isTable reports whether the name of path is that of a table, which a model
// never has.
func isTable(path string) bool { return dataset.FormatByName(path) != "" }
