package dataset

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/fspca/fspca/internal/delimited"
)

// A disguise is a notation of numbers that is not read as one: the text is a
// number for people.
type disguise int

const (
	commaEither disguise = iota // "1,234": a decimal comma or groups of digits
	decimalComma
	decimalPoint // where the option decimal is ","
	commaGroups
	pointGroups
	spaceGroups
	apostropheGroups
	underscoreGroups
	percentSign
	uncertainty
	fortranExponent
	currencySign
	unitName
	magnitude
	parenthesis
	otherMinus
	minusBehind
	signApart
	comparison
	mark
	brackets
	hexadecimal
	otherBase
	powerOfTen
	fractionSign
	middlePoints
	formula
	otherDigits
	invisible
	uncomputed
)

// disguises say for each what the number has, and the option that reads it, if one
// does.
var disguises = map[disguise]struct{ what, option string }{
	commaEither:      {"a comma, which is a decimal comma or groups digits", ""},
	decimalComma:     {"a decimal comma", `decimal: ","`},
	decimalPoint:     {"a decimal point", `decimal: "."`},
	commaGroups:      {"commas between thousands", `thousands: ","`},
	pointGroups:      {"points between thousands", `thousands: "."`},
	spaceGroups:      {"spaces between thousands", `thousands: " "`},
	apostropheGroups: {"apostrophes between thousands", `thousands: "'"`},
	underscoreGroups: {"underscores between thousands", `thousands: "_"`},
	percentSign:      {"a percent sign", "numbers: [percent]"},
	uncertainty:      {"its uncertainty behind it", ""},
	fortranExponent:  {"an exponent as Fortran writes it", "numbers: [fortran]"},
	currencySign:     {"a currency", ""},
	unitName:         {"a unit", ""},
	magnitude:        {"a letter for thousands or millions", ""},
	parenthesis:      {"parentheses for minus", ""},
	otherMinus:       {"a minus sign that is not the hyphen", ""},
	minusBehind:      {"its sign behind it", ""},
	signApart:        {"a space after its sign", ""},
	comparison:       {"a sign of comparison", ""},
	mark:             {"a footnote mark", ""},
	brackets:         {"brackets around it", ""},
	hexadecimal:      {"hexadecimal digits", ""},
	fractionSign:     {"a fraction", ""},
	middlePoints:     {"a point in the middle of the line", ""},
	otherBase:        {"binary or octal digits", ""},
	powerOfTen:       {"a power of ten written out", ""},
	formula:          {"the quotes of a spreadsheet around it", ""},
	otherDigits:      {"digits that are not 0 to 9", ""},
	uncomputed:       {"a formula in the place of its value", ""},
	invisible:        {"an invisible character", ""},
}

// A disguised number is what a text is taken for.
type disguised struct {
	by   []disguise // in the order above, each once
	unit string     // what stands directly behind the number; magnitudes and directions are one each
}

// unmask returns how a text is a number in another notation than that of the
// file; false if it is none, or a number of the file's notation.
func unmask(s string, numbers delimited.Notation) (disguised, bool) {
	var d disguised
	if _, kind := (delimited.Notation{}).Parse(s); kind == delimited.Number {
		d.add(decimalPoint) // else the file's notation would have read it
		return d, numbers.Decimal == ","
	}
	if formulas.MatchString(s) {
		d.add(uncomputed)
		return d, true
	}
	if !strings.ContainsFunc(s, unicode.IsDigit) {
		return d, false
	}
	s = d.plainCharacters(s)
	s = d.stripAround(s)
	if !d.core(s) && !d.withUnit(s) {
		return d, false
	}
	slices.Sort(d.by)
	d.by = slices.Compact(d.by)
	return d, len(d.by) > 0
}

func (d *disguised) add(by ...disguise) { d.by = append(d.by, by...) }

// plainCharacters replaces signs, digits and spaces by those of ASCII, and leaves out
// what no one sees.
func (d *disguised) plainCharacters(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x80:
			return r
		case unicode.Is(unicode.Zs, r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			d.add(invisible)
			return -1
		case strings.ContainsRune("\u2212\u2010\u2011\u2012\u2013\u2014\ufe63\uff0d", r):
			d.add(otherMinus)
			return '-'
		case unicode.IsDigit(r):
			d.add(otherDigits)
			return '0' + digitValue(r)
		case r == '\uff0e':
			return '.'
		case r == '\uff0c' || r == '\u066b':
			return ','
		case r == '\u2019' || r == '\u02bc' || r == '\uff07':
			return '\''
		case r == '\uff05' || r == '\u066a':
			return '%'
		}
		return r
	}, s)
}

