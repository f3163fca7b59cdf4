// Package golearn is the one place for what golearn asks of its users: grids of
// predictions, class attributes, archives, and a guard against its panics.
package golearn

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
)

// PredictionGrid is what golearn's classifiers give back: a grid with one row
// per prediction and the class as its only attribute.
func PredictionGrid(attribute base.Attribute, predicted *dataset.Factor) (base.FixedDataGrid, error) {
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

// OnlyClass returns the class attribute of a grid, nil unless it has one.
func OnlyClass(g base.FixedDataGrid) base.Attribute {
	if given := g.AllClassAttributes(); len(given) == 1 {
		return given[0]
	}
	return nil
}

// ClassAttribute returns the class attribute of the grid if it can hold all levels,
// else a new one of that name. golearn matches classes by name and ordered values.
func ClassAttribute(g base.FixedDataGrid, name string, levels []string) base.Attribute {
	a := OnlyClass(g)
	switch a.(type) {
	case *base.CategoricalAttribute, *base.FloatAttribute:
		known := func(level string) bool { return classBytes(a, level) != nil }
		if !slices.ContainsFunc(levels, func(level string) bool { return !known(level) }) {
			return a
		}
	}
	return Categorical(name, levels)
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

// Categorical makes golearn's attribute with these values.
func Categorical(name string, levels []string) *base.CategoricalAttribute {
	attribute := base.NewCategoricalAttribute()
	attribute.SetName(name)
	for _, level := range levels {
		attribute.GetSysValFromString(level) // appends what it does not know
	}
	return attribute
}

// Metadata describes a classifier of this module to golearn.
func Metadata(kind string) base.ClassifierMetadataV1 {
	return base.ClassifierMetadataV1{FormatVersion: 1, ClassifierName: kind, ClassifierVersion: "1"}
}

// ValueGrid is PredictionGrid for predicted numbers.
func ValueGrid(name string, values []float64) (base.FixedDataGrid, error) {
	attribute := base.NewFloatAttribute(name)
	out := base.NewDenseInstances()
	spec := out.AddAttribute(attribute)
	if err := out.AddClassAttribute(attribute); err != nil {
		return nil, err
	}
	if err := out.Extend(len(values)); err != nil {
		return nil, err
	}
	for row, v := range values {
		out.Set(spec, row, base.PackFloatToBytes(v))
	}
	return out, nil
}
