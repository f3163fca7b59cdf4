package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/selector"
)

func newTransform() *cobra.Command {
	var flags dataFlags
	var out, output string
	cmd := &cobra.Command{
		Use:   "transform MODEL DATA",
		Short: "Project new rows with a fitted model",
		Long: `Project new rows with a fitted model and write them as CSV: components pc1 to
pcm, the chosen columns, or both. Of a pipeline without an fspca step, what its
steps make of the rows is written.

MODEL is the file that fit -o wrote or the model folder of a pipeline. DATA
needs only the chosen columns, in any order; others are ignored. With --label and
--id these columns are passed through; rows may lack a label. DATA is as in fit; -
is standard input.`,
		Example: `  fspca transform model.json new.csv -o scores.csv
  fspca transform out/digits/model new.csv --output both`,
		Args: exactly("MODEL", "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			what, err := selector.ParseOutput(output)
			if err != nil {
				return fmt.Errorf("--output: %w; the file to write is -o (--out)", err)
			}
			if err := checkTable(out); err != nil {
				return err
			}
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			rows, err := m.read(&flags, args[1])
			if err != nil {
				return err
			}
			result, err := m.transform(rows.Frame, what)
			if err == nil {
				result, err = rows.beside(result, flags.label)
			}
			if err != nil {
				return at(args[1], err)
			}
			return writeTable(cmd, out, result)
		},
	}
	flags.register(cmd, "`COLUMN` to pass through beside the result")
	cmd.Flags().VarP(pathFlag(&out), "out", "o", "`FILE` to write, as its ending says (.csv, .tsv, .npy, .parquet; .gz or .zst after it); standard output if not given")
	cmd.Flags().StringVar(&output, "output", "projection", "`WHAT` to write: projection, selected or both")
	return cmd
}

// checkFolder returns an error, before any work, if there is no folder for the
// file that a command is to write. "" is no file.
func checkFolder(path string) error {
	if path == "" {
		return nil
	}
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return failed(fmt.Errorf("cannot write %s: there is no folder %s: create it, or write elsewhere", path, dir))
	case err != nil:
		return failed(fmt.Errorf("cannot write %s: %w", path, err))
	case !info.IsDir():
		return failed(fmt.Errorf("cannot write %s: %s is not a folder", path, dir))
	}
	return nil
}

// checkTable returns an error, before any work, if the file cannot hold a table.
func checkTable(path string) error {
	if path == "" {
		return nil
	}
	return errors.Join(dataset.CheckWritable(path), checkFolder(path))
}

// writeTable writes f to the file, in the format that its ending says, or as CSV to standard output
// for "".
func writeTable(cmd *cobra.Command, path string, f *dataset.Frame) error {
	if path == "" {
		return failed(dataset.WriteCSV(cmd.OutOrStdout(), f))
	}
	return failed(files.Write(path, func(w io.Writer) error { return dataset.WriteAs(w, path, f) }))
}
