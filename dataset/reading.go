package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/words"
)

// A Reading holds the options with which a table was read, those with which new data for a model
// must be read too. [Frame], [Sparse] and models keep it; see [ReadOptions.As]. Zero fields
// are defaults.
type Reading struct {
	Missing    []string `json:"missing,omitempty"`
	Delimiter  string   `json:"delimiter,omitempty"` // one character, tab or whitespace
	Decimal    string   `json:"decimal,omitempty"`
	Thousands  string   `json:"thousands,omitempty"`
	Numbers    []string `json:"numbers,omitempty"`
	SkipRows   int      `json:"skip_rows,omitempty"`
	SkipFooter int      `json:"skip_footer,omitempty"`
	SkipLines  []string `json:"skip_lines,omitempty"`
	Comment    string   `json:"comment,omitempty"`
	Header     *bool    `json:"header,omitempty"` // false where there was none
	IndexBase  *int     `json:"index_base,omitempty"`
	Transpose  bool     `json:"transpose,omitempty"`

	// Columns is the number of columns if they have no names but x1, x2, …; 0 if they have names.
	// Label is the place of the label among them, from 1; 0 without one. LabelText says that the
	// label was text and not numbers.
	Columns   int  `json:"columns,omitempty"`
	Label     int  `json:"label,omitempty"`
	LabelText bool `json:"label_text,omitempty"`
}

// readingOptions are the options that a Reading holds, by their names in YAML. Most are fields of the same name and
// type in both structs.
var readingOptions = []readingOption{
	{name: "missing", field: "Missing"},
	{"delimiter", "Delimiter",
		func(r *Reading, o *ReadOptions) { r.Delimiter = delimiterName(o.Delimiter) },
		func(r *Reading, o *ReadOptions) { o.Delimiter = delimiterOf(r.Delimiter) }},
	{name: "decimal", field: "Decimal"},
	{name: "thousands", field: "Thousands"},
	{name: "numbers", field: "Numbers"},
	{name: "skip_rows", field: "SkipRows"},
	{name: "skip_footer", field: "SkipFooter"},
	{name: "skip_lines", field: "SkipLines"},
	{name: "comment", field: "Comment"},
	{"header", "Header",
		func(r *Reading, o *ReadOptions) {
			if o.NoHeader {
				r.Header = new(bool)
			}
		},
		func(_ *Reading, o *ReadOptions) { o.NoHeader = true }},
	{"index_base", "IndexBase",
		func(r *Reading, o *ReadOptions) {
			if o.Base != AutoBase {
				r.setBase(o.Base == ZeroBased)
			}
		},
		func(r *Reading, o *ReadOptions) {
			if o.Base = OneBased; *r.IndexBase == 0 {
				o.Base = ZeroBased
			}
		}},
	{name: "transpose", field: "Transpose"},
}

type readingOption struct {
	name, field string
	to, from    func(*Reading, *ReadOptions) // how it is taken from options and put into them; nil for the field of the same name
}

func (o readingOption) of(r *Reading) reflect.Value {
	return reflect.ValueOf(r).Elem().FieldByName(o.field)
}

// text is what the option says, "" where it is not set.
func (o readingOption) text(r *Reading) string {
	v := o.of(r)
	switch {
	case v.IsZero() || o.field == "Header" && *r.Header:
		return ""
	case v.Kind() == reflect.Slice:
		return strings.Join(v.Interface().([]string), ", ")
	}
	return fmt.Sprint(reflect.Indirect(v))
}

// record takes what the option says over from opt.
func (o readingOption) record(r *Reading, opt *ReadOptions) {
	if o.to != nil {
		o.to(r, opt)
		return
	}
	from := reflect.ValueOf(opt).Elem().FieldByName(o.field)
	if list, ok := from.Interface().([]string); ok {
		from = reflect.ValueOf(slices.Clone(list))
	}
	o.of(r).Set(from)
}

// apply puts what the option says into opt.
func (o readingOption) apply(r *Reading, opt *ReadOptions) {
	if o.from != nil {
		o.from(r, opt)
		return
	}
	reflect.ValueOf(opt).Elem().FieldByName(o.field).Set(o.of(r))
}

