package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/lists"
)

// A readerKind is one of the ways in which tables are read.
type readerKind int

const (
	textReader   readerKind = iota // delimited text
	sheetReader                    // a sheet of a workbook, read as text
	arrayReader                    // .npy
	arraysReader                   // .npz
	indexReader                    // svmlight
	marketReader                   // Matrix Market
	columnReader                   // a file of typed columns, such as Parquet
)

type readOption struct {
	name    string
	given   func(*ReadOptions) bool
	readers []readerKind
}

// readOptions is the one table of which reader takes which option: an option is used by a reader
// or refused. The names are those of YAML keys; flags have - for _.
var readOptions = []readOption{
	{"label", func(o *ReadOptions) bool { return o.Label != "" }, []readerKind{textReader, sheetReader, arrayReader, arraysReader, indexReader, columnReader}},
	{"id", func(o *ReadOptions) bool { return o.ID != "" }, []readerKind{textReader, sheetReader, arrayReader, arraysReader, indexReader, marketReader, columnReader}},
	{"drop", func(o *ReadOptions) bool { return len(o.Drop) > 0 }, []readerKind{textReader, sheetReader, arrayReader, arraysReader, indexReader, marketReader, columnReader}},
	{"categorical", func(o *ReadOptions) bool { return len(o.Categorical) > 0 }, []readerKind{textReader, sheetReader, arrayReader, arraysReader, columnReader}},
	{"missing", func(o *ReadOptions) bool { return len(o.Missing) > 0 }, []readerKind{textReader, sheetReader, arrayReader, arraysReader, columnReader}},
	{"delimiter", func(o *ReadOptions) bool { return o.Delimiter != 0 }, []readerKind{textReader}},
	{"decimal", func(o *ReadOptions) bool { return o.Decimal != "" }, []readerKind{textReader}},
	{"thousands", func(o *ReadOptions) bool { return o.Thousands != "" }, []readerKind{textReader}},
	{"numbers", func(o *ReadOptions) bool { return len(o.Numbers) > 0 }, []readerKind{textReader, sheetReader}},
	{"skip_rows", func(o *ReadOptions) bool { return o.SkipRows != 0 }, []readerKind{textReader, sheetReader}},
	{"skip_footer", func(o *ReadOptions) bool { return o.SkipFooter != 0 }, []readerKind{textReader, sheetReader}},
	{"skip_lines", func(o *ReadOptions) bool { return len(o.SkipLines) > 0 }, []readerKind{textReader, sheetReader}},
	{"comment", func(o *ReadOptions) bool { return o.Comment != "" }, []readerKind{textReader, sheetReader}},
	{"header", func(o *ReadOptions) bool { return o.NoHeader }, []readerKind{textReader, sheetReader}},
	{"index_base", func(o *ReadOptions) bool { return o.Base != AutoBase }, []readerKind{indexReader}},
	{"transpose", func(o *ReadOptions) bool { return o.Transpose }, []readerKind{textReader, sheetReader, arrayReader, arraysReader, marketReader}},
	{"names", func(o *ReadOptions) bool { return o.Names != "" }, []readerKind{textReader, sheetReader, arrayReader, arraysReader, indexReader, marketReader}},
	{"line_limit", func(o *ReadOptions) bool { return o.LineLimit != 0 }, []readerKind{textReader, sheetReader, indexReader, marketReader}},
	{"sheet", func(o *ReadOptions) bool { return o.Sheet != "" }, []readerKind{sheetReader, arraysReader}},
}

// kindNames are what the readers are called in errors.
var kindNames = map[readerKind]string{
	textReader: "delimited text", sheetReader: "workbooks", arrayReader: ".npy", arraysReader: ".npz",
	indexReader: "svmlight", marketReader: "Matrix Market", columnReader: "files of typed columns",
}

// checkOptions returns an error that names every option in use that the reader of a file does not
// take.
func checkOptions(kind readerKind, format, file string, opt ReadOptions) error {
	var given []string
	for _, o := range readOptions {
		if o.given(&opt) {
			given = append(given, o.name)
		}
	}
	return refuseOptions(kind, format, file, given)
}

// takes reports whether a reader takes an option.
func takes(kind readerKind, name string) bool {
	i := slices.IndexFunc(readOptions, func(o readOption) bool { return o.name == name })
	return i >= 0 && slices.Contains(readOptions[i].readers, kind)
}

// givenOption reports whether an option is in use.
func givenOption(name string, opt *ReadOptions) bool {
	i := slices.IndexFunc(readOptions, func(o readOption) bool { return o.name == name })
	return i >= 0 && readOptions[i].given(opt)
}

// refuseOptions is checkOptions for options by name. Other names are not its business.
func refuseOptions(kind readerKind, format, file string, given []string) error {
	bad := mistakes{file: file}
	for _, o := range readOptions {
		if !slices.Contains(given, o.name) || slices.Contains(o.readers, kind) {
			continue
		}
		readers := lists.Map(o.readers, func(k readerKind) string { return kindNames[k] })
		bad.add(0, 0, "", fmt.Errorf("option %s does not apply to the format %s: it is for %s", o.name, format, strings.Join(readers, ", ")))
	}
	return bad.err()
}
