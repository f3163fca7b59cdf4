package classifier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/golearn"
)

// The methods that golearn's Classifier asks for are the same for every
// Classifier of this package. They are written here once, as functions.

// stateKey is the entry of a golearn model archive that holds the JSON state.
const stateKey = "fspca.json"

func fitGrid(c Classifier, g base.FixedDataGrid) error {
	f, err := frameOf(c.GetMetadata().ClassifierName, g)
	if err != nil {
		return err
	}
	return c.FitFrame(context.Background(), f)
}

// predictGrid predicts for any golearn grid, with or without a class.
func predictGrid(c predicting, g base.FixedDataGrid) (base.FixedDataGrid, error) {
	f, err := frameOf(c.GetMetadata().ClassifierName, g)
	if err != nil {
		return nil, err
	}
	predicted, err := c.PredictFrame(context.Background(), f)
	if err != nil {
		return nil, err
	}
	name := "class"
	if a := golearn.OnlyClass(g); a != nil {
		name = a.GetName()
	}
	if predicted.Values != nil {
		return golearn.ValueGrid(name, predicted.Values)
	}
	return golearn.PredictionGrid(golearn.ClassAttribute(g, name, predicted.Classes.Levels), predicted.Classes)
}

// predicting is what predictGrid needs of a classifier.
type predicting interface {
	PredictFrame(ctx context.Context, f *dataset.Frame) (*Prediction, error)
	GetMetadata() base.ClassifierMetadataV1
}

func frameOf(kind string, g base.FixedDataGrid) (f *dataset.Frame, err error) {
	err = golearn.Guard(kind, func() error {
		f, err = dataset.FromGrid(g)
		return err
	})
	return f, err
}

// saving is what the methods below need of a classifier.
type saving interface {
	SaveTo(w io.Writer) error
	GetMetadata() base.ClassifierMetadataV1
}

// saveFile writes golearn's model archive: a compressed tar with the metadata
// and the JSON state.
func saveFile(c saving, path string) error {
	var state bytes.Buffer // first, so that an unfitted classifier leaves no file
	if err := c.SaveTo(&state); err != nil {
		return err
	}
	return files.WriteNamed(path, func(name string) error {
		w, err := base.CreateSerializedClassifierStub(name, c.GetMetadata())
		if err != nil {
			return err
		}
		return errors.Join(w.WriteBytesForKey(stateKey, state.Bytes()), w.Close())
	})
}

func loadFile(c Classifier, path string) error {
	r, err := golearn.OpenArchive(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	return joined(path, loadPrefix(c, r, ""))
}

// savePrefix writes the state into an archive that holds several classifiers.
func savePrefix(c saving, w *base.ClassifierSerializer, prefix string) error {
	var state bytes.Buffer
	if err := c.SaveTo(&state); err != nil {
		return err
	}
	return golearn.Guard("save", func() error {
		if prefix != "" { // without one, golearn has written the metadata already
			if err := w.WriteMetadataAtPrefix(prefix, c.GetMetadata()); err != nil {
				return err
			}
		}
		return w.WriteBytesForKey(w.Prefix(prefix, stateKey), state.Bytes())
	})
}

func loadPrefix(c Classifier, r *base.ClassifierDeserializer, prefix string) error {
	state, err := golearn.Part(r, prefix, stateKey, c.GetMetadata().ClassifierName)
	if err != nil {
		return err
	}
	return c.LoadFrom(bytes.NewReader(state))
}
