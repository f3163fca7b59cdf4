package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/delimited"
)

// laterStart returns an error if the table seems to start after the first
// record: with a header there, or with its first row if it has no header.
func (t *csvTable) laterStart(head []delimited.Record) error {
	width := usualWidth(head)
	if width < 2 || !suspicious(head[0], width, t.opt.NoHeader) {
		return nil
	}
	at, sign := -1, commentSign(head[:1])
	for i, r := range head[1:] {
		if sign != "" && commentSign([]delimited.Record{r}) == sign {
			continue
		}
		data := t.hasNumber(r) && len(r.Fields) == width && !slices.Contains(r.Fields, "")
		if t.opt.NoHeader && data || !t.opt.NoHeader && t.isHeader(r, width) && t.dataFollows(r, head[i+2:], width) {
			at = i + 1
			break
		}
		if data {
			break
		}
	}
	if at < 0 {
		return nil
	}
	what := fmt.Sprintf("the header seems to be line %d (%s)", head[at].Line, quotedNames(head[at].Fields))
	if t.opt.NoHeader {
		what = fmt.Sprintf("the data seem to start on line %d", head[at].Line)
	}
	if sign := commentSign(head[:at]); sign != "" {
		return fmt.Errorf("%s, after lines that start with %q: leave these out (option comment: %q)", what, sign, sign)
	}
	return fmt.Errorf("%s: leave out what is before it (option skip_rows: %d)", what, head[at].Line-1)
}

// suspicious reports whether a record of a table with so many columns is not like
// its header, or its first row.
func suspicious(r delimited.Record, width int, noHeader bool) bool {
	if len(r.Fields) != width {
		return true
	}
	if noHeader {
		return false
	}
	if slices.Contains(r.Fields, "") || width > mostTitleCells {
		return slices.Contains(r.Fields, "")
	}
	return len(slices.Compact(slices.Sorted(slices.Values(r.Fields)))) < width
}

// mostTitleCells is how many cells a title is looked for in.
const mostTitleCells = 1000

// usualWidth returns the most frequent number of cells of records; the larger of
// two.
func usualWidth(head []delimited.Record) int {
	counts := map[int]int{}
	best := 0
	for _, r := range head {
		counts[len(r.Fields)]++
	}
	for width, n := range counts {
		if n > counts[best] || n == counts[best] && width > best {
			best = width
		}
	}
	return best
}

// isHeader reports whether a record could be a header: names, all different, no
// numbers; the first may be empty.
func (t *csvTable) isHeader(r delimited.Record, width int) bool {
	if len(r.Fields) != width && (len(r.Fields) != width-1 || width < 3) {
		return false
	}
	sorted := slices.Sorted(slices.Values(r.Fields))
	return sorted[min(1, len(sorted)-1)] != "" && len(slices.Compact(sorted)) == len(r.Fields) && !t.hasNumber(r)
}

// dataFollows reports whether a row with a number follows a header, or its units. A
// header that is short of a name stands right above the rows.
func (t *csvTable) dataFollows(header delimited.Record, next []delimited.Record, width int) bool {
	within := 1 + len(header.Fields) - (width - 1)
	return slices.ContainsFunc(next[:min(within, len(next))], func(r delimited.Record) bool { return len(r.Fields) == width && t.hasNumber(r) })
}

// commentSign returns what all records start with if it is a usual sign of
// comments, else "".
func commentSign(head []delimited.Record) string {
	for _, sign := range []string{"#", "%", "//", "!", ";", "*", "--"} {
		if !slices.ContainsFunc(head, func(r delimited.Record) bool { return !strings.HasPrefix(r.Fields[0], sign) }) {
			return sign
		}
	}
	return ""
}

// quotedNames returns the first names of a header for an error.
func quotedNames(names []string) string {
	const most = 3
	quoted := make([]string, 0, most+1)
	for i, name := range names {
		if i == most {
			quoted = append(quoted, "…")
			break
		}
		quoted = append(quoted, fmt.Sprintf("%q", clip(name)))
	}
	return strings.Join(quoted, ", ")
}