// digitValue returns the value of a decimal digit, of which Unicode has runs of ten.
func digitValue(r rune) rune {
	before := rune(0)
	for unicode.IsDigit(r - before - 1) {
		before++
	}
	return before % 10
}

// formulas are those of spreadsheets, such as "=A1+B2", "=SUM(A1:A9)" or "=" of one that stands elsewhere.
var formulas = regexp.MustCompile(`^=$|^=[+(-]*(?:\$?[A-Z]{1,3}\$?[0-9]+(?:$|[^A-Za-z0-9])|[A-Z][A-Z0-9.]*\()`)

var (
	// currencies are the codes and abbreviations that stand beside amounts.
	currencies = `(?:[A-Z]{1,3}\$|\p{Sc}|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RUB|BRL|MXN|ZAR|KRW|TRY|SGD|HKD|Rs\.?|kr\.?|zł|Fr\.?)`

	quotesAround  = regexp.MustCompile(`^="(.*)"$|^'(.*)'$|^'(.*[^'])$|^"(.*)"$|^[“„](.*)[”“]$|^[‘‚](.*)[’‘]$`)
	plusMinus     = regexp.MustCompile(`^(.*[0-9.,])\s*(?:(?:±|\+/-|\+-)\s*[0-9][0-9.,]*|\([0-9][0-9.,]*\))$`)
	parentheses   = regexp.MustCompile(`^\((.*)\)$`)
	bracketed     = regexp.MustCompile(`^\[(.*)\]$|^(?:np\.|numpy\.)?(?:u?int|float|Decimal|array|tensor)[0-9]*\(\[?'?([^,'()]*)'?\]?\)$`)
	compares      = regexp.MustCompile(`^(?:<=|>=|[<>≤≥~≈±=]|ca\.?\s|approx\.?\s|about\s|circa\s)\s*(.*)$`)
	currencyFirst = regexp.MustCompile(`^([+-]?)\s*` + currencies + `\s*(.*)$`)
	currencyLast  = regexp.MustCompile(`^(.*[0-9.,-])\s*` + currencies + `$`)
	marks         = regexp.MustCompile(`^(.*[0-9%])\s*(?:[*†‡§¶#⁰¹²³⁴-⁹]+|\[[0-9a-z]\]|\s#.*)$`)
	signBehind    = regexp.MustCompile(`^([0-9].*)[+-]$`)
	signBefore    = regexp.MustCompile(`^([+-])\s+(.*)$`)
)

// stripAround takes off what stands around a number.
func (d *disguised) stripAround(s string) string {
	take := func(re *regexp.Regexp, by disguise) {
		if m := re.FindStringSubmatch(s); m != nil {
			s = strings.TrimSpace(strings.Join(m[1:], ""))
			d.add(by)
		}
	}
	take(quotesAround, formula)
	take(bracketed, brackets)
	if !tenPower.MatchString(s) { // "10³" is no footnote
		take(marks, mark)
	}
	take(compares, comparison)
	take(plusMinus, uncertainty)
	take(parentheses, parenthesis)
	take(currencyFirst, currencySign)
	take(currencyLast, currencySign)
	if cut, ok := strings.CutSuffix(s, "%"); ok {
		s = strings.TrimSpace(cut)
		d.add(percentSign)
	}
	take(signBehind, minusBehind)
	take(signBefore, signApart)
	take(parentheses, parenthesis)
	return s
}

// wholes are notations that have no part which could be in another.
var wholes = []struct {
	pattern *regexp.Regexp
	by      disguise
}{{hexNumber, hexadecimal}, {otherBases, otherBase}, {vulgar, fractionSign}, {middlePoint, middlePoints}}

