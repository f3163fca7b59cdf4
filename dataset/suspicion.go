package dataset

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/lists"
)

// suspicions are the rules for what surely is a mistake in a table. Each returns what it found, or
// "". A rule must be quiet on every table that is as it should be: those of the tests are the
// embedded ones and real data.
var suspicions = []struct {
	code, name string
	find       func(*Frame) string
}{
	{"W101", "numeric-header", numericHeader},
	{CountsRows, "counts-rows", rowCounter},
	{"W103", "symmetric-table", symmetricTable},
	{"W104", "class-per-row", classPerRow},
	{"W107", "totals-row", totalsRow},
	{"W114", "samples-in-columns", samplesInColumns},
	{"W118", "alike-levels", alikeLevels},
}

// CountsRows is the code of the warning about a column that counts the rows or holds dates in order.
const CountsRows = "W102"

// fewRows is the number of rows below which a pattern over the rows may be chance.
const fewRows = 5

// rampRows is the number of rows from which equal steps are a pattern, and no small example.
const rampRows = 8

// numericHeader finds names that are all numbers, as where the first row was taken for the header.
// Names that rise or fall evenly, such as years, or all the way through many, such as wavelengths,
// are names.
func numericHeader(f *Frame) string {
	if f.src.reading == nil || f.src.reading.Transpose || len(f.cols) < 2 {
		return "" // a column named those of a transposed table
	}
	var values []float64
	for _, c := range f.cols {
		v, ok := numberName(c.Name)
		if !ok {
			return ""
		}
		values = append(values, v)
	}
	steps, even := monotone(values)
	if len(values) == 2 { // which always are even
		even = math.Abs(values[1]-values[0]) == 1
	}
	if even || steps && len(values) >= fewRows {
		return ""
	}
	return fmt.Sprintf("all column names are numbers (%s): if the file has no header, say so (option header: false)", quotedNames(f.Names()))
}

// numberName returns the number that a name is, in whatever notation; NaN for one that is not plain.
func numberName(name string) (float64, bool) {
	if v, kind := parseCell(name); kind == numberCell {
		return v, true
	}
	d, ok := unmask(name, delimited.Notation{})
	return math.NaN(), ok && !slices.Contains(d.by, unitName)
}

// monotone reports whether numbers rise or fall all the way, and whether they do so by equal steps.
func monotone(x []float64) (all, even bool) {
	if len(x) < 2 || x[1] == x[0] {
		return false, false
	}
	step := x[1] - x[0]
	even = true
	for i := 1; i < len(x); i++ {
		d := x[i] - x[i-1]
		if !(d*step > 0) {
			return false, false
		}
		even = even && math.Abs(d-step) <= 1e-9*(math.Abs(step)+math.Abs(x[i]))
	}
	return true, even
}

// rowCounter finds a column that rises or falls from row to row by equal steps: a row number, a time
// or dates.
func rowCounter(f *Frame) string {
	if f.rows < rampRows {
		return ""
	}
	for j, c := range f.cols {
		switch {
		case c.Factor != nil && dateRamp(c.Factor):
			return fmt.Sprintf("the column %q holds a different date in each row, so each date is a category of one row: leave it out (option drop), or name the rows by it (option id)", c.Name)
		case c.Factor != nil:
		case slices.Contains(indexNames, strings.ToLower(c.Name)) && numberedRows(f, f.place(j)):
			return fmt.Sprintf("the column %q has a name for row numbers, and rises from row to row as they do: leave it out (option drop), or name the rows by it (option id)", c.Name)
		case slices.Contains(timeNames, strings.ToLower(c.Name)) && numberedRows(f, f.place(j)):
			return fmt.Sprintf("the column %q has a name for times, and rises from row to row as they do: leave it out (option drop), or name the rows by it (option id)", c.Name)
		case numberRamp(f, f.place(j)):
			return fmt.Sprintf("the column %q rises or falls by equal steps from row to row, as row numbers and dates do: leave it out (option drop), or name the rows by it (option id)", c.Name)
		case isIDName(c.Name) && differentWholes(f, f.place(j)):
			return fmt.Sprintf("the column %q has a name for identifiers, and holds another whole number in each row: leave it out (option drop), or name the rows by it (option id)", c.Name)
		case dateNumbers(f, f.place(j)):
			return fmt.Sprintf("the column %q holds dates as numbers (%.0f), whose differences are no times: leave it out (option drop), or name the rows by it (option id)", c.Name, f.x.At(0, f.place(j)))
		}
	}
	return ""
}

// indexNames are what programs call the column of row numbers that they write, in lower case.
var indexNames = []string{"unnamed: 0", "index", "row", "row_id", "rowid", "row number", "row_number", "rownum", "rownames", "id", "idx", "x.1", "...1", "_c0", "level_0"}

// timeNames are what columns of times are called, in lower case.
var timeNames = []string{"timestamp", "datetime", "date", "unix_time", "unixtime", "epoch_time"}

