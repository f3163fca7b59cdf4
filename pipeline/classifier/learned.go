package classifier

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golearn"
)

// learned is what a fit leaves behind. It is never changed.
type learned interface {
	// inputs are the training columns, labels the classes (nil for numbers).
	inputs() []string
	labels() []string
	predict(ctx context.Context, f *dataset.Frame) (*Prediction, error)
	// state is what is saved: a struct that begins with a stateHeader.
	state() any
}

// kindName is a type that knows the name of a classifier.
type kindName interface{ name() string }

// fitted holds what a classifier of the kind K has learned, and the methods that
// follow from it. A classifier embeds it.
type fitted[K kindName] struct {
	learned learned // nil before Fit
}

// PredictFrame predicts each row of f.
func (s *fitted[K]) PredictFrame(ctx context.Context, f *dataset.Frame) (*Prediction, error) {
	if s.learned == nil {
		return nil, s.notFitted()
	}
	p, err := s.learned.predict(ctx, f)
	if err != nil {
		return nil, err
	}
	return p, p.finite(s.kind())
}

// finite returns an error for the first row whose prediction is no number.
func (p *Prediction) finite(kind string) error {
	numbers, each := p.Values, 1
	if p.Probabilities != nil {
		numbers = p.Probabilities.RawMatrix().Data
		_, each = p.Probabilities.Dims()
	}
	for i, v := range numbers {
		if v-v != 0 {
			return tooFar(kind, i/each)
		}
	}
	return nil
}

// tooFar is the error of a row that has no finite prediction.
func tooFar(kind string, row int) error {
	return fmt.Errorf("row %d: its cells are too far outside of what %s was fitted on: the prediction is not finite", row+1, kind)
}

// Classes are the classes of the training rows, in level order; nil before Fit
// and where numbers are predicted.
func (s *fitted[K]) Classes() []string {
	if s.learned == nil {
		return nil
	}
	return slices.Clone(s.learned.labels())
}

// Inputs are the names of the training columns.
func (s *fitted[K]) Inputs() []string {
	if s.learned == nil {
		return nil
	}
	return slices.Clone(s.learned.inputs())
}

// SaveTo writes the options of the last fit and what it learned as JSON.
func (s *fitted[K]) SaveTo(w io.Writer) error {
	if s.learned == nil {
		return s.notFitted()
	}
	return writeState(w, s.learned.state())
}

// Predict is PredictFrame for any golearn grid; see base.Classifier.
func (s *fitted[K]) Predict(g base.FixedDataGrid) (base.FixedDataGrid, error) {
	return predictGrid(s, g)
}

// GetMetadata describes the classifier to golearn.
func (s *fitted[K]) GetMetadata() base.ClassifierMetadataV1 { return golearn.Metadata(s.kind()) }

// Save writes a golearn model archive.
func (s *fitted[K]) Save(path string) error { return saveFile(s, path) }

// SaveWithPrefix writes into an archive of several classifiers.
func (s *fitted[K]) SaveWithPrefix(w *base.ClassifierSerializer, prefix string) error {
	return savePrefix(s, w, prefix)
}

func (s *fitted[K]) kind() string {
	var k K
	return k.name()
}

func (s *fitted[K]) notFitted() error { return notFitted(s.kind()) }

// columns are the training columns of numbers, and the classes.
type columns struct {
	Features []string `json:"features"`
	Classes  []string `json:"classes,omitempty"`
}

func (c *columns) inputs() []string { return c.Features }
func (c *columns) labels() []string { return c.Classes }
