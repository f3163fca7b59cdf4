package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/pattern"
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
	var id []string
	if opt.ID != "" {
		id = []string{opt.ID}
	}
	dropped, noDrop := expanded("drop", opt.Drop, names)
	declared, noCategorical := expanded("categorical", opt.Categorical, names)
	allThere := true
	for _, err := range []error{
		missingColumns("label", label, names, ""),
		missingColumns("id", id, names, ""),
		noDrop, noCategorical,
		missingColumns("", opt.Only, names, ""),
	} {
		if err != nil {
			bad.add(line, 0, "", withChoice(err, names))
			allThere = false
		}
	}
	drop, categorical, only := lists.Set(dropped), lists.Set(declared), lists.Set(opt.Only)
	opt.noteConflicts(drop, only, line, bad)
	chosen, features := opt.keptColumns(names, drop, only, categorical)
	checkHeader(chosen, line, bad)
	if allThere && features == 0 {
		bad.add(line, 0, "", fmt.Errorf("no column is left as a feature of the %d there are", len(names)))
	}
	return chosen
}

// noteConflicts notes columns that are to be two things at once.
func (o ReadOptions) noteConflicts(drop, only map[string]bool, line int, bad *mistakes) {
	if o.Label != "" && drop[o.Label] {
		bad.add(line, 0, o.Label, errors.New("it cannot be the label and be dropped"))
	}
	if o.ID != "" && drop[o.ID] {
		bad.add(line, 0, o.ID, errors.New("it cannot be the id of the rows and be dropped"))
	}
	if o.ID != "" && (o.ID == o.Label || only[o.ID]) {
		bad.add(line, 0, o.ID, errors.New("it cannot be the id of the rows and the label, or a column that is needed, as well"))
	}
	for _, name := range o.Only {
		if drop[name] {
			bad.add(line, 0, name, errors.New("it is needed and cannot be dropped: leave it out of the option drop"))
		}
	}
}

// keptColumns returns the columns that are read, and how many of them are features.
func (o ReadOptions) keptColumns(names []string, drop, only, categorical map[string]bool) (chosen []chosenColumn, features int) {
	chosen = make([]chosenColumn, 0, len(names))
	for field, name := range names {
		isLabel, isID := o.Label != "" && name == o.Label, o.ID != "" && name == o.ID
		if drop[name] || o.Only != nil && !only[name] && !isLabel && !isID {
			continue
		}
		chosen = append(chosen, chosenColumn{name: name, field: field, declared: isLabel || isID || categorical[name], label: isLabel && !o.LabelOptional})
		if !isLabel && !isID {
			features++
		}
	}
	if 2*len(chosen) < len(names) { // names are parts of one text, which the others need not keep
		for i, c := range chosen {
			chosen[i].name = strings.Clone(c.name)
		}
	}
	return chosen, features
}

// expanded returns the names that a list with patterns stands for, and an error that names the
// entries which stand for none.
func expanded(what string, list, names []string) ([]string, error) {
	if len(list) == 0 {
		return nil, nil
	}
	at, unmatched := pattern.Expand(list, names)
	found := lists.At(names, at)
	return found, missingColumns(what, unmatched, names, "")
}

// checkHeader notes names that are empty or used twice; in one mistake if the
// names look like data.
func checkHeader(columns []chosenColumn, line int, bad *mistakes) {
	data := looksLikeData(columns)
	seen := newNameIndex(len(columns))
	nameAt := func(i int) string { return columns[i].name }
	var twin, nameless chosenColumn // the first ones
	twins, without := 0, 0
	var first int // of the twins
	for i, c := range columns {
		at, twice := 0, false
		if c.name != "" {
			at, twice = seen.add(c.name, i, nameAt)
		}
		switch {
		case data && (twice || c.name == ""):
			bad.add(line, c.field+1, "", fmt.Errorf("the name %q is empty or used twice, and the first line looks like data: if the file has no header, say so (option header: false)", c.name))
			return
		case c.name == "":
			if without++; without == 1 {
				nameless = c
			}
		case twice:
			if twins++; twins == 1 {
				twin, first = c, columns[at].field
			}
		}
	}
	more := func(n int) string { return likeIt(n, "column", "") }
	if without > 0 {
		bad.add(line, nameless.field+1, "", fmt.Errorf(`the column has no name%s: give it one, or drop "" (option drop)`, more(without)))
	}
	if twins > 0 {
		bad.add(line, twin.field+1, "", fmt.Errorf("the name %q is that of field %d too%s: names must differ", twin.name, first+1, more(twins)))
	}
}

// looksLikeData reports whether all names are numbers or empty.
func looksLikeData(columns []chosenColumn) bool {
	numbers := 0
	for _, c := range columns {
		if _, ok := numberName(c.name); ok {
			numbers++
		} else if c.name != "" {
			return false
		}
	}
	return numbers > 0
}

// withChoice adds the names to choose from to an error, unless the nearest ones
// are in it.
func withChoice(err error, names []string) error {
	var e *MissingColumnsError
	if errors.As(err, &e) && !slices.Contains(e.Nearest, "") {
		return err
	}
	if len(names) > maxReported {
		return fmt.Errorf("%w; there are %d columns, from %q to %q", err, len(names), names[0], names[len(names)-1])
	}
	quoted := lists.Map(names, func(name string) string { return fmt.Sprintf("%q", clip(name)) })
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
