package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A chosenColumn is a column of a file that is read.
type chosenColumn struct {
	name     string
	field    int  // its place in the file, from 0
	declared bool // categorical, whatever the cells are
	label    bool // the class; declared too
}

// chooseColumns returns the columns of a file that the options do not drop. It
// notes names that cannot be and options that name no column; line is that of
// the header, 0 without one.
func chooseColumns(names []string, opt ReadOptions, line int, bad *mistakes) []chosenColumn {
	var label []string
	if opt.Label != "" {
		label = []string{opt.Label}
	}
	for _, err := range []error{
		missingColumns("label", label, names, ""),
		missingColumns("drop", opt.Drop, names, ""),
		missingColumns("categorical", opt.Categorical, names, ""),
	} {
		if err != nil {
			bad.add(line, 0, "", withChoice(err, names))
		}
	}
	if opt.Label != "" && slices.Contains(opt.Drop, opt.Label) {
		bad.add(line, 0, opt.Label, errors.New("it cannot be the label and be dropped"))
	}
	drop, categorical := setOf(opt.Drop), setOf(opt.Categorical)
	seen := make(map[string]int, len(names))
	var chosen []chosenColumn
	for field, name := range names {
		if drop[name] {
			continue
		}
		if before, twice := seen[name]; name == "" {
			bad.add(line, field+1, "", fmt.Errorf(`the column has no name: give it one, or drop "" (option drop)%s`, dataHint(names)))
		} else if twice {
			bad.add(line, field+1, "", fmt.Errorf("the name %q is that of field %d too: names must differ%s", name, before+1, dataHint(names)))
		} else {
			seen[name] = field
		}
		isLabel := opt.Label != "" && name == opt.Label
		chosen = append(chosen, chosenColumn{name: name, field: field, declared: isLabel || categorical[name], label: isLabel})
	}
	if len(chosen) == 0 || len(chosen) == 1 && chosen[0].label {
		bad.add(line, 0, "", fmt.Errorf("no column is left as a feature of the %d there are", len(names)))
	}
	return chosen
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// dataHint says that the names look like data, if they do.
func dataHint(names []string) string {
	for _, name := range names {
		if _, kind := parseCell(name); kind != numberCell && name != "" {
			return ""
		}
	}
	return "; the first line looks like data: if there is no header, say so (option header)"
}

// withChoice adds the names to choose from to an error, if they are few.
func withChoice(err error, names []string) error {
	if len(names) > maxReported {
		return fmt.Errorf("%w; there are %d columns, from %q to %q", err, len(names), names[0], names[len(names)-1])
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", clip(name))
	}
	return fmt.Errorf("%w; the columns are %s", err, strings.Join(quoted, ", "))
}

// clip shortens a text for an error.
func clip(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}
