package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/spelling"
)

// hinted writes an error for the command line: options under the names of flags, and for a file that
// is not there the one that may be meant.
func hinted(cmd *cobra.Command, err error) string {
	cureNewRows(cmd, err)
	text := named(cmd, err.Error())
	var missing *fs.PathError
	if errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist) && missing.Op != "mkdir" {
		if missing.Path == "-" {
			return text + "; of the inputs only DATA can be standard input"
		}
		near := instead(missing.Path)
		if near == "" && cmd != nil && cmd.Flags().Arg(0) == missing.Path {
			near = made(cmd)
		}
		text += near
	}
	return text
}

// named writes the options of a reader in an error or a warning under the names that the command has.
func named(cmd *cobra.Command, text string) string {
	if cmd == nil || cmd.Name() == "run" || cmd.Name() == "validate" { // whose options are keys
		return text
	}
	return cli.AsFlags(cmd.Flags(), text)
}

// cureNewRows says of missing cells in new rows what can be done about them: a fitted model takes no step
// more, and needs its columns.
func cureNewRows(cmd *cobra.Command, err error) {
	var missing *dataset.MissingCellsError
	if cmd != nil && slices.Contains([]string{"transform", "evaluate", "predict"}, cmd.Name()) && errors.As(err, &missing) && missing.Cure == "" {
		missing.Cure = "fill these cells or leave the rows out; a pipeline with an impute step (fspca run) fills those of new rows too"
	}
}

// instead names the file that may be meant by one that is not there: the nearest name in its folder.
func instead(path string) string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if !slices.Contains(pictures, filepath.Ext(e.Name())) {
			names = append(names, e.Name())
		}
	}
	if near := spelling.Nearest(filepath.Base(path), names); near != "" {
		return fmt.Sprintf("; did you mean %s?", filepath.Join(filepath.Dir(path), near))
	}
	return ""
}

// pictures are what no command reads.
var pictures = []string{".html", ".svg"}

// made says which command writes the model that is not there.
func made(cmd *cobra.Command) string {
	switch cmd.Name() {
	case "predict":
		return "; fspca run PIPELINE.yaml writes a model into output.dir, or --out"
	case "transform", "inspect", "verify", "evaluate":
		return "; fspca fit DATA -k K -m M -o model.json writes a model, and fspca run PIPELINE.yaml that of a pipeline"
	}
	return ""
}

// notPipeline says which command takes a table that was given for a pipeline.
func notPipeline(path string, err error) error {
	if dataset.FormatByName(path) == "" {
		return err
	}
	return fmt.Errorf("%s is a table, and run takes a pipeline in YAML that names it: see docs/guide.md; without one, fspca fit %s -k 20 -m 5 chooses 20 columns", path, cli.Quoted(path))
}

// proposal is what could be done with the columns of text of a table, as flags: names of rows, a class,
// and what is to be left out.
func proposal(f *dataset.Frame, text []string, d *dataFlags) string {
	const mostClasses = 20
	var id, label string
	var drop []string
	for _, name := range text {
		c := f.Factor(name)
		switch n := len(c.Levels); {
		case n == f.Rows() && id == "" && d.ID == "" && !dated(c):
			id = name
		case n >= 2 && n <= mostClasses && n <= f.Rows()/5 && d.Label == "":
			label, drop = name, appendName(drop, label)
		default:
			drop = append(drop, name)
		}
	}
	var flags []string
	for _, flag := range []struct{ name, value string }{{"--id", id}, {"--label", label}, {"--drop", strings.Join(drop, ",")}} {
		if flag.value != "" {
			flags = append(flags, flag.name+" "+cli.Quoted(flag.value))
		}
	}
	return strings.Join(flags, " ")
}

func appendName(names []string, name string) []string {
	if name == "" {
		return names
	}
	return append(names, name)
}

// dated reports whether texts are dates as 2026-11-28, which name no rows.
func dated(c *dataset.Factor) bool {
	return len(c.Levels) > 0 && regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`).MatchString(c.Levels[0])
}
