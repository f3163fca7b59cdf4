package main

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// source is what DATA of fit and path holds: one of the three.
type source struct {
	covariance mat.Symmetric
	names      []string // of its columns
	sparse     *dataset.Sparse
	frame      *dataset.Frame
}

// read reads DATA.
func (f *fitFlags) read(path string) (*source, error) {
	if err := checkFile(path); err != nil {
		return nil, err
	}
	if f.covariance {
		a, names, err := f.data.readCovariance(path)
		if err != nil {
			return nil, err
		}
		return &source{covariance: a, names: names}, nil
	}
	if dataset.IsSparseFile(path) {
		table, err := f.data.readSparse(path)
		if err != nil {
			return nil, err
		}
		return &source{sparse: table}, nil
	}
	frame, err := f.data.read(path)
	if err != nil {
		return nil, err
	}
	if text := textColumns(frame); len(text) > 0 {
		return nil, fmt.Errorf("%s: fit takes numbers only, but %s text (%q in %q); leave that out with --drop, or one-hot encode it in a pipeline",
			path, holds(text), frame.Factor(text[0]).Levels[0], text[0])
	}
	return &source{frame: frame}, nil
}

// shape is the size of the table.
func (d *source) shape() solver.Shape {
	switch {
	case d.covariance != nil:
		return solver.Shape{Columns: len(d.names)}
	case d.sparse != nil:
		return solver.Shape{Rows: d.sparse.Rows(), Columns: d.sparse.Columns(), Sparse: true, Entries: d.sparse.Entries()}
	}
	return solver.Shape{Rows: d.frame.Rows(), Columns: len(d.frame.NumericNames())}
}

func (d *source) fit(ctx context.Context, s *selector.FSPCA) error {
	switch {
	case d.covariance != nil:
		return s.FitCovariance(ctx, d.covariance, d.names)
	case d.sparse != nil:
		return s.FitSparse(ctx, d.sparse)
	}
	return s.FitContext(ctx, d.frame)
}

func (d *source) path(ctx context.Context, s *selector.FSPCA, points selector.Points) ([]*selector.Model, error) {
	switch {
	case d.covariance != nil:
		return s.PathCovariance(ctx, d.covariance, d.names, points)
	case d.sparse != nil:
		return s.PathSparse(ctx, d.sparse, points)
	}
	return s.Path(ctx, d.frame, points)
}
