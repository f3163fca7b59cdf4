package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/spelling"
	"github.com/fspca/fspca/internal/strict"
)

// PredictRow predicts one row: the columns Inputs, in their order; NaN is a missing
// cell. It stores in dst the probabilities of the classes that Classes lists. With a
// numeric target it stores the predicted number, and class is "". Nil dst leaves them
// out. Results and errors are those of a table with that row, bit for bit.
//
// A chain of steps of this module that ends in a classifier.RowPredictor takes a
// microsecond or two and allocates nothing. Any other chain goes through a table of
// one row. Errors: wrong lengths, and categorical inputs, which PredictMap takes.
// It is safe for concurrent use.
func (p *Pipeline) PredictRow(dst, row []float64) (class string, err error) {
	c := p.fitted.Load()
	if err := c.checkRow(dst, row); err != nil {
		return "", err
	}
	if c.rows != nil && (dst == nil || !c.rows.unlikely) {
		b := c.rows.borrow()
		class, ok := c.rows.predict(c.rows.answer(dst, b), row, b)
		c.rows.giveBack(b)
		if ok {
			return c.className(class), nil
		}
	}
	if len(row) == 0 {
		return "", errors.New("pipeline: the chain needs no column, and a row of none is no row: use PredictFrame")
	}
	f, err := dataset.New(c.inputNames(), mat.NewDense(1, len(row), slices.Clone(row)))
	if err != nil {
		return "", fmt.Errorf("pipeline: %w", err)
	}
	return c.predictOne(dst, f)
}

// checkRow says what is wrong with the arguments of PredictRow.
func (c *chain) checkRow(dst, row []float64) error {
	if err := c.checkAnswer(dst); err != nil {
		return err
	}
	if c.rows != nil && c.rows.texts == nil && len(row) == len(c.inputs) {
		return nil
	}
	switch texts := categoricalOf(c.inputs); {
	case texts != nil:
		return fmt.Errorf("pipeline: a row of numbers cannot hold the categorical columns %s: use PredictMap", strict.Listing(lists.Map(texts, strconv.Quote), "and"))
	case len(row) != len(c.inputs):
		return fmt.Errorf("pipeline: the number of cells in the row is %d: want %d, the columns %s", len(row), len(c.inputs), strict.Listing(c.inputNames(), "and"))
	}
	return nil
}

// checkAnswer says why there can be no prediction, or none into dst.
func (c *chain) checkAnswer(dst []float64) error {
	if err := c.predicts(); err != nil {
		return err
	}
	switch {
	case len(c.classes) == 0 && len(dst) != 1:
		return fmt.Errorf("pipeline: the length of dst is %d: want 1, for the predicted %s", len(dst), c.class.name)
	case len(c.classes) > 0 && dst != nil && len(dst) != len(c.classes):
		return fmt.Errorf("pipeline: the length of dst is %d: want that of the classes, %d, or nil", len(dst), len(c.classes))
	}
	return nil
}

// answers is the number of cells of an answer: of probabilities, or one number.
func (c *chain) answers() int { return max(1, len(c.classes)) }

// className is the class at a place; "" for a number.
func (c *chain) className(place int) string {
	if place < 0 {
		return ""
	}
	return c.classes[place]
}

// answer is where the probabilities go.
func (r *rowChain) answer(dst []float64, b *rowBuffers) []float64 {
	if dst == nil {
		return b.likely
	}
	return dst
}

// predictOne predicts a table of one row.
func (c *chain) predictOne(dst []float64, f *dataset.Frame) (string, error) {
	out, err := c.predict(context.Background(), f)
	if err != nil {
		return "", err
	}
	if out.Values != nil {
		dst[0] = out.Values[0]
		return "", nil
	}
	if dst != nil {
		if out.Probabilities == nil {
			return "", fmt.Errorf("pipeline: %s gives no probabilities: pass nil for them", c.classifier.Name)
		}
		copy(dst, out.Probabilities.RawRowView(0))
	}
	return out.Predicted.Text(0), nil
}

