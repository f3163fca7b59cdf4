package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/solver"
)

// dataFlags are the flags of every command that reads a table.
type dataFlags struct {
	cli.Reading
	strictness
	indexBase string
	cmd       *cobra.Command // which knows what was given
}

func (f *dataFlags) register(cmd *cobra.Command, labelUse string) {
	f.cmd = cmd
	f.Reading.Register(cmd, labelUse)
	f.strictness.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.indexBase, "index-base", "auto", "`BASE` of the indices in an svmlight file: 1, 0, or auto: 0 if the file has an index 0, else 1")
	flags.BoolVar(&f.Transpose, "transpose", false, "the columns of DATA are the rows of the table, for example with genes in rows")
	flags.StringVar(&f.Names, "names", "", "with --transpose, the `COLUMN` of DATA with the names of the table's columns (default the first if it holds text); for .npy, .npz, .svm and .mtx a file with a name in each line, such as features.tsv")
	flags.StringVar(&f.Sheet, "sheet", "", "`NAME` of the sheet of a workbook or the array of an .npz, if there are several")
}

// options returns what the flags ask of the reader.
func (f *dataFlags) options() (dataset.ReadOptions, error) {
	err := f.Check(f.cmd)
	bases := map[string]dataset.IndexBase{"auto": dataset.AutoBase, "0": dataset.ZeroBased, "1": dataset.OneBased}
	base, ok := bases[f.indexBase]
	if !ok {
		err = errors.Join(err, fmt.Errorf("--index-base is %q: want auto, 0 or 1", f.indexBase))
	}
	opt := f.ReadOptions
	opt.Base, opt.Format = base, "" // by which the file is opened
	return opt, err
}

// chosen returns the flags that were given, as YAML calls them.
func (f *dataFlags) chosen() []string {
	var given []string
	f.cmd.Flags().Visit(func(flag *pflag.Flag) { given = append(given, strings.ReplaceAll(flag.Name, "-", "_")) })
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
		file, err = dataset.OpenReaderContext(ctx, os.Stdin, standardInput, f.Format)
	} else {
		file, err = dataset.OpenContext(ctx, path, f.Format)
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

// readCovariance reads a square symmetric matrix and the names of its columns. A
// dropped column loses its row too, unless it is a column of text. In the files of
// some programs such a column names the rows and has no row of its own.
func (f *dataFlags) readCovariance(ctx context.Context, path string) (*mat.SymDense, []string, error) {
	whole := *f
	whole.Drop = nil
	if slices.Contains(f.Drop, "") { // without a name it is no column of the matrix
		whole.Drop = []string{""}
	}
	frame, err := whole.readNumbers(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	drop, err := expandDrop(frame, slices.DeleteFunc(slices.Clone(f.Drop), func(name string) bool { return name == "" }))
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
	return lists.At(names, places), nil
}

func dropRowsAndColumns(path string, a *mat.SymDense, names, drop []string) (*mat.SymDense, []string, error) {
	kept := lists.Places(len(names), func(i int) bool { return !slices.Contains(drop, names[i]) })
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
	return b, lists.At(names, kept), nil
}

// hasName reports whether a column is among names, however its letters are put together.
func hasName(names []string, name string) bool {
	return slices.ContainsFunc(names, func(other string) bool { return dataset.SameName(other, name) })
}

// isTable reports whether the name of path is that of a table, which a model
// never has.
func isTable(path string) bool { return dataset.FormatByName(path) != "" }
