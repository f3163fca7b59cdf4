package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/selector"
)

// content is what a file holds, as far as it matters to whoever would replace it.
type content string

const (
	modelContent content = "a model"
	tableContent content = "a table"
	chartContent content = "an SVG picture"
	pageContent  content = "a report"

	certificateContent content = "a certificate"
)

// output is a file that a command writes.
type output struct {
	path  string // "" for none, "-" for standard output
	flag  string // that names it, as the user writes it
	holds content
	force bool

	forced *bool // the same of another output, that the flag sets
}

// registerForce registers the flag that lets the outputs replace files of another kind.
func registerForce(cmd *cobra.Command, outputs ...*output) {
	each := lists.Map(outputs, func(o *output) string {
		return fmt.Sprintf("the file of %s even if it holds something else than %s", o.flag, o.holds)
	})
	cmd.Flags().BoolVar(&outputs[0].force, "force", false, "replace "+strings.Join(each, ", and "))
	for _, o := range outputs[1:] {
		o.forced = &outputs[0].force
	}
}

// file reports whether a file is written, rather than nothing or standard output.
func (o *output) file() bool { return o.path != "" && o.path != "-" }

// checkOutputs returns what is wrong with the files that a command writes, before any work: one of
// them is a file that the command reads, or another that it writes, or holds something else; or it
// cannot be written.
func checkOutputs(cmd *cobra.Command, args []string, outputs ...*output) error {
	inputs := inputsOf(cmd, args, outputs)
	var errs []error
	for i, o := range outputs {
		errs = append(errs, o.check(inputs...))
		for _, other := range outputs[:i] {
			if o.path == "-" && other.path == "-" {
				errs = append(errs, fmt.Errorf("%s and %s are both standard output: write one of them to a file", other.flag, o.flag))
			}
			if o.file() && other.file() && files.SamePlace(o.path, other.path) {
				errs = append(errs, fmt.Errorf("%s %s is the same file as %s %s: choose another name", o.flag, o.path, other.flag, other.path))
			}
		}
	}
	return errors.Join(errs...)
}

// inputsOf returns the files that a command reads: its arguments, the files beside them, and the files
// that flags name.
func inputsOf(cmd *cobra.Command, args []string, outputs []*output) []string {
	inputs := slices.DeleteFunc(slices.Clone(args), func(path string) bool { return path == "-" })
	text := false
	for _, path := range args {
		inputs = append(inputs, dataset.FilesBeside(path)...)
		text = text || dataset.FormatByName(path) == "csv" || dataset.FormatByName(path) == "tsv"
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		path, ok := f.Value.(*cli.File)
		written := slices.ContainsFunc(outputs, func(o *output) bool { return (*cli.File)(&o.path) == path })
		if ok && !written || !text && (f.Name == "names" || f.Name == "id") { // of text they are columns
			inputs = append(inputs, files.Home(f.Value.String()))
		}
	})
	return inputs
}

// check returns an error if the output would destroy an input or a file of the user's, or if it cannot
// be written.
func (o *output) check(inputs ...string) error {
	if !o.file() {
		return nil
	}
	if o.holds == chartContent && !strings.EqualFold(filepath.Ext(o.path), ".svg") {
		return fmt.Errorf("%s %s: the picture is SVG: name a file that ends in .svg", o.flag, o.path)
	}
	if ext := filepath.Ext(o.path); o.holds == pageContent && !strings.EqualFold(ext, ".html") && !strings.EqualFold(ext, ".htm") {
		return fmt.Errorf("%s %s: the report is a page: name a file that ends in .html", o.flag, o.path)
	}
	for _, in := range inputs {
		switch {
		case files.Same(o.path, in):
			return fmt.Errorf("%s %s is the same file as the input %s: choose another name", o.flag, o.path, in)
		case isFolder(in) && (files.Within(o.path, in) || files.Same(filepath.Dir(o.path), in) || files.Within(filepath.Dir(o.path), in) || linked(o.path, in)):
			return fmt.Errorf("%s %s is in the input folder %s: choose another folder", o.flag, o.path, in)
		}
	}
	if err := files.CheckWritable(o.path); err != nil {
		return cli.Failed(err)
	}
	there, err := contentOf(o.path)
	if errors.Is(err, fs.ErrNotExist) || there == "" || there == o.holds || o.force || o.forced != nil && *o.forced {
		return nil
	}
	if err != nil {
		return cli.Failed(err)
	}
	return fmt.Errorf("%s %s exists and holds %s, and would be replaced by %s: choose another name, or add --force", o.flag, o.path, there, o.holds)
}