// PredictMap is PredictRow for a row that maps column names to cells: a number (any
// integer or float) for a numeric column, a string for a categorical one, nil for a
// missing cell. A missing column is an error, as in a table; extra ones are
// ignored.
func (p *Pipeline) PredictMap(dst []float64, row map[string]any) (class string, err error) {
	c := p.fitted.Load()
	if err := c.checkAnswer(dst); err != nil {
		return "", err
	}
	if c.rows != nil && (dst == nil || !c.rows.unlikely) {
		b := c.rows.borrow()
		place, ok := 0, c.fill(b.row, row)
		if ok {
			place, ok = c.rows.predict(c.rows.answer(dst, b), b.row[:len(c.inputs)], b)
		}
		c.rows.giveBack(b)
		if ok {
			return c.className(place), nil
		}
	}
	f, err := c.table(row)
	if err != nil {
		return "", err
	}
	return c.predictOne(dst, f)
}

// place finds a categorical cell as oneText reads it; NaN is missing.
func (r rowText) place(cell any) (float64, bool) {
	if cell == nil {
		return math.NaN(), true
	}
	text, ok := cell.(string)
	if text = strings.TrimSpace(text); text == "" {
		return math.NaN(), ok
	}
	at, known := r[text]
	return at, ok && known
}

// fill stores the cells of a row in order, texts by their places; false where one is not there, is not of
// its kind, or is a text that no step knows.
func (c *chain) fill(to []float64, row map[string]any) bool {
	for i, in := range c.inputs {
		cell, ok := row[in.Name]
		if !ok {
			return false
		}
		if in.Kind == numericKind {
			to[i], ok = number(cell)
		} else {
			to[i], ok = c.rows.texts[i].place(cell)
		}
		if !ok {
			return false
		}
	}
	return true
}

// table makes a table of one row. All that is wrong with it is in one error.
func (c *chain) table(row map[string]any) (*dataset.Frame, error) {
	missing := &dataset.MissingColumnsError{}
	var problems []error
	var numbers []float64
	cols := make([]dataset.Column, len(c.inputs))
	for i, in := range c.inputs {
		cols[i].Name = in.Name
		cell, ok := row[in.Name]
		switch {
		case !ok:
			missing.Missing = append(missing.Missing, in.Name)
			missing.Nearest = append(missing.Nearest, spelling.Nearest(in.Name, slices.Sorted(maps.Keys(row))))
		case in.Kind == numericKind:
			v, ok := number(cell)
			if !ok {
				problems = append(problems, fmt.Errorf("pipeline: column %q: want a number, or nil for a missing cell, got %v (%T)", in.Name, cell, cell))
			}
			numbers = append(numbers, v)
		default:
			cols[i].Factor, ok = oneText(cell)
			if !ok {
				problems = append(problems, fmt.Errorf("pipeline: column %q: want a string, or nil for a missing cell, got %v (%T)", in.Name, cell, cell))
			}
		}
	}
	if missing.Missing != nil {
		problems = append(problems, missing)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return oneRow(numbers, cols)
}

// oneRow is a table of one row.
func oneRow(numbers []float64, cols []dataset.Column) (*dataset.Frame, error) {
	var x *mat.Dense
	if numbers != nil {
		x = mat.NewDense(1, len(numbers), numbers)
	}
	f, err := dataset.Assemble(x, cols, "", nil)
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	return f, nil
}

// number returns a cell as a number; nil is missing. An integer that float64 does not
// hold exactly is none.
func number(cell any) (float64, bool) {
	switch v := cell.(type) {
	case nil:
		return math.NaN(), true
	case float64:
		return v, true
	case float32:
		return float64(v), true
	case int:
		return float64(v), int(float64(v)) == v
	case int64:
		return float64(v), int64(float64(v)) == v
	case uint:
		return float64(v), uint(float64(v)) == v
	case uint64:
		return float64(v), uint64(float64(v)) == v
	case int8, int16, int32, uint8, uint16, uint32:
		r := reflect.ValueOf(v)
		if r.CanInt() {
			return float64(r.Int()), true
		}
		return float64(r.Uint()), true
	}
	return 0, false
}

// oneText returns a categorical cell as a column of one row, as a file has it: without
// the space around it, and missing if it is empty.
func oneText(cell any) (*dataset.Factor, bool) {
	missing := &dataset.Factor{Codes: []int32{dataset.Missing}}
	text, ok := cell.(string)
	if text = strings.TrimSpace(text); text == "" {
		return missing, ok || cell == nil
	}
	return &dataset.Factor{Levels: []string{text}, Codes: []int32{0}}, ok
}
