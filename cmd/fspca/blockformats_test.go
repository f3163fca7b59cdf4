package main

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// inBlocks opens a file in blocks; nil where its format is read as a whole only.
func inBlocks(t *testing.T, ctx context.Context, path string) (*dataset.Blocks, error) {
	t.Helper()
	f, err := dataset.OpenContext(ctx, path, "")
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { f.Close() })
	b, err := f.Blocks(dataset.ReadOptions{})
	if err == nil {
		t.Cleanup(func() { b.Close() })
	}
	return b, err
}

// TestBlocksOfEveryFormat: rows in blocks are the rows in memory, and so is the fit,
// whatever the format and the compression.
func TestBlocksOfEveryFormat(t *testing.T) {
	dir := t.TempDir()
	for name, c := range damagedFiles(t) {
		path := filepath.Join(dir, "t."+name)
		must.OK(t, os.WriteFile(path, c.whole, 0o600))
		b, err := inBlocks(t, t.Context(), path)
		if errors.Is(err, dataset.ErrNoBlocks) && (name == "svmlight" || name == "mtx") {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		frame := must.Get(dataset.Read(path, dataset.ReadOptions{}))(t)
		n, d := b.Dims()
		got := mat.NewDense(n, d, nil)
		for from := 0; from < n; from += 7 {
			rows := min(7, n-from)
			if read, err := b.Read(t.Context(), from, got.Slice(from, from+rows, 0, d).(*mat.Dense)); err != nil || read != rows {
				t.Fatalf("%s: %d rows from %d: %v", name, read, from, err)
			}
		}
		if !mat.Equal(got, frame.Numeric()) || !slices.Equal(b.Names(), frame.NumericNames()) {
			t.Errorf("%s: other rows in blocks", name)
		}
		streamed, err := solver.NewStream(t.Context(), b, solver.StreamOptions{Block: 11})
		if err != nil {
			t.Fatal(name, err)
		}
		whole := must.Get(solver.NewData(frame.Numeric(), solver.DataOptions{}))(t)
		p := solver.Params{Features: min(2, d), Components: 1}
		want := must.Get(solver.Solve(t.Context(), whole, p))(t)
		sol, err := solver.Solve(t.Context(), streamed, p)
		if err != nil || !slices.Equal(sol.Support, want.Support) || math.Abs(sol.Objective-want.Objective) > 1e-9*want.Objective {
			t.Errorf("%s: the fit in blocks is %+v, want %+v (%v)", name, sol, want, err)
		}
	}
}

// TestDamagedFilesInBlocks: a file of any format that is damaged is an error that names
// it when it is opened in blocks, or when these are read.
func TestDamagedFilesInBlocks(t *testing.T) {
	dir := t.TempDir()
	for name, c := range damagedFiles(t) {
		path := filepath.Join(dir, "t."+name)
		for i, way := range c.ways {
			must.OK(t, os.WriteFile(path, way(c.whole), 0o600))
			b, err := inBlocks(t, t.Context(), path)
			if err == nil {
				n, d := b.Dims()
				_, err = b.Read(t.Context(), 0, mat.NewDense(n, d, nil))
			}
			if err == nil || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("%s, damage %d: %v", name, i, err)
			}
		}
	}
}

// meddling is a context that calls change when it is asked for the first time whether it
// has ended after it was armed: that is while a file is read.
type meddling struct {
	context.Context
	change func()
}

func (m *meddling) Err() error {
	if change := m.change; change != nil {
		m.change = nil
		change()
	}
	return m.Context.Err()
}

// TestBlocksOfAChangedFile: a file of any format that is cut, or written to, while its
// rows are read in blocks is an error, or its rows are those from before.
func TestBlocksOfAChangedFile(t *testing.T) {
	dir := t.TempDir()
	for name, c := range damagedFiles(t) {
		if name == "svmlight" || name == "mtx" {
			continue
		}
		for what, change := range map[string]func(path string) error{
			"cut":     func(path string) error { return os.Truncate(path, int64(len(c.whole)/2)) },
			"written": func(path string) error { return os.WriteFile(path, append(slices.Clone(c.whole), '\n'), 0o600) },
		} {
			path := filepath.Join(dir, "t."+name)
			must.OK(t, os.WriteFile(path, c.whole, 0o600))
			frame := must.Get(dataset.Read(path, dataset.ReadOptions{}))(t)
			// While it is copied.
			ctx := &meddling{Context: t.Context()}
			f := must.Get(dataset.OpenContext(ctx, path, ""))(t)
			ctx.change = func() {
				if err := change(path); err != nil {
					t.Error(err)
				}
			}
			b, err := f.Blocks(dataset.ReadOptions{})
			checkUnchanged(t, name+", "+what+" while it is opened", b, err, frame, path)
			f.Close()
			// After that.
			must.OK(t, os.WriteFile(path, c.whole, 0o600))
			b = must.Get(inBlocks(t, t.Context(), path))(t)
			must.OK(t, change(path))
			checkUnchanged(t, name+", "+what+" after that", b, nil, frame, path)
		}
	}
}

// checkUnchanged: an error that names the file, or the numbers of frame.
func checkUnchanged(t *testing.T, what string, b *dataset.Blocks, err error, frame *dataset.Frame, path string) {
	t.Helper()
	n, d := frame.Numeric().Dims()
	got := mat.NewDense(n, d, nil)
	if err == nil {
		defer b.Close()
		if rows, columns := b.Dims(); rows != n || columns != d {
			t.Errorf("%s: %d×%d numbers, want %d×%d", what, rows, columns, n, d)
			return
		}
		_, err = b.Read(context.Background(), 0, got)
	}
	switch {
	case err != nil && !strings.HasPrefix(err.Error(), path):
		t.Errorf("%s: %v", what, err)
	case err == nil && !mat.Equal(got, frame.Numeric()):
		t.Errorf("%s: other numbers", what)
	}
}
