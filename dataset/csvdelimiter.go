package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/delimited"
)

// separatorLine returns the delimiter that the first line of a spreadsheet's file
// names, as "sep=;".
func separatorLine(line string) (rune, bool) {
	line = strings.Trim(strings.TrimRight(line, " \r"), `"`)
	if len(line) < 5 || !strings.EqualFold(line[:4], "sep=") {
		return 0, false
	}
	r, size := utf8.DecodeRuneInString(line[4:])
	return r, size == len(line)-4 && delimited.ValidDelimiter(r)
}

// otherDelimiter reports whether the first records show that another delimiter
// stands between cells.
func (t *csvTable) otherDelimiter(head []delimited.Record, guess bool) error {
	if t.indexed(head) {
		return errors.New(`the lines look like sparse rows, "label index:value …": give their format (option format: "svmlight")`)
	}
	if t.form.Delimiter == ' ' && hasEmpty(head) && alignedCells(head, " ") {
		return errors.New("the cells seem to be aligned by several spaces (option delimiter: whitespace)")
	}
	if !guess || len(head[0].Fields) != 1 {
		return nil
	}
	right := delimiterText(t.form.Delimiter)
	first := head[0].Fields[0]
	if strings.Contains(first, ",") && t.form.Delimiter == ',' {
		return fmt.Errorf("there is one column, %q: the lines seem to be in quotes as a whole: remove the quotes around them", clip(first))
	}
	for _, d := range []string{";", "\t", "|", ","} {
		if d != string(t.form.Delimiter) && strings.Contains(first, d) {
			return fmt.Errorf("there is one column, %q: the delimiter seems to be %q (option delimiter; give %s if one column is right)", clip(first), d, right)
		}
	}
	if d := t.rareDelimiter(head); d != "" {
		return fmt.Errorf("there is one column, %q: the delimiter seems to be %q (option delimiter; give %s if one column is right)", clip(first), d, right)
	}
	if alignedCells(head, "") {
		return fmt.Errorf("there is one column, %q: white space seems to stand between cells (option delimiter: whitespace; give %s if one column is right)", clip(first), right)
	}
	return nil
}

// indexed reports whether the first records are sparse rows in svmlight's format, the first with an entry beside its
// label or with two entries.
func (t *csvTable) indexed(head []delimited.Record) bool {
	between := string(t.form.Delimiter)
	if t.form.Delimiter == Whitespace {
		between = " "
	}
	for i, r := range head {
		line, _, _ := strings.Cut(strings.Join(r.Fields, between), "#")
		fields := strings.Fields(line)
		if i == 0 && len(fields) < 2 {
			return false
		}
		if len(fields) > 0 && !strings.Contains(fields[0], ":") {
			fields = fields[1:]
		}
		if len(fields) > 0 && strings.HasPrefix(fields[0], "qid:") {
			fields = fields[1:]
		}
		if slices.ContainsFunc(fields, func(s string) bool { _, _, err := parseEntry([]byte(s)); return err != nil }) {
			return false
		}
	}
	return true
}

// delimiterText writes a delimiter as the option takes it.
func delimiterText(d rune) string {
	if d == Whitespace {
		return whitespaceName
	}
	return strconv.Quote(string(d))
}

// quotedEnd says where a quoted cell has to end.
func quotedEnd(d rune) string {
	if d == ',' {
		return "a comma"
	}
	return delimiterText(d)
}

// rareDelimiter returns a character that divides every line into equally many cells, several of which
// are numbers below the first line; "" if there is none.
func (t *csvTable) rareDelimiter(head []delimited.Record) string {
	for _, d := range []string{":", "~", "^", "\x01", "\v", "\x1f", "&", "!", "#", "/"} {
		want := strings.Count(head[0].Fields[0], d)
		if want == 0 || len(head) < 2 {
			continue
		}
		divides := !slices.ContainsFunc(head[1:], func(r delimited.Record) bool {
			cells := strings.Split(r.Fields[0], d)
			return len(cells) != want+1 || slices.ContainsFunc(cells, func(s string) bool {
				_, kind := t.form.Numbers.Parse(strings.TrimSpace(s))
				return s != "" && kind != delimited.Number
			})
		})
		if divides && !t.hasNumber(delimited.Record{Fields: strings.Split(head[0].Fields[0], d)}) {
			return d
		}
	}
	return ""
}

// quotedDelimiter returns the delimiter with which the first records, which have
// quotes, can be read; "" if there is none.
func (t *csvTable) quotedDelimiter() string {
	for _, d := range []struct {
		delimiter rune
		name      string
	}{{';', `";"`}, {',', `","`}, {'\t', `"\t"`}, {'|', `"|"`}, {Whitespace, "whitespace"}} {
		if d.delimiter == t.form.Delimiter {
			continue
		}
		form := t.form
		form.Delimiter = d.delimiter
		head, err := t.source.Head(form, headRecords)
		if err != nil || len(head) == 0 || len(head[0].Fields) < 2 {
			continue
		}
		width := len(head[len(head)-1].Fields)
		if first := len(head[0].Fields); (first == width || first == width-1) && !slices.ContainsFunc(head[1:], func(r delimited.Record) bool { return len(r.Fields) != width }) {
			return d.name
		}
	}
	return ""
}

func hasEmpty(head []delimited.Record) bool {
	return slices.ContainsFunc(head, func(r delimited.Record) bool { return slices.Contains(r.Fields, "") })
}

// alignedCells reports whether white space would divide every line into equally
// many cells, more than one. The first line may have one less, as R writes it.
func alignedCells(head []delimited.Record, delimiter string) bool {
	if len(head) < 2 {
		return false
	}
	head = slices.DeleteFunc(slices.Clone(head), func(r delimited.Record) bool { return strings.Join(r.Fields, "") == "" })
	if len(head) < 2 {
		return false
	}
	count := func(r delimited.Record) int {
		return len(strings.FieldsFunc(strings.Join(r.Fields, delimiter), func(c rune) bool { return c == ' ' || c == '\t' }))
	}
	want := count(head[1])
	for _, r := range head[2:] {
		if count(r) != want {
			return false
		}
	}
	first := count(head[0])
	return first > 1 && (first == want || first == want-1)
}
