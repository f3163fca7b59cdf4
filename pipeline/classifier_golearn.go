package pipeline

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"

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
	name := "class"
	if a := onlyClass(g); a != nil {
		name = a.GetName()
	}
	return predictionGrid(classAttribute(g, name, predicted.Levels), predicted)
}

func frameOf(c Classifier, g base.FixedDataGrid) (f *dataset.Frame, err error) {
	err = guard(c.GetMetadata().ClassifierName, func() error {
		f, err = dataset.FromGrid(g)
		return err
	})
	return f, err
}

// predictionGrid is what golearn's classifiers give back: a grid with one row
// per prediction and the class as its only attribute.
func predictionGrid(attribute base.Attribute, predicted *dataset.Factor) (base.FixedDataGrid, error) {
	values := make([][]byte, len(predicted.Levels))
	for i, level := range predicted.Levels {
		if values[i] = classBytes(attribute, level); values[i] == nil {
			return nil, fmt.Errorf("the class %q is not among those of the column %q", level, attribute.GetName())
		}
	}
	out := base.NewDenseInstances()
	spec := out.AddAttribute(attribute)
	if err := out.AddClassAttribute(attribute); err != nil {
		return nil, err
	}
	if err := out.Extend(len(predicted.Codes)); err != nil {
		return nil, err
	}
	for row, code := range predicted.Codes {
		out.Set(spec, row, values[code])
	}
	return out, nil
}

// onlyClass returns the class attribute of a grid, nil unless it has one.
func onlyClass(g base.FixedDataGrid) base.Attribute {
	if given := g.AllClassAttributes(); len(given) == 1 {
		return given[0]
	}
	return nil
}

// classAttribute returns the class attribute of the grid where it can hold all
// levels, since golearn matches classes by name and ordered values, else a new
// one of that name.
func classAttribute(g base.FixedDataGrid, name string, levels []string) base.Attribute {
	a := onlyClass(g)
	switch a.(type) {
	case *base.CategoricalAttribute, *base.FloatAttribute:
		known := func(level string) bool { return classBytes(a, level) != nil }
		if !slices.ContainsFunc(levels, func(level string) bool { return !known(level) }) {
			return a
		}
	}
	return categoricalAttribute(name, levels)
}

// classBytes returns a level as an attribute has it, nil if it cannot be.
func classBytes(a base.Attribute, level string) []byte {
	switch a := a.(type) {
	case *base.CategoricalAttribute:
		return a.GetSysVal(level)
	case *base.FloatAttribute:
		if v, err := strconv.ParseFloat(level, 64); err == nil {
			return base.PackFloatToBytes(v)
		}
	}
	return nil
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
