package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
)

// model is what a MODEL argument names: a selection or a whole pipeline.
type model struct {
	path      string
	selection *selector.Model    // nil for a pipeline without one
	pipeline  *pipeline.Pipeline // nil for a selection's file
}

// loadModel opens a selection's file or a pipeline's folder.
func loadModel(path string) (*model, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if isTable(path) {
			return nil, fmt.Errorf("%s is a table: MODEL is the file that fit -o writes, or a pipeline's model folder", path)
		}
		if dir := filepath.Dir(path); pipeline.IsModelDir(dir) && !selector.IsModelFile(path) {
			return nil, fmt.Errorf("%s is a part of a pipeline's model: MODEL is its folder, %s", path, dir)
		}
		s, err := selector.LoadModel(path)
		if err != nil {
			return nil, err
		}
		return &model{path: path, selection: s}, nil
	}
	if inner := filepath.Join(path, "model"); !pipeline.IsModelDir(path) && pipeline.IsModelDir(inner) {
		return nil, fmt.Errorf("%s holds the results of a run: MODEL is the folder %s in it", path, inner)
	}
	p, err := pipeline.LoadDir(path)
	if err != nil {
		return nil, err
	}
	m := &model{path: path, pipeline: p}
	if s := p.Selector(); s != nil {
		m.selection = s.Model()
	}
	return m, nil
}

// inputs returns the columns of new data that the model needs, and which of
// them are categories.
func (m *model) inputs() (names, categorical []string) {
	if m.pipeline == nil {
		return m.selection.Features(), nil
	}
	return m.pipeline.Inputs(), m.pipeline.CategoricalInputs()
}

// reading is how the data that the model was fitted on were read.
func (m *model) reading() dataset.Reading {
	if m.pipeline == nil {
		return m.selection.Reading()
	}
	return m.pipeline.Reading()
}

// read reads the columns of path that the model needs. Of each row it makes so many columns; whole, unless "",
// says what needs all rows in memory.
func (m *model) read(cmd *cobra.Command, flags *dataFlags, path string, mem *memoryFlag, outputs int, whole string) (*newTable, error) {
	n := need{reading: m.reading(), outputs: outputs, whole: whole}
	n.inputs, n.categorical = m.inputs()
	return flags.readFor(cmd, path, n, mem)
}

// transform returns the chosen columns, their projection, or both; of a pipeline
// without an fspca step, what its steps make of the rows.
func (m *model) transform(ctx context.Context, f *dataset.Frame, output selector.Output) (*dataset.Frame, error) {
	switch {
	case m.pipeline == nil:
		return m.selection.Transform(f, output)
	case m.selection == nil:
		out, err := m.pipeline.TransformContext(ctx, f)
		if err != nil {
			return nil, err
		}
		return dataset.FromGrid(out)
	}
	return m.pipeline.ProjectContext(ctx, f, output)
}

// makes says why the model cannot make what is asked for: an output, all columns of the fit (rebuild), or a
// comparison with the rows of the fit (checked).
func (m *model) makes(output selector.Output, rebuild, checked bool) error {
	switch {
	case rebuild && m.pipeline != nil:
		return errors.New("a pipeline rebuilds no columns: its steps change them before they are chosen; MODEL is a file that fit --decoder -o wrote")
	case rebuild && m.selection.Rebuilt() == nil:
		return selector.ErrNoDecoder
	case m.selection == nil && checked:
		return errors.New("--check: the pipeline has no fspca step")
	case m.selection == nil && output != selector.Projection:
		return fmt.Errorf("the pipeline has no fspca step, so there is no output %q: leave --output out to see what its steps make of the rows", output)
	}
	return nil
}