// The names of delimiters that are no visible character.
const (
	tabName        = "tab"
	whitespaceName = "whitespace"
)

func delimiterName(d rune) string {
	switch d {
	case 0:
		return ""
	case '\t':
		return tabName
	case Whitespace:
		return whitespaceName
	}
	return string(d)
}

func delimiterOf(name string) rune {
	switch name {
	case "":
		return 0
	case tabName:
		return '\t'
	case whitespaceName:
		return Whitespace
	}
	d, _ := utf8.DecodeRuneInString(name)
	return d
}

func (r *Reading) setBase(zero bool) {
	base := 1
	if zero {
		base = 0
	}
	r.IndexBase = &base
}

// readingOf returns what options say to a reader of a kind.
func readingOf(kind readerKind, opt ReadOptions) Reading {
	var r Reading
	for _, o := range readingOptions {
		if takes(kind, o.name) {
			o.record(&r, &opt)
		}
	}
	return r
}

// IsZero reports whether the table was read with default options.
func (r Reading) IsZero() bool {
	return r.Columns == 0 && r.Label == 0 &&
		!slices.ContainsFunc(readingOptions, func(o readingOption) bool { return o.text(&r) != "" })
}

// Lines says which lines at the start and end of a text are skipped, such as "the first 3 lines
// and the last line are"; "" if none is.
func (r Reading) Lines() string {
	var parts []string
	for _, part := range []struct {
		which string
		lines int
	}{{"first", r.SkipRows}, {"last", r.SkipFooter}} {
		switch {
		case part.lines == 1:
			parts = append(parts, "the "+part.which+" line")
		case part.lines > 1:
			parts = append(parts, fmt.Sprintf("the %s %d lines", part.which, part.lines))
		}
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, " and ") + words.Of(r.SkipRows+r.SkipFooter, " is", " are")
}

// UnmarshalJSON reads what json.Marshal wrote. An unknown field, or a value that the option does
// not take, is an error.
func (r *Reading) UnmarshalJSON(b []byte) error {
	type plain Reading
	var read plain
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&read); err != nil {
		return err
	}
	if err := Reading(read).check(); err != nil {
		return err
	}
	*r = Reading(read)
	return nil
}

// check returns what no option can be.
func (r Reading) check() error {
	errs := []error{(ReadOptions{Decimal: r.Decimal, Thousands: r.Thousands, Numbers: r.Numbers,
		SkipRows: r.SkipRows, SkipFooter: r.SkipFooter, SkipLines: r.SkipLines, Comment: r.Comment}).CheckText()}
	if d := delimiterOf(r.Delimiter); d != 0 && (!delimited.ValidDelimiter(d) || delimiterName(d) != r.Delimiter) {
		errs = append(errs, fmt.Errorf("delimiter is %q: want one character, tab or whitespace", r.Delimiter))
	}
	if r.IndexBase != nil && *r.IndexBase != 0 && *r.IndexBase != 1 {
		errs = append(errs, fmt.Errorf("index_base is %d: want 0 or 1", *r.IndexBase))
	}
	if r.Columns < 0 || r.Label < 0 || r.Label > r.Columns || r.LabelText && r.Label == 0 {
		errs = append(errs, fmt.Errorf("label is %d of %d columns", r.Label, r.Columns))
	}
	return errors.Join(errs...)
}

// Override returns the reading without the options of the given YAML names, which are replaced,
// and a line for each one that differs in opt. Other names are ignored.
func (r Reading) Override(given []string, opt ReadOptions) (left Reading, differ []string) {
	left = r
	for _, o := range readingOptions {
		was := o.text(&r)
		if was == "" || !slices.Contains(given, o.name) {
			continue
		}
		var now Reading
		o.record(&now, &opt)
		text := o.text(&now)
		switch {
		case text == was:
		case text == "" && o.name == "header":
			text = "true"
		case text == "" && o.name == "transpose":
			text = "false"
		case text == "" && o.name == "index_base":
			text = "auto"
		}
		if text != was {
			differ = append(differ, fmt.Sprintf("%s is %q here, and the data of the model were read with %q", o.name, text, was))
		}
		o.of(&left).SetZero()
	}
	return left, differ
}
