package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/lists"
)

// cleanText returns a name or level as tables hold it: without space and invisible
// marks around it and in Unicode's form NFC, in which equal characters are equal bytes.
func cleanText(s string) string {
	s = trimCell(s)
	for i := range len(s) {
		if s[i] >= 0x80 {
			if seen := strings.TrimFunc(s, isUnseen); seen != "" {
				s = seen
			}
			return norm.NFC.String(s)
		}
	}
	return s
}

// isUnseen reports whether a character around a text is nothing: space, marks of byte order and of
// the direction of writing, spaces without width and soft hyphens.
func isUnseen(r rune) bool {
	return unicode.IsSpace(r) || r == '\ufeff' || r == '\u00ad' || r == '\u2060' || r == '\u200b' ||
		'\u200e' <= r && r <= '\u200f' || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

func cleanTexts(list []string) []string {
	if list == nil {
		return nil
	}
	return lists.Map(list, cleanText)
}

// cleaned returns the options with the names of columns as headers have them.
func (o ReadOptions) cleaned() ReadOptions {
	o.Label, o.ID = cleanText(o.Label), cleanText(o.ID)
	o.Drop, o.Only, o.Categorical, o.Numeric = cleanTexts(o.Drop), cleanTexts(o.Only), cleanTexts(o.Categorical), cleanTexts(o.Numeric)
	return o
}

// groupSigns are what can stand between groups of three digits.
var groupSigns = []string{".", ",", " ", "'", "_"}

// notation returns how numbers are written.
func (o ReadOptions) notation() (delimited.Notation, error) {
	n := delimited.Notation{Decimal: o.Decimal, Thousands: o.Thousands}
	if n.Thousands == "\u2019" {
		n.Thousands = "'"
	}
	if strings.TrimSpace(n.Thousands) == "" && n.Thousands != "" {
		n.Thousands = " "
	}
	if n.Decimal == "" {
		n.Decimal = "."
	}
	var errs []error
	if n.Decimal != "." && n.Decimal != "," {
		errs = append(errs, fmt.Errorf(`decimal is %q: want "." or ","`, o.Decimal))
	}
	if n.Thousands != "" && !slices.Contains(groupSigns, n.Thousands) {
		errs = append(errs, fmt.Errorf(`thousands is %q: want ".", ",", " ", "'" or "_"`, o.Thousands))
	}
	if n.Thousands == n.Decimal {
		errs = append(errs, fmt.Errorf("decimal and thousands are both %q: they must differ", n.Decimal))
	}
	for _, name := range o.Numbers {
		switch name {
		case "percent":
			n.Percent = true
		case "fortran":
			n.Fortran = true
		default:
			errs = append(errs, fmt.Errorf("numbers holds %q: want percent or fortran", name))
		}
	}
	return n, errors.Join(errs...)
}

// CheckText returns what is wrong with the options about numbers and lines of
// text, without a file.
func (o ReadOptions) CheckText() error {
	_, err := o.notation()
	return errors.Join(err, o.checkLines())
}

// The kinds of lines that [ReadOptions.SkipLines] names.
const (
	unitLines   = "units"
	headerLines = "headers"
)

// checkLines reports options about lines that cannot be.
func (o ReadOptions) checkLines() error {
	var errs []error
	if o.SkipRows < 0 {
		errs = append(errs, fmt.Errorf("skip_rows is %d: want 0 or more lines", o.SkipRows))
	}
	if o.SkipFooter < 0 {
		errs = append(errs, fmt.Errorf("skip_footer is %d: want 0 or more lines", o.SkipFooter))
	}
	for _, kind := range o.SkipLines {
		if kind != unitLines && kind != headerLines {
			errs = append(errs, fmt.Errorf("skip_lines holds %q: want units or headers", kind))
		}
	}
	if len(o.SkipLines) > 0 && o.NoHeader {
		errs = append(errs, errors.New("skip_lines leaves out lines below a header and like it, and the file has none (option header)"))
	}
	if strings.ContainsAny(o.Comment, "\"\r\n") || o.Comment != strings.TrimSpace(o.Comment) {
		errs = append(errs, fmt.Errorf("comment is %q: want what comment lines start with, as \"#\"", o.Comment))
	}
	return errors.Join(errs...)
}

// csvMarkers are the texts that stand for missing cells.
type csvMarkers struct {
	names    []string
	texts    map[string]int // by levelKey, the place among names
	notation delimited.Notation
	suspects []float64     // numbers that may be markers
	values   []float64     // those that are, however they are written
	places   []int         // of values among names
	seen     []atomic.Bool // which of names occurred
}

// absent returns the markers that did not occur.
func (m csvMarkers) absent() []string {
	return lists.At(m.names, lists.Places(len(m.names), func(i int) bool { return !m.seen[i].Load() }))
}

func newCSVMarkers(missing []string, notation delimited.Notation) csvMarkers {
	m := csvMarkers{notation: notation}
	for _, s := range missing {
		s = cleanText(s)
		if s == "" {
			continue
		}
		if m.texts == nil {
			m.texts = make(map[string]int)
		}
		at := len(m.names)
		m.names = append(m.names, s)
		m.texts[markerKey(s)] = at
		// A number is read in the notation of the file, and in the plain one of options.
		v, kind := notation.Parse(s)
		if kind != delimited.Number {
			v, kind = delimited.Notation{}.Parse(s)
		}
		if kind != delimited.Number {
			continue
		}
		m.suspects = append(m.suspects, v)
		if !leadingZero(s) {
			m.values, m.places = append(m.values, v), append(m.places, at)
		}
	}
	m.seen = make([]atomic.Bool, len(m.names))
	return m
}

// markerKey is levelKey, in which what is not finite counts by its value too: "-Inf" is "-infinity".
func markerKey(s string) string {
	if _, kind := parseCell(s); kind == nonFiniteCell && strings.Trim(s, "+-0123456789.eE") != "" {
		return strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(s), "+"), "inity")
	}
	return levelKey(s)
}

// has reports whether a text stands for a missing cell; a number does by its value.
func (m csvMarkers) has(text string) bool {
	if len(m.texts) == 0 {
		return false
	}
	if at, ok := m.texts[markerKey(cleanText(text))]; ok {
		m.seen[at].Store(true)
		return true
	}
	if len(m.values) == 0 || leadingZero(text) {
		return false
	}
	v, kind := m.notation.Parse(text)
	if kind != delimited.Number {
		return false
	}
	at := slices.Index(m.values, v)
	if at >= 0 {
		m.seen[m.places[at]].Store(true)
	}
	return at >= 0
}