var (
	vulgar      = regexp.MustCompile(`^([+-]?[0-9]+)?\s*[¼-¾⅐-⅞]$|^([+-]?[0-9]+) [0-9]{1,3}/[0-9]{1,3}$`)
	middlePoint = regexp.MustCompile(`^[+-]?[0-9]+[·∙][0-9]+$`)
	hexNumber   = regexp.MustCompile(`^[+-]?0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?(?:[pP][+-]?[0-9]+)?$`)
	otherBases  = regexp.MustCompile(`^[+-]?(?:0[bB][01]+|0[oO][0-7]+)$`)
	tenPower    = regexp.MustCompile(`^(?:(.*[0-9])\s*[x×*·⋅]\s*)?10\s*(?:\^|\*\*|[⁺⁻⁰¹²³⁴-⁹])\s*[({]?[+⁺⁻-]?[0-9⁰¹²³⁴-⁹]*[)}]?$|^(.*[0-9])\s*[x×*·⋅]\s*10[+-]?[0-9]+$|^(.*[0-9])\*\^[+-]?[0-9]+$|^(.*[0-9])[eE]\^[({]?[+-]?[0-9]+[)}]?$|^(.*[0-9.])(?: [eE]\s?|[eE]\s)[+-]?[0-9]+$`)
	fortranLast = regexp.MustCompile(`^(.*[0-9.])(?:[dDqQ][+-]?[0-9]+|[+-][0-9]{3})$`)
	exponent    = regexp.MustCompile(`^(.*[0-9.,])[eE][+-]?[0-9]+$`)
)

// core reads a number without anything around it.
func (d *disguised) core(s string) bool {
	if _, kind := (delimited.Notation{}).Parse(s); kind == delimited.Number {
		return true
	}
	for _, whole := range wholes {
		if whole.pattern.MatchString(s) {
			d.add(whole.by)
			return true
		}
	}
	if m := tenPower.FindStringSubmatch(s); m != nil {
		d.add(powerOfTen)
		if s = strings.Join(m[1:], ""); s == "" {
			return true
		}
	} else if m := exponent.FindStringSubmatch(s); m != nil {
		s = m[1]
	} else if m := fortranLast.FindStringSubmatch(s); m != nil && (strings.ContainsAny(s, "dDqQ") || strings.Contains(m[1], ".")) {
		d.add(fortranExponent)
		s = m[1]
	}
	return d.mantissa(strings.TrimLeft(s, "+-"))
}

var (
	plainNumber = regexp.MustCompile(`^(?:[0-9]+\.?[0-9]*|\.[0-9]+)$`)
	oneComma    = regexp.MustCompile(`^[0-9]*,[0-9]+$|^[0-9]+,$`)
	eitherComma = regexp.MustCompile(`^[1-9][0-9]{0,2},[0-9]{3}$`)

	// What groups the digits, with a fraction behind.
	groupings = []struct {
		by      disguise
		pattern *regexp.Regexp
	}{
		{commaGroups, regexp.MustCompile(`^[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?:\.[0-9]*)?$`)}, // 1,00,000 in India
		{pointGroups, regexp.MustCompile(`^[0-9]{1,3}(?:\.[0-9]{3})*\.[0-9]{3}(?:(,)[0-9]*)?$`)},
		{spaceGroups, regexp.MustCompile(`^[0-9]{1,3}(?: [0-9]{3})+(?:(?:\.|(,))[0-9 ]*)?$`)},
		{apostropheGroups, regexp.MustCompile(`^[0-9]{1,3}(?:'[0-9]{3})+(?:(?:\.|(,))[0-9]*)?$`)},
		{underscoreGroups, regexp.MustCompile(`^[0-9]{1,3}(?:_[0-9]{3})+(?:\.[0-9]*)?$`)},
	}
)

// mantissa reads digits with signs between them.
func (d *disguised) mantissa(s string) bool {
	switch {
	case plainNumber.MatchString(s):
		return true
	case eitherComma.MatchString(s):
		d.add(commaEither)
		return true
	case oneComma.MatchString(s):
		d.add(decimalComma)
		return true
	}
	for _, g := range groupings {
		if m := g.pattern.FindStringSubmatch(s); m != nil {
			d.add(g.by)
			if len(m) > 1 && m[1] != "" {
				d.add(decimalComma)
			}
			return true
		}
	}
	return false
}

var (
	unitApart  = regexp.MustCompile(`^(.*[0-9.,])\s+[([]?[\p{L}°µΩ‰"'/][\p{L}0-9°µΩ/²³⁻¹^·*.-]*(?: [\p{L}/][\p{L}0-9²³⁻¹^/·*.-]*){0,3}[)\]]?$`)
	unitBehind = regexp.MustCompile(`^(.*[0-9])([\p{L}°µΩ‰×′″'"]{1,4}(?:[/²³][\p{L}0-9]*)?)$`)
)
