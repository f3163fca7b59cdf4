package dataset

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/fspca/fspca/internal/delimited"
)

// pointedCell is a number of up to six digits with a point before the last three, or one of up to
// three without; nothing with a leading zero, which digits in groups never have.
var pointedCell = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2}(\.[0-9]{3})?$`)

// groupedColumns warns of columns in which a point seems to group digits, by the first rows.
// Three decimals are the rule in many files, so two more signs are needed. Some numbers end in
// 0, which people who write decimals mostly leave out. And either semicolons stand between
// cells, as where the decimal sign is a comma, or numbers of up to three digits have no point.
func (t *csvTable) groupedColumns() []Warning {
	n := t.form.Numbers
	if n.Decimal != "." || n.Thousands != "" || len(t.head) < 2 {
		return nil
	}
	grouped, example := t.columnsSuch(t.grouped)
	if len(grouped) == 0 {
		return nil
	}
	return []Warning{{"W113", "digit-groups", fmt.Sprintf(`the point seems to group digits in %s (%q is read as %s): if so, read it with the option thousands: "." (and the option decimal: ",")`,
		quotedNames(grouped), example, delimited.AppendNumber(nil, pointed(example)))}}
}

func pointed(text string) float64 {
	v, _ := parseCell(text)
	return v
}

// grouped returns a cell with a point that seems to group digits, "" without one.
func (t *csvTable) grouped(c chosenColumn) string {
	pointless, points, zero := 0, 0, ""
	for _, s := range t.headCells(c) {
		switch {
		case !pointedCell.MatchString(s):
			return ""
		case !strings.Contains(s, "."):
			pointless++
		default:
			points++
			if strings.HasSuffix(s, "0") {
				zero = s
			}
		}
	}
	if points == 0 || zero == "" || pointless == 0 && t.form.Delimiter != ';' {
		return ""
	}
	return zero
}
