package beam

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
)

// Model is what shards are transformed with: a fitted selection or a fitted pipeline.
type Model struct {
	Selection *selector.Model
	Pipeline  *pipeline.Pipeline // nil for a selection
}

// LoadModel opens the file of a selection or the folder of a pipeline.
func LoadModel(path string) (Model, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Model{}, err
	}
	if !info.IsDir() {
		m, err := selector.LoadModel(path)
		return Model{Selection: m}, err
	}
	if inner := filepath.Join(path, "model"); !pipeline.IsModelDir(path) && pipeline.IsModelDir(inner) {
		return Model{}, fmt.Errorf("%s holds the results of a run: the model is the folder %s in it", path, inner)
	}
	p, err := pipeline.LoadDir(path)
	return Model{Pipeline: p}, err
}

// reading adds to the options what the model needs to read.
func (m Model) reading(opt dataset.ReadOptions) dataset.ReadOptions {
	var inputs, categorical []string
	var reading dataset.Reading
	if m.Pipeline != nil {
		inputs, categorical, reading = m.Pipeline.Inputs(), m.Pipeline.CategoricalInputs(), m.Pipeline.Reading()
	} else {
		inputs, reading = m.Selection.Features(), m.Selection.Reading()
	}
	opt.As, opt.Only, opt.LabelOptional = &reading, inputs, true
	opt.Categorical = slices.Concat(opt.Categorical, categorical)
	opt.Numeric = slices.Concat(opt.Numeric, lists.Without(inputs, categorical))
	return opt
}

// encode returns the model as bytes.
func (m Model) encode() (*namedBytes, error) {
	var b bytes.Buffer
	if m.Pipeline != nil {
		_, err := m.Pipeline.WriteTo(&b)
		return &namedBytes{pipelineFile, b.Bytes()}, err
	}
	_, err := m.Selection.WriteTo(&b)
	return &namedBytes{selectionFile, b.Bytes()}, err
}

type namedBytes struct {
	name string
	data []byte
}

// transform returns what the model makes of rows.
func (m Model) transform(ctx context.Context, in *dataset.Frame, output selector.Output) (*dataset.Frame, error) {
	switch {
	case m.Pipeline == nil:
		return m.Selection.Transform(in, output)
	case m.Pipeline.Selector() == nil:
		out, err := m.Pipeline.TransformContext(ctx, in)
		if err != nil {
			return nil, err
		}
		return dataset.FromGrid(out)
	}
	return m.Pipeline.ProjectContext(ctx, in, output)
}
