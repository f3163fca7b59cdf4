package pipeline

import (
	"math"
	"reflect"
	"slices"
	"sync"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// rowChain is a fitted chain of numbers that predicts single rows without a table.
type rowChain struct {
	steps     []rowStep
	last      rowSource // of the classifier's inputs
	predictor func(dst, row []float64) int
	cells     int // of the widest row between two steps, or of the row itself
	scratch   int
	answers   int       // probabilities of a row, or 1 for a number
	unlikely  bool      // there are no probabilities
	texts     []rowText // beside the inputs; nil where all are numbers
	buffers   sync.Pool // of *rowBuffers
}

// rowStep maps a row that is gathered from the one before.
type rowStep struct {
	from    rowSource
	outputs int
	to      func(dst, src, scratch []float64) bool
}

// rowSource lists the places that a row is gathered from; nil is the row as it is.
type rowSource []int

// rowBuffers is the memory of one prediction.
type rowBuffers struct {
	row, gathered, one, other, scratch, likely []float64
}

// rowText finds the place of a text in the list of a categorical input; nil for a numeric one. Texts that it
// does not have need a table.
type rowText map[string]float64

// newRowChain returns c for single rows; nil where a step or the classifier has no
// form for them.
func newRowChain(c *chain) *rowChain {
	if c.classifier == nil {
		return nil
	}
	predictor, ok := c.classifier.Classifier.(classifier.RowPredictor)
	if !ok || !ours(predictor) {
		return nil
	}
	r := &rowChain{predictor: predictor.RowFunc(), cells: len(c.inputs), answers: c.answers()}
	if r.predictor == nil {
		return nil
	}
	_, r.unlikely = c.classifier.Classifier.(classifier.Unlikely)
	have, texts := c.inputNames(), c.rowTexts()
	r.findTexts(texts)
	for _, s := range c.transformers {
		from, ok := sourceOf(s.Transformer.Inputs(), have)
		if !ok || !oursWithin(s.Transformer) {
			return nil
		}
		m, made := rowMapOf(s.Transformer, gathered(from, texts))
		if m.Map == nil {
			return nil
		}
		have, texts = s.Transformer.Outputs(), made
		r.steps = append(r.steps, rowStep{from, len(have), m.Map})
		r.cells, r.scratch = max(r.cells, len(from), len(have)), max(r.scratch, m.Scratch)
	}
	if r.last, ok = sourceOf(predictor.Inputs(), have); !ok || hasTexts(gathered(r.last, texts)) {
		return nil
	}
	r.cells = max(r.cells, len(r.last))
	return r
}

// rowTexts returns the texts that the steps know of each categorical input, nil beside a numeric one.
func (c *chain) rowTexts() [][]string {
	texts := make([][]string, len(c.inputs))
	for i, in := range c.inputs {
		if in.Kind == numericKind {
			continue
		}
		texts[i] = []string{}
		for _, s := range c.transformers {
			mapper, ok := s.Transformer.(transformer.TextRowMapper)
			if !ok {
				continue
			}
			if at := slices.Index(s.Transformer.Inputs(), in.Name); at >= 0 {
				texts[i] = append(texts[i], lists.Without(mapper.RowTexts()[at], texts[i])...)
			}
		}
	}
	return texts
}

// findTexts makes texts from lists beside the inputs.
func (r *rowChain) findTexts(lists [][]string) {
	if !hasTexts(lists) {
		return
	}
	r.texts = make([]rowText, len(lists))
	for i, list := range lists {
		if list == nil {
			continue
		}
		r.texts[i] = rowText{}
		for place, text := range list {
			r.texts[i][text] = float64(place)
		}
	}
}

func hasTexts(lists [][]string) bool {
	return slices.ContainsFunc(lists, func(list []string) bool { return list != nil })
}

// rowMapOf maps rows whose categorical cells are places in texts; made are those of its outputs.
func rowMapOf(t transformer.Transformer, texts [][]string) (m transformer.RowMap, made [][]string) {
	if hasTexts(texts) {
		if mapper, ok := t.(transformer.TextRowMapper); ok {
			return mapper.RowMapOf(texts)
		}
	} else if mapper, ok := t.(transformer.RowMapper); ok {
		return mapper.RowMap(), make([][]string, len(t.Outputs()))
	}
	return m, nil
}

// gathered is gather for lists.
func gathered(from rowSource, texts [][]string) [][]string {
	if from == nil {
		return texts
	}
	return lists.At(texts, from)
}

// home is the package of a type of step.
func home(step any) string {
	t := reflect.TypeOf(step)
	if t.Kind() != reflect.Pointer {
		return ""
	}
	return t.Elem().PkgPath()
}

var homes = []string{home(&transformer.Center{}), home(&selector.FSPCA{}), home(&classifier.Logistic{})}

// ours says whether a step is of a type of this module. A type of the user's own
// may embed one of ours. It then has its method for rows, which knows nothing of
// what the user's type does with tables.
func ours(step any) bool { return slices.Contains(homes, home(step)) }

// oursWithin is ours for a step and the one that it applies to some columns.
func oursWithin(step transformer.Transformer) bool {
	if on, ok := step.(*transformer.OnColumns); ok {
		return on.Step() == nil || oursWithin(on.Step())
	}
	return ours(step)
}

// sourceOf finds names among have.
func sourceOf(names, have []string) (rowSource, bool) {
	if slices.Equal(names, have) {
		return nil, true
	}
	from := make(rowSource, len(names))
	for i, name := range names {
		if from[i] = slices.Index(have, name); from[i] < 0 {
			return nil, false
		}
	}
	return from, true
}

func (from rowSource) gather(to, row []float64) []float64 {
	if from == nil {
		return row
	}
	for i, j := range from {
		to[i] = row[j]
	}
	return to[:len(from)]
}

// borrow returns memory for one prediction; give it back.
func (r *rowChain) borrow() *rowBuffers {
	if b, ok := r.buffers.Get().(*rowBuffers); ok {
		return b
	}
	all := make([]float64, 4*r.cells+r.scratch+r.answers)
	cut := func(n int) []float64 {
		part := all[:n:n]
		all = all[n:]
		return part
	}
	return &rowBuffers{cut(r.cells), cut(r.cells), cut(r.cells), cut(r.cells), cut(r.scratch), cut(r.answers)}
}

func (r *rowChain) giveBack(b *rowBuffers) { r.buffers.Put(b) }

// predict stores the probabilities of a row in dst and returns its class, or stores
// the number that is predicted. False
// says that the row needs a table: something is missing or out of bounds.
func (r *rowChain) predict(dst, row []float64, b *rowBuffers) (class int, ok bool) {
	if infinite(row) {
		return 0, false
	}
	to, from := b.one, b.other // what the last step made is in from
	for _, s := range r.steps {
		made := to[:s.outputs]
		if !s.to(made, s.from.gather(b.gathered, row), b.scratch) || infinite(made) {
			return 0, false
		}
		row, to, from = made, from, to
	}
	row = r.last.gather(b.gathered, row)
	if slices.ContainsFunc(row, math.IsNaN) {
		return 0, false
	}
	class = r.predictor(dst, row)
	return class, !slices.ContainsFunc(dst[:r.answers], func(v float64) bool { return v-v != 0 })
}

func infinite(row []float64) bool {
	return slices.ContainsFunc(row, func(v float64) bool { return math.IsInf(v, 0) })
}