// idNames are names of identifiers: "customer_id", "PassengerId", "patient id".
var idNames = regexp.MustCompile(`(?i:(^|[ _.-])(id|uid|uuid|key)$)|[a-z](Id|ID)$`)

// isIDName reports whether a column is called as those are that name the rows.
func isIDName(name string) bool {
	return slices.Contains(indexNames, strings.ToLower(name)) || idNames.MatchString(name)
}

// differentWholes reports whether whole numbers are not negative and differ in all rows.
func differentWholes(f *Frame, place int) bool {
	seen := make(map[float64]bool, fewRows)
	for i := range f.rows {
		v := f.x.At(i, place)
		if !(v >= 0) || v != math.Trunc(v) || seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}

// numberedRows reports whether whole numbers rise from row to row, perhaps with gaps.
func numberedRows(f *Frame, place int) bool {
	before := math.Inf(-1)
	for i := range f.rows {
		v := f.x.At(i, place)
		if !(v > before) || v != math.Trunc(v) {
			return false
		}
		before = v
	}
	return true
}

func numberRamp(f *Frame, place int) bool {
	var first [fewRows]float64
	head := first[:]
	for i := range head {
		head[i] = f.x.At(i, place)
	}
	days := datesOf(head)
	_, even := monotone(head)
	if !even && !evenDays(days) {
		return false // nearly all columns are, at once
	}
	column := lists.Make(f.rows, func(i int) float64 { return f.x.At(i, place) })
	if even {
		_, even = monotone(column)
	}
	return even || days != nil && evenDays(datesOf(column))
}

// symmetricTable finds a square table that equals its transpose, as a covariance does.
func symmetricTable(f *Frame) string {
	if f.x == nil || f.x.IsEmpty() || len(f.cols) != f.rows {
		return ""
	}
	n, p := f.x.Dims()
	if n != p || n < 3 {
		return ""
	}
	for i := range n {
		for j := range i {
			if f.x.At(i, j) != f.x.At(j, i) {
				return ""
			}
		}
	}
	return symmetric(n)
}

func symmetric(n int) string {
	return fmt.Sprintf("the table has as many rows as columns (%d) and is symmetric, like a covariance, correlation or distance matrix: give rows of measurements (fit reads a covariance with --covariance)", n)
}

// classPerRow finds a class column of which nearly every row has a class of its own.
func classPerRow(f *Frame) string {
	return manyClasses(f.className, f.class)
}

func manyClasses(name string, class *Factor) string {
	if class == nil || class.Numbers != nil || len(class.Codes) < fewRows {
		return ""
	}
	rows := len(class.Codes)
	classes := lists.Count(lists.Tally(len(class.Levels), class.Codes), func(n int) bool { return n > 0 })
	if classes < 3 || 10*classes < 9*rows {
		return ""
	}
	return fmt.Sprintf("the label %q has %d classes in %d rows: it seems to name the rows (option id), or to be a number to predict (data.task: regression)", name, classes, rows)
}

// sampleNames are what rows are called where samples are in columns.
var sampleNames = regexp.MustCompile(`(?i)^(cell|sample|patient|subject|donor|individual|gsm|srr|err|tcga|barcode)([ ._-]?[a-z0-9]{0,4})*[0-9]`)

// samplesInColumns finds columns that are called as rows are.
func samplesInColumns(f *Frame) string {
	others, most := 0, len(f.cols)/10
	for _, c := range f.cols {
		if c.Factor == nil && !sampleNames.MatchString(c.Name) {
			if others++; others > most {
				return ""
			}
		}
	}
	names := f.NumericNames()
	if len(names) < 3 || 10*others > len(names) {
		return ""
	}
	return fmt.Sprintf("the column names look like names of rows (%s): if the features are in rows, transpose the table (option transpose)", quotedNames(names))
}

// alikeLevels finds levels of the class or of a category that differ only in case or in the space
// within, such as "Yes" and "yes". Single letters may differ so, as alleles do.
func alikeLevels(f *Frame) string {
	if text := alike(f.className, f.class); text != "" {
		return text
	}
	for _, c := range f.cols {
		if text := alike(c.Name, c.Factor); text != "" {
			return text
		}
	}
	return ""
}

func alike(name string, c *Factor) string {
	if c == nil || c.Numbers != nil || 2*len(c.Levels) > len(c.Codes) {
		return "" // names of rows
	}
	seen := make(map[string]string, len(c.Levels))
	for _, level := range c.Levels {
		key := strings.Join(strings.Fields(strings.ToLower(level)), " ")
		if other, ok := seen[key]; ok && len(key) > 1 {
			return fmt.Sprintf("the levels %q and %q of the column %q differ only in capital letters or space, and are two: write them alike if they are one", other, level, name)
		}
		seen[key] = level
	}
	return ""
}
