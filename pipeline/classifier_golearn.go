package pipeline

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
)

// The methods that golearn's Classifier asks for are the same for every
// Classifier of this package. They are written here once, as functions.

// stateKey is the entry of a golearn model archive that holds the JSON state.
const stateKey = "fspca.json"

func fitGrid(c Classifier, g base.FixedDataGrid) error {
	f, err := frameOf(c, g)
	if err != nil {
		return err
	}
	return c.FitFrame(context.Background(), f)
}

// predictGrid predicts for any golearn grid, with or without a class.
func predictGrid(c Classifier, g base.FixedDataGrid) (base.FixedDataGrid, error) {
	f, err := frameOf(c, g)
	if err != nil {
		return nil, err
	}
	predicted, err := c.PredictFrame(context.Background(), f)
	if err != nil {
		return nil, err
	}
	return predictionGrid(g, predicted), nil
}

func frameOf(c Classifier, g base.FixedDataGrid) (f *dataset.Frame, err error) {
	err = guard(c.GetMetadata().ClassifierName, func() error {
		f, err = dataset.FromGrid(g)
		return err
	})
	return f, err
}

// predictionGrid is what golearn's classifiers give back: a grid with one row
// per prediction and the class as its only attribute. The class attribute of
// the input is used again where it knows all predicted classes, since golearn
// matches classes by name and ordered values.
func predictionGrid(g base.FixedDataGrid, predicted *dataset.Factor) base.FixedDataGrid {
	attribute := classAttribute(g, predicted.Levels)
	values := make([][]byte, len(predicted.Levels))
	for i, level := range predicted.Levels {
		values[i] = attribute.GetSysVal(level)
	}
	out := base.NewDenseInstances()
	spec := out.AddAttribute(attribute)
	// Neither call can fail: the attribute was added, and rows fit into memory.
	_ = out.AddClassAttribute(attribute)
	_ = out.Extend(len(predicted.Codes))
	for row, code := range predicted.Codes {
		out.Set(spec, row, values[code])
	}
	return out
}

func classAttribute(g base.FixedDataGrid, levels []string) *base.CategoricalAttribute {
	name := "class"
	if given := g.AllClassAttributes(); len(given) == 1 {
		name = given[0].GetName()
		if known, ok := given[0].(*base.CategoricalAttribute); ok && hasValues(known, levels) {
			return known
		}
	}
	return categoricalAttribute(name, levels)
}

// categoricalAttribute makes golearn's attribute with these values.
func categoricalAttribute(name string, levels []string) *base.CategoricalAttribute {
	attribute := base.NewCategoricalAttribute()
	attribute.SetName(name)
	for _, level := range levels {
		attribute.GetSysValFromString(level) // appends what it does not know
	}
	return attribute
}

func hasValues(a *base.CategoricalAttribute, levels []string) bool {
	for _, level := range levels {
		if !slices.Contains(a.GetValues(), level) {
			return false
		}
	}
	return true
}

func classifierMetadata(kind string) base.ClassifierMetadataV1 {
	return base.ClassifierMetadataV1{FormatVersion: 1, ClassifierName: kind, ClassifierVersion: fmt.Sprint(stateVersion)}
}

// saveFile writes golearn's model archive: a compressed tar with the metadata
// and the JSON state.
func saveFile(c Classifier, path string) error {
	var state bytes.Buffer // first, so that an unfitted classifier leaves no file
	if err := c.SaveTo(&state); err != nil {
		return err
	}
	w, err := base.CreateSerializedClassifierStub(path, c.GetMetadata())
	if err != nil {
		return err
	}
	err = w.WriteBytesForKey(stateKey, state.Bytes())
	if closed := w.Close(); err == nil {
		err = closed
	}
	return err
}

func loadFile(c Classifier, path string) error {
	r, err := openArchive(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	if err := loadPrefix(c, r, ""); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func openArchive(path string) (r *base.ClassifierDeserializer, err error) {
	err = guard("load", func() error {
		r, err = base.ReadSerializedClassifierStub(path)
		return err
	})
	return r, err
}

// savePrefix writes the state into an archive that holds several classifiers.
func savePrefix(c Classifier, w *base.ClassifierSerializer, prefix string) error {
	var state bytes.Buffer
	if err := c.SaveTo(&state); err != nil {
		return err
	}
	if prefix != "" { // without one, golearn has written the metadata already
		if err := w.WriteMetadataAtPrefix(prefix, c.GetMetadata()); err != nil {
			return err
		}
	}
	return w.WriteBytesForKey(w.Prefix(prefix, stateKey), state.Bytes())
}

func loadPrefix(c Classifier, r *base.ClassifierDeserializer, prefix string) error {
	state, err := r.GetBytesForKey(r.Prefix(prefix, stateKey))
	if err != nil {
		return fmt.Errorf("the archive holds no %s: %w", c.GetMetadata().ClassifierName, err)
	}
	return c.LoadFrom(bytes.NewReader(state))
}