// linked reports whether a file is another name of one in a folder.
func linked(path, dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return files.Same(path, filepath.Join(dir, e.Name())) })
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// contentOf says what an existing file holds; "" for nothing, or for what is no regular file.
func contentOf(path string) (content, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	return contentOfHead(path, head[:n]), nil
}

// contentOfHead says what a file that begins with head holds.
func contentOfHead(path string, head []byte) content {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(text, []byte("{")), bytes.HasPrefix(text, []byte("[")):
		if selector.IsModelFile(path) {
			return modelContent
		}
		if bytes.HasPrefix(text, []byte(`{"format":"fspca certificate"`)) {
			return certificateContent
		}
		return "JSON that is no model"
	case bytes.HasPrefix(text, []byte("<")):
		if bytes.Contains(text, []byte(`content="fspca report"`)) {
			return pageContent
		}
		if bytes.Contains(text, []byte("<svg")) {
			return chartContent
		}
		return "a page or another document"
	case tableMagic(head), !bytes.Contains(head, []byte{0}):
		return tableContent
	}
	return "something that is no table"
}

// tableMagic reports whether a file begins as a table in a binary format does.
func tableMagic(head []byte) bool {
	return slices.ContainsFunc([]string{"\x93NUMPY", "PAR1", "PK\x03\x04", "\x1f\x8b", "\x28\xb5\x2f\xfd"}, func(magic string) bool {
		return bytes.HasPrefix(head, []byte(magic))
	})
}

// write writes the file as a whole, or standard output. Where the file fails after all, what was to
// be in it is written to a temporary file, which the error names.
func (o *output) write(cmd *cobra.Command, write func(io.Writer) error) error {
	switch o.path {
	case "":
		return nil
	case "-":
		return cli.Failed(write(cmd.OutOrStdout()))
	}
	err := files.Write(o.path, write)
	if err == nil {
		wrote(cmd.Context(), o.path)
		return nil
	}
	if stopped := cmd.Context().Err(); stopped != nil && errors.Is(err, stopped) {
		return err
	}
	saved, failed := os.CreateTemp("", "fspca-*-"+filepath.Base(o.path))
	if failed != nil {
		return cli.Failed(err)
	}
	if again := errors.Join(write(saved), saved.Close()); again != nil {
		return cli.Failed(errors.Join(err, os.Remove(saved.Name())))
	}
	return cli.Failed(fmt.Errorf("%w; the result is in %s", err, saved.Name()))
}

// tableOutput is where transform and predict write their table.
type tableOutput struct{ output }

func (o *tableOutput) register(cmd *cobra.Command) {
	o.flag, o.holds = "-o", tableContent
	cmd.Flags().VarP((*cli.File)(&o.path), "out", "o", "`FILE` to write, as its ending says (.csv, .tsv, .npy, .parquet; .gz or .zst after it); standard output if not given, and for -")
	registerForce(cmd, &o.output)
}

// checkFormat returns an error unless the ending of the file is that of a format.
func (o *tableOutput) checkFormat() error {
	if !o.file() {
		return nil
	}
	return dataset.CheckWritable(o.path)
}

// writeRows writes what of makes of the rows of DATA, of which path is the name, unless the command is
// interrupted: in the format that the file's ending says, or as CSV to standard output.
func (o *tableOutput) writeRows(cmd *cobra.Command, path string, t *newTable, of func(from int, rows *newRows) (*dataset.Frame, error)) error {
	ctx, name := cmd.Context(), o.path
	if !o.file() {
		name = "" // CSV
	}
	var broken error // of the rows, or of what is made of them
	write := func(w io.Writer) error {
		if broken != nil { // in another place they are no better
			return broken
		}
		var err error
		broken, err = t.writeTo(ctx, w, name, of)
		return err
	}
	var err error
	if o.file() {
		err = o.write(cmd, write)
	} else {
		err = cli.Failed(write(cmd.OutOrStdout()))
	}
	if broken != nil {
		return at(path, broken)
	}
	return err
}

// writeTo writes what of makes of the rows, in the format that name has. broken is the error of the rows, or
// of what is made of them, rather than of the writing.
func (t *newTable) writeTo(ctx context.Context, w io.Writer, name string, of func(from int, rows *newRows) (*dataset.Frame, error)) (broken, err error) {
	out, err := dataset.NewWriter(bounded.Writer(ctx, w), name, t.count)
	if err != nil {
		return nil, err
	}
	var unwritten error
	err = t.each(ctx, func(from int, rows *newRows) error {
		frame, err := of(from, rows)
		if err != nil {
			return err
		}
		unwritten = out.Write(frame)
		return unwritten
	})
	if err == nil {
		return nil, out.Close()
	}
	_ = out.Close() // only to release what it took
	if unwritten == nil {
		return err, err
	}
	return nil, err
}
