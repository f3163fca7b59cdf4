package transformer

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/param"
)

const datesStep = "dates"

// Dates replaces each column of dates by numeric columns of its parts, named column_part, where the
// column stood. A column of dates is a categorical one whose first cell that is not missing is a
// date; every other cell of it must then be a date or missing, whose parts are missing. Other columns
// pass through. The zero value is ready for Fit, which fails if no column is of dates.
type Dates struct {
	// Format is how dates are written, in the signs of strftime: %Y-%m-%d, %d.%m.%Y %H:%M and so on
	// (%Y %y %m %d %H %M %S %b %B %z %%). "" is ISO 8601: 2026-11-28, alone or followed by a space or
	// T and a time 14:05 or 14:05:09.25, with or without a zone Z or +01:00.
	Format string
	// Parts are the parts wanted, of DateParts. None means year, month, day and
	// weekday. If a cell of Fit has a time of day other than 0:00:00, hour, minute
	// and second are added.
	Parts []string

	derived[dateOptions, dateColumn]
}

var _ Transformer = (*Dates)(nil)

type dateOptions struct {
	Format string   `json:"format"`
	Parts  []string `json:"parts"` // as asked for
}

// Check returns all that is wrong with the options.
func (d *Dates) Check() error { return dateOptions{d.Format, d.Parts}.wrong() }

func (o dateOptions) check() error { return param.In(datesStep, o.wrong()) }

func (o dateOptions) wrong() error {
	var problems []error
	if _, err := goLayout(o.Format); err != nil {
		problems = append(problems, param.Plain("Format", o.Format, "%v", err))
	}
	for i, p := range o.Parts {
		if !slices.Contains(DateParts(), p) {
			problems = append(problems, param.New("Parts", p, "some of "+strings.Join(DateParts(), ", "), "there is no part %q of a date", p))
		} else if slices.Contains(o.Parts[:i], p) {
			problems = append(problems, param.Plain("Parts", p, "the part %q is given twice", p))
		}
	}
	return errors.Join(problems...)
}

// dateColumn marks a column of dates.
type dateColumn struct{}

var datesRecipe = &recipe[dateOptions, dateColumn]{
	step: datesStep,
	level: func(o dateOptions, _ *dateColumn, part string) func(string) (float64, error) {
		layout, _ := goLayout(o.Format) // checked before
		of := dateParts[slices.Index(DateParts(), part)].of
		return func(text string) (float64, error) {
			if text == "" {
				return math.NaN(), nil
			}
			at, err := parseDate(text, layout)
			if err != nil {
				return 0, fmt.Errorf("%q is no date: want %s", text, describeFormat(o.Format))
			}
			return of(at), nil
		}
	},
	check: func(_ dateOptions, c derivedColumn[dateColumn], part string) error {
		if c.Kind != categorical || c.Learned == nil || !slices.Contains(DateParts(), part) {
			return fmt.Errorf("want a part of a date of a categorical column, got part %q of column %q", part, c.Name)
		}
		return nil
	},
}

// Fit finds the columns of dates and their parts.
func (d *Dates) Fit(grid base.FixedDataGrid) error {
	o := dateOptions{d.Format, append([]string{}, d.Parts...)}
	if err := o.check(); err != nil {
		return err
	}
	return d.fit(datesRecipe, o, grid, o.find)
}

// find returns the columns of a table, with those of dates marked, and the parts wanted of these.
func (o dateOptions) find(f *dataset.Frame) ([]derivedColumn[dateColumn], []derivedOutput, error) {
	layout, _ := goLayout(o.Format)
	var cols []derivedColumn[dateColumn]
	var outs []derivedOutput
	var problems, none []string
	for _, c := range f.Columns() {
		in := derivedColumn[dateColumn]{column: column{c.Name, kindOf(c)}}
		parts := []string{}
		if c.Factor != nil {
			switch dated, timed, bad := dates(c.Factor, layout); {
			case !dated:
				none = append(none, fmt.Sprintf("%q (first cell %q)", c.Name, firstText(c.Factor)))
			case bad != nil:
				problems = append(problems, fmt.Sprintf("column %q begins with a date, and %s: want %s in each cell, or a missing one; name the columns of dates (option columns)",
					c.Name, listed(bad), describeFormat(o.Format)))
			default:
				in.Learned, parts = &dateColumn{}, o.wanted(timed)
			}
		}
		cols = append(cols, in)
		if in.Learned == nil {
			outs = append(outs, outputOf(c.Name, c.Name, ""))
		}
		for _, part := range parts {
			outs = append(outs, outputOf(c.Name+"_"+part, c.Name, part))
		}
	}
	switch {
	case problems != nil:
		return nil, nil, fmt.Errorf("%s: %s", datesStep, strings.Join(problems, "; "))
	case !slices.ContainsFunc(cols, func(c derivedColumn[dateColumn]) bool { return c.Learned != nil }):
		return nil, nil, fmt.Errorf("%s: no column is of dates: want %s (option format) in a categorical column; %s",
			datesStep, describeFormat(o.Format), noDates(none))
	}
	return cols, outs, nil
}

func noDates(categorical []string) string {
	if categorical == nil {
		return "there is no categorical column"
	}
	return "there are " + listed(categorical)
}

// wanted returns the parts to make of a column; timed says whether it has times of day.
func (o dateOptions) wanted(timed bool) []string {
	switch {
	case len(o.Parts) > 0:
		return o.Parts
	case timed:
		return []string{"year", "month", "day", "weekday", "hour", "minute", "second"}
	}
	return []string{"year", "month", "day", "weekday"}
}

// dates reports whether the first cell of a column is a date, whether some cell has
// a time, and which are not dates.
func dates(f *dataset.Factor, layout string) (dated, timed bool, bad []string) {
	looked := make([]bool, len(f.Levels))
	for i, code := range f.Codes {
		if code < 0 || looked[code] {
			continue
		}
		looked[code] = true
		at, err := parseDate(f.Levels[code], layout)
		switch {
		case err == nil:
			h, m, s := at.Clock()
			dated, timed = true, timed || h != 0 || m != 0 || s != 0 || at.Nanosecond() != 0
		case !dated: // the first cell
			return false, false, nil
		default:
			bad = append(bad, fmt.Sprintf("row %d has %q", i+1, f.Levels[code]))
		}
	}
	return dated, timed, bad
}

func firstText(f *dataset.Factor) string {
	if i := slices.IndexFunc(f.Codes, func(code int32) bool { return code >= 0 }); i >= 0 {
		return f.Text(i)
	}
	return ""
}

// Transform yields the columns Outputs and passes the class through.
func (d *Dates) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return d.transform(datesStep, grid)
}

// Narrow returns a copy for the named outputs alone.
func (d *Dates) Narrow(outputs []string) (Transformer, error) {
	return narrowed(&Dates{d.Format, slices.Clone(d.Parts), d.derived}, datesStep, outputs)
}

// Save writes the fitted step as JSON of type "dates".
func (d *Dates) Save(w io.Writer) error { return d.save(w, datesStep) }

// Load reads what Save wrote, with the options. After an error the step is unchanged.
func (d *Dates) Load(r io.Reader) error {
	return d.load(r, datesRecipe, func(o dateOptions) { d.Format, d.Parts = o.Format, slices.Clone(o.Parts) })
}
