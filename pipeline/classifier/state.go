package classifier

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/saved"
)

// stateVersion is the version of the JSON that classifiers save. It rises when
// the meaning of a field changes.
const stateVersion = 1

// stateHeader begins every saved classifier.
type stateHeader struct {
	Version int    `json:"version"`
	Type    string `json:"type"`
}

func writeState(w io.Writer, state any) error {
	if files.Absent(w) {
		return files.ErrNoWriter
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(state)
}

// readState reads one JSON value of the type kind, of a version up to latest. It
// refuses another type, unknown fields and anything behind it.
func readState[S any](r io.Reader, kind string, latest int) (state S, err error) {
	err = readInto(r, kind, latest, func(int) any { return &state })
	return state, err
}

// readInto is readState into what into gives for the version.
func readInto(r io.Reader, kind string, latest int, into func(version int) any) error {
	text, err := files.ReadAll(r)
	if err == nil {
		_, err = saved.Decode(text, "the saved classifier", kind, latest, into)
	}
	return joined(kind, err)
}

// damaged wraps what a classifier finds wrong in its state.
func damaged(kind string, errs ...error) error {
	return joined(kind, saved.Damaged("the saved classifier", errs...))
}

// checkNames wants distinct, at least least names.
func checkNames(what string, names []string, least int) error {
	if len(names) < least {
		return fmt.Errorf("%d %s, at least %d wanted", len(names), what, least)
	}
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return fmt.Errorf("%s %q twice", what, name)
		}
		seen[name] = true
	}
	return nil
}

// checkTable wants rows rows of columns finite numbers.
func checkTable(what string, table [][]float64, rows, columns int) error {
	if len(table) != rows {
		return fmt.Errorf("%d rows of %s, %d wanted", len(table), what, rows)
	}
	for i, row := range table {
		if len(row) != columns {
			return fmt.Errorf("%d numbers in row %d of %s, %d wanted", len(row), i+1, what, columns)
		}
		for _, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("a number that is not finite in row %d of %s", i+1, what)
			}
		}
	}
	return nil
}
