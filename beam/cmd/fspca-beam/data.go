package main

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/dataset"
)

// dataFlags are those of fspca that say how a table is read, as far as they are for shards.
type dataFlags struct {
	read      dataset.ReadOptions
	delimiter string
	header    bool
	lineLimit int64 // MiB
}

func (f *dataFlags) register(cmd *cobra.Command, labelUse string) {
	flags := cmd.Flags()
	flags.StringVar(&f.read.Label, "label", "", labelUse)
	flags.StringVar(&f.read.ID, "id", "", "`COLUMN` with the names of the rows, which is no feature")
	flags.StringVar(&f.delimiter, "delimiter", "", "`CHARACTER` between cells, \"\\t\" or tab for a tabulator, whitespace for any run of spaces (default a comma; a tabulator for .tsv and .tab)")
	flags.BoolVar(&f.header, "header", true, "whether the first line of each shard holds the column names; --header=false names them x1, x2, …")
	flags.StringArrayVar(&f.read.Missing, "missing", nil, "`TEXT` that stands for a missing cell, beside the empty one (repeatable)")
	flags.StringVar(&f.read.Decimal, "decimal", "", "decimal `SIGN` of numbers in text, . or , (default .)")
	flags.StringVar(&f.read.Thousands, "thousands", "", "`SIGN` that groups the digits of numbers in text by three: . , ' _ or a space")
	flags.StringSliceVar(&f.read.Numbers, "numbers", nil, "other `NOTATIONS` of numbers in text: percent, fortran")
	flags.IntVar(&f.read.SkipRows, "skip-rows", 0, "`NUMBER` of lines of each text before its header")
	flags.IntVar(&f.read.SkipFooter, "skip-footer", 0, "`NUMBER` of lines of each text after its last row")
	flags.StringSliceVar(&f.read.SkipLines, "skip-lines", nil, "`KINDS` of lines of a text to leave out: units (below the header), headers (repeated)")
	flags.StringVar(&f.read.Comment, "comment", "", "`TEXT` that lines of a text start with which are left out, as #")
	flags.Int64Var(&f.lineLimit, "line-limit", 64, "`MIB` that a line of a text may have")
	flags.StringArrayVar(&f.read.Drop, "drop", nil, "`COLUMNS` to leave out, with commas between them; time_* is a pattern (repeatable)")
	flags.StringArrayVar(&f.read.Categorical, "categorical", nil, "`COLUMNS` to read as categories whatever their cells look like, as in --drop (repeatable)")
	flags.StringVar(&f.read.Format, "format", "", "`FORMAT` of the shards where their names do not tell: "+strings.Join(dataset.FormatNames(), ", "))
}

// table returns the table of the shards.
func (f *dataFlags) table(cmd *cobra.Command, shards []string) (beam.Table, error) {
	read := f.read
	read.NoHeader = !f.header
	var errs []error
	if cmd.Flags().Changed("line-limit") {
		if f.lineLimit < 1 || f.lineLimit > 1<<20 {
			errs = append(errs, fmt.Errorf("--line-limit is %d: want 1 to %d MiB", f.lineLimit, 1<<20))
		}
		read.LineLimit = f.lineLimit << 20
	}
	switch f.delimiter {
	case "":
	case `\t`, "tab":
		read.Delimiter = '\t'
	case "whitespace":
		read.Delimiter = dataset.Whitespace
	default:
		r, size := utf8.DecodeRuneInString(f.delimiter)
		if size != len(f.delimiter) || r == utf8.RuneError {
			errs = append(errs, fmt.Errorf(`--delimiter is %q: want one character, "\t" or whitespace`, f.delimiter))
		}
		read.Delimiter = r
	}
	if len(shards) == 0 {
		errs = append(errs, fmt.Errorf("SHARDS are missing: usage is %s", cmd.UseLine()))
	}
	return beam.Table{Shards: shards, Read: read}, errors.Join(errs...)
}

// refused are flags of fspca that cannot be with shards, and why.
type refused map[string]string

// register makes the flags known, so that they are told of in plain words.
func (r refused) register(cmd *cobra.Command) {
	for name := range r {
		cmd.Flags().String(name, "", "")
		flag := cmd.Flags().Lookup(name)
		flag.Hidden, flag.NoOptDefVal = true, "true"
	}
}

func (r refused) check(cmd *cobra.Command) error {
	var errs []error
	for name, why := range r {
		if cmd.Flags().Changed(name) {
			errs = append(errs, fmt.Errorf("--%s is not for shards: %s", name, why))
		}
	}
	return errors.Join(errs...)
}
