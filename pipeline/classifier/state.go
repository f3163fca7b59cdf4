package classifier

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

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

func readText(r io.Reader, kind string) ([]byte, error) {
	text, err := files.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	return text, nil
}

// readState reads one JSON value of the type kind into state, and refuses
// another version, another type, unknown fields and anything behind it.
func readState(r io.Reader, kind string, state any) error {
	text, err := readText(r, kind)
	if err != nil {
		return err
	}
	_, err = decodeState(text, kind, stateVersion, func(int) any { return state })
	return err
}

// decodeState reads one JSON value of the type kind into what into gives for its
// version, which is at most latest; otherwise it is readState.
func decodeState(text []byte, kind string, latest int, into func(version int) any) (version int, err error) {
	version, err = saved.Decode(text, "the saved classifier", kind, latest, into)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", kind, err)
	}
	return version, nil
}

// damaged wraps what a classifier finds wrong in its state.
func damaged(kind string, errs ...error) error {
	if err := saved.Damaged("the saved classifier", errs...); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
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

// denseOf copies rows of equal length into a matrix.
func denseOf(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	return m
}
