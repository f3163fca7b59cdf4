package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/text/unicode/norm"

	"github.com/fspca/fspca/dataset"
)

// Reading are the flags that say how a table is read. The options are whole after Check.
type Reading struct {
	dataset.ReadOptions

	delimiter string
	header    bool
	lineLimit int64 // MiB
}

// readFlags set fields of dataset.ReadOptions.
var readFlags = []flag{
	{"ID", "id", "", "`COLUMN` with the names of the rows; it is not a feature, and the first column of the output; for .npy, .npz, .svm and .mtx a file with a name in each line"},
	{"Delimiter", "delimiter", "", "`CHARACTER` between cells, \"\\t\" or tab for a tabulator, whitespace for any run of spaces (default a comma; a tabulator for .tsv and .tab)"},
	{"NoHeader", "header", "", "whether the first line holds the column names; --header=false names them x1, x2, …"},
	{"Missing", "missing", "", "`TEXT` that means a missing cell, in addition to the empty cell (repeatable)"},
	{"Decimal", "decimal", "", "decimal `SIGN` of numbers in text, . or , (default .)"},
	{"Thousands", "thousands", "", "`SIGN` between groups of three digits in text: . , ' _ or a space"},
	{"SkipRows", "skip-rows", "", "`NUMBER` of lines to skip at the start of a text, before the header"},
	{"SkipFooter", "skip-footer", "", "`NUMBER` of lines to skip at the end of a text"},
	{"Comment", "comment", "", "skip lines of a text that start with `TEXT`, such as #"},
	{"LineLimit", "line-limit", "", "largest size of a line of a text in `MIB`"},
	{"Drop", "drop", "", "`COLUMNS` to leave out, separated by commas; time_* is a pattern (repeatable)"},
	{"Categorical", "categorical", "", "`COLUMNS` to read as categories even if they hold numbers; as in --drop (repeatable)"},
}

// Register registers the flags.
func (r *Reading) Register(cmd *cobra.Command, labelUse string) {
	r.header, r.lineLimit = true, 64
	flags := cmd.Flags()
	flags.StringVar(&r.Label, "label", "", labelUse)
	flags.StringSliceVar(&r.Numbers, "numbers", nil, "other `NOTATIONS` of numbers in text: percent, fortran")
	flags.StringSliceVar(&r.SkipLines, "skip-lines", nil, "`KINDS` of lines to skip in a text: units (below the header), headers (that repeat it)")
	flags.StringVar(&r.Format, "format", "", "`FORMAT` of DATA if neither its first bytes nor its name show it: "+strings.Join(dataset.FormatNames(), ", "))
	for _, row := range readFlags {
		switch row.field {
		case "Delimiter":
			row.register(flags, &r.delimiter)
		case "NoHeader":
			row.register(flags, &r.header)
		case "LineLimit":
			row.register(flags, &r.lineLimit)
		default:
			row.register(flags, field(&r.ReadOptions, row.field))
		}
	}
}

// Check completes the options, and returns what is wrong with the flags.
func (r *Reading) Check(cmd *cobra.Command) error {
	var errs []error
	r.NoHeader = !r.header
	r.Label = norm.NFC.String(r.Label) // as names in files are read: it names a column of the output too
	if cmd.Flags().Changed("line-limit") {
		if r.lineLimit < 1 || r.lineLimit > 1<<20 {
			errs = append(errs, fmt.Errorf("--line-limit is %d: want 1 to %d MiB", r.lineLimit, 1<<20))
		}
		r.LineLimit = r.lineLimit << 20
	}
	switch r.delimiter {
	case "":
	case `\t`, "tab":
		r.Delimiter = '\t'
	case "whitespace":
		r.Delimiter = dataset.Whitespace
	default:
		c, size := utf8.DecodeRuneInString(r.delimiter)
		if size != len(r.delimiter) || c == utf8.RuneError {
			errs = append(errs, fmt.Errorf(`--delimiter is %q: want one character, "\t" or whitespace`, r.delimiter))
		}
		r.Delimiter = c
	}
	return errors.Join(errs...)
}
