package transformertest

import (
	"io"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// broken is a sound step with one method replaced.
type broken struct {
	transformer.Transformer
	fit         func(s transformer.Transformer, g base.FixedDataGrid) error
	transform   func(s transformer.Transformer, g base.FixedDataGrid) (base.FixedDataGrid, error)
	inputs      func(s transformer.Transformer) []string
	outputs     func(s transformer.Transformer) []string
	narrow      func(s transformer.Transformer, outputs []string) (transformer.Transformer, error)
	save        func(s transformer.Transformer, w io.Writer) error
	load        func(s transformer.Transformer, r io.Reader) error
	categorical func(s transformer.Transformer) []string
	filter      func(s transformer.Transformer) base.Filter
	rowMap      func(s transformer.Transformer) transformer.RowMap
}

func (b *broken) Fit(g base.FixedDataGrid) error {
	if b.fit != nil {
		return b.fit(b.Transformer, g)
	}
	return b.Transformer.Fit(g)
}

func (b *broken) Transform(g base.FixedDataGrid) (base.FixedDataGrid, error) {
	if b.transform != nil {
		return b.transform(b.Transformer, g)
	}
	return b.Transformer.Transform(g)
}

func (b *broken) Inputs() []string {
	if b.inputs != nil {
		return b.inputs(b.Transformer)
	}
	return b.Transformer.Inputs()
}

func (b *broken) Outputs() []string {
	if b.outputs != nil {
		return b.outputs(b.Transformer)
	}
	return b.Transformer.Outputs()
}

func (b *broken) Narrow(outputs []string) (transformer.Transformer, error) {
	if b.narrow != nil {
		return b.narrow(b.Transformer, outputs)
	}
	return b.Transformer.Narrow(outputs)
}

func (b *broken) Save(w io.Writer) error {
	if b.save != nil {
		return b.save(b.Transformer, w)
	}
	return b.Transformer.Save(w)
}

func (b *broken) Load(r io.Reader) error {
	if b.load != nil {
		return b.load(b.Transformer, r)
	}
	return b.Transformer.Load(r)
}

func (b *broken) CategoricalInputs() []string {
	if b.categorical != nil {
		return b.categorical(b.Transformer)
	}
	return b.Transformer.(interface{ CategoricalInputs() []string }).CategoricalInputs()
}

func (b *broken) Filter() base.Filter {
	if b.filter != nil {
		return b.filter(b.Transformer)
	}
	return b.Transformer.(interface{ Filter() base.Filter }).Filter()
}

func (b *broken) RowMap() transformer.RowMap {
	if b.rowMap != nil {
		return b.rowMap(b.Transformer)
	}
	return b.Transformer.(transformer.RowMapper).RowMap()
}

func sound() transformer.Transformer { return &transformer.Standardize{} }

// frame is the grid that the suite hands over.
func frame(g base.FixedDataGrid) *dataset.Frame {
	f, err := dataset.FromGrid(g)
	if err != nil {
		panic(err)
	}
	return f
}

// after breaks a step by changing what Transform yields.
func after(change func(in, out *dataset.Frame) *dataset.Frame) maker {
	return func() transformer.Transformer {
		return &broken{Transformer: sound(), transform: func(s transformer.Transformer, g base.FixedDataGrid) (base.FixedDataGrid, error) {
			out, err := s.Transform(g)
			if err != nil {
				return nil, err
			}
			return change(frame(g), out.(*dataset.Frame)), nil
		}}
	}
}

// before breaks a step by changing what Transform is given.
func before(change func(s transformer.Transformer, in *dataset.Frame) (*dataset.Frame, error)) maker {
	return func() transformer.Transformer {
		return &broken{Transformer: sound(), transform: func(s transformer.Transformer, g base.FixedDataGrid) (base.FixedDataGrid, error) {
			if s.Inputs() == nil {
				return nil, transformer.ErrNotFitted
			}
			f, err := change(s, frame(g))
			if err != nil {
				return nil, err
			}
			return s.Transform(f)
		}}
	}
}

func with(b broken) maker {
	return func() transformer.Transformer {
		c := b
		c.Transformer = sound()
		return &c
	}
}

// withNumbers returns f over other numbers.
func withNumbers(f *dataset.Frame, x *mat.Dense) *dataset.Frame {
	return mustAssemble(x, f.Columns(), f.ClassName(), f.Class())
}

// allAdded is a filter that maps every numeric attribute, added or not.
type allAdded struct {
	base.Filter
	all base.Filter
}

func (a allAdded) Transform(from, to base.Attribute, cell []byte) []byte {
	if _, ok := from.(*base.FloatAttribute); ok {
		_ = a.all.AddAttribute(from)
	}
	return a.all.Transform(from, to, cell)
}
