package transformertest

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/transformer"
)

// unsound lists steps that break one promise each.
var unsound = []struct {
	name  string
	check string // the promise that is broken
	make  maker
}{
	{"transforms before fit", "unfitted use is an error", with(broken{
		transform: func(s transformer.Transformer, g base.FixedDataGrid) (base.FixedDataGrid, error) {
			if s.Inputs() == nil {
				return g, nil
			}
			return s.Transform(g)
		}})},
	{"outputs before fit", "unfitted use is an error", with(broken{
		outputs: func(s transformer.Transformer) []string { return append([]string{}, s.Outputs()...) }})},
	{"drifts", "fit and transform equal fit-transform", func() transformer.Transformer {
		calls := 0.0
		return after(func(_, out *dataset.Frame) *dataset.Frame {
			calls++
			x := mat.DenseCopyOf(out.Numeric())
			x.Set(0, 0, x.At(0, 0)+calls*1e-15)
			return withNumbers(out, x)
		})()
	}},
	{"names its outputs backwards", "outputs name the columns", with(broken{
		outputs: func(s transformer.Transformer) []string { return reversed(s.Outputs()) }})},
	{"hands out its own slice", "outputs name the columns", func() transformer.Transformer {
		var own []string
		return &broken{Transformer: sound(), inputs: func(s transformer.Transformer) []string {
			if own == nil {
				own = s.Inputs()
			}
			return own
		}}
	}},
	{"takes all inputs for numbers", "outputs name the columns", with(broken{
		categorical: func(transformer.Transformer) []string { return nil }})},
	{"divides by zero", "outputs are finite", after(func(_, out *dataset.Frame) *dataset.Frame {
		x := mat.DenseCopyOf(out.Numeric())
		x.Set(2, 1, math.NaN())
		return withNumbers(out, x)
	})},
	{"centres the batch", "a row alone is the row in the batch", with(broken{
		transform: func(s transformer.Transformer, g base.FixedDataGrid) (base.FixedDataGrid, error) {
			return transformer.FitTransform(&transformer.Center{}, g)
		}})},
	{"maps a row otherwise", "a mapped row is the row of a table", func() transformer.Transformer {
		wrong := func(s transformer.Transformer) transformer.RowMap {
			m := s.(transformer.RowMapper).RowMap()
			if m.Map == nil {
				return m
			}
			return transformer.RowMap{Scratch: m.Scratch, Map: func(dst, src, scratch []float64) bool {
				ok := m.Map(dst, src, scratch)
				dst[0] = math.Nextafter(dst[0], 1)
				return ok
			}}
		}
		return &broken{Transformer: sound(), rowMap: wrong, narrow: func(s transformer.Transformer, outputs []string) (transformer.Transformer, error) {
			n, err := s.Narrow(outputs)
			if err != nil {
				return nil, err
			}
			return &broken{Transformer: n, rowMap: wrong}, nil
		}}
	}},
	{"goes by position", "reordered columns", before(func(s transformer.Transformer, in *dataset.Frame) (*dataset.Frame, error) {
		cols := in.Columns()
		to := map[string]string{}
		var numeric, categorical []string
		for _, name := range s.Inputs() {
			if _, ok := factorLevels[name]; ok {
				categorical = append(categorical, name)
			} else {
				numeric = append(numeric, name)
			}
		}
		for _, c := range cols {
			if c.Factor == nil {
				to[c.Name], numeric = numeric[0], numeric[1:]
			} else {
				to[c.Name], categorical = categorical[0], categorical[1:]
			}
		}
		return renamed(in, to), nil
	})},
	{"wants no other column", "extra columns are ignored", before(func(s transformer.Transformer, in *dataset.Frame) (*dataset.Frame, error) {
		if len(in.Names()) != len(s.Inputs()) {
			return nil, errors.New("the number of columns differs")
		}
		return in, nil
	})},
	{"checks cells it does not need", "extra columns are ignored", before(func(_ transformer.Transformer, in *dataset.Frame) (*dataset.Frame, error) {
		return in, in.CheckComplete("step")
	})},
	{"needs a column that it does not list", "only the inputs are needed", with(broken{
		inputs: func(s transformer.Transformer) []string { return s.Inputs()[min(1, len(s.Inputs())):] }})},
	{"names one missing column", "missing columns are named all at once", before(func(s transformer.Transformer, in *dataset.Frame) (*dataset.Frame, error) {
		for _, name := range s.Inputs() {
			if _, err := in.Pick([]string{name}); err != nil {
				return nil, err
			}
		}
		return in, nil
	})},
	{"gives no nearest name", "missing columns are named all at once", before(func(s transformer.Transformer, in *dataset.Frame) (*dataset.Frame, error) {
		_, err := in.Pick(s.Inputs())
		var missing *dataset.MissingColumnsError
		if errors.As(err, &missing) {
			return nil, &dataset.MissingColumnsError{Missing: missing.Missing}
		}
		return in, nil
	})},
	{"takes text for numbers", "a column of another kind is an error", before(func(s transformer.Transformer, in *dataset.Frame) (*dataset.Frame, error) {
		for _, name := range s.Inputs() {
			if _, ok := factorLevels[name]; ok != (in.Factor(name) != nil) {
				in = turned(in, name)
			}
		}
		return in, nil
	})},
	{"loses the class", "the class passes through", after(func(_, out *dataset.Frame) *dataset.Frame { return out.WithoutClass() })},
	{"needs the class", "the class passes through", before(func(_ transformer.Transformer, in *dataset.Frame) (*dataset.Frame, error) {
		if in.Class() == nil {
			return nil, errors.New("no class")
		}
		return in, nil
	})},
	{"works in place", "the input is not changed", after(func(in, out *dataset.Frame) *dataset.Frame {
		in.Numeric().Set(0, 0, 7)
		return out
	})},
	{"fits in place", "the input is not changed", with(broken{fit: func(s transformer.Transformer, g base.FixedDataGrid) error {
		frame(g).Numeric().Set(0, 0, 7)
		return s.Fit(g)
	}})},
	{"fits nothing", "a table without rows is an error", with(broken{fit: func(s transformer.Transformer, g base.FixedDataGrid) error {
		if frame(g).Rows() == 0 {
			return nil
		}
		return s.Fit(g)
	}})},
	{"a failed fit forgets", "a table without rows is an error", func() transformer.Transformer {
		b := &broken{}
		b.Transformer = sound()
		b.fit = func(s transformer.Transformer, g base.FixedDataGrid) error {
			b.Transformer = sound()
			return b.Transformer.Fit(g)
		}
		return b
	}},
	{"a fit that fails late forgets", "a failed fit changes nothing", func() transformer.Transformer {
		b := &broken{}
		b.Transformer = sound()
		b.fit = func(s transformer.Transformer, g base.FixedDataGrid) error {
			f, ok := g.(*dataset.Frame)
			if !ok || f.Rows() < 2 {
				return s.Fit(g)
			}
			b.Transformer = sound()
			return b.Transformer.Fit(g)
		}
		return b
	}},
	{"keeps the table", "what it learned is its own", func() transformer.Transformer {
		var kept *dataset.Frame
		b := &broken{Transformer: sound()}
		b.fit = func(s transformer.Transformer, g base.FixedDataGrid) error {
			kept = frame(g)
			return s.Fit(g)
		}
		b.transform = func(s transformer.Transformer, g base.FixedDataGrid) (base.FixedDataGrid, error) {
			out, err := s.Transform(g)
			if err != nil {
				return nil, err
			}
			x := mat.DenseCopyOf(frame(out).Numeric())
			x.Set(0, 0, kept.Numeric().At(0, 0))
			return withNumbers(frame(out), x), nil
		}
		return b
	}},
	{"fits once", "fit again forgets", with(broken{fit: func(s transformer.Transformer, g base.FixedDataGrid) error {
		if s.Inputs() != nil {
			return nil
		}
		return s.Fit(g)
	}})},
	{"shares its output", "concurrent transform", func() transformer.Transformer {
		var lock sync.Mutex
		var buffer []float64
		return after(func(_, out *dataset.Frame) *dataset.Frame {
			lock.Lock()
			defer lock.Unlock()
			x := out.Numeric()
			n, p := x.Dims()
			if len(buffer) < n*p {
				buffer = make([]float64, trainRows*p)
			}
			y := mat.NewDense(n, p, buffer[:n*p])
			y.Copy(x)
			return withNumbers(out, y)
		})()
	}},
	{"knows frames alone", "golearn grids", with(broken{transform: func(s transformer.Transformer, g base.FixedDataGrid) (base.FixedDataGrid, error) {
		if _, ok := g.(*dataset.Frame); !ok {
			return nil, errors.New("not a frame")
		}
		return s.Transform(g)
	}})},
	{"filters what was not added", "golearn filter", with(broken{filter: func(s transformer.Transformer) base.Filter {
		f := s.(*transformer.Standardize)
		return allAdded{f.Filter(), f.Filter()}
	}})},
	{"filters otherwise than it transforms", "golearn filter", with(broken{filter: func(s transformer.Transformer) base.Filter {
		c := &transformer.Center{}
		_ = c.Fit(fixtures()[0].train)
		return c.Filter()
	}})},
	{"rounds in the file", "save and load", with(broken{save: func(s transformer.Transformer, w io.Writer) error {
		b := saved(s)
		for i := 0; i+1 < len(b); i++ { // the last digit of each long number
			if b[i] >= '0' && b[i] <= '9' && b[i+1] == ',' && i > 12 && !bytes.ContainsAny(b[i-12:i], " :\"") {
				b[i] = '0'
			}
		}
		_, err := w.Write(b)
		return err
	}})},
	{"loads any version", "load refuses what is not its own", with(broken{load: func(s transformer.Transformer, r io.Reader) error {
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		return s.Load(bytes.NewReader(bytes.Replace(b, []byte(`"version":1000`), []byte(`"version":1`), 1)))
	}})},
	{"a failed load forgets", "load refuses what is not its own", func() transformer.Transformer {
		b := &broken{}
		b.Transformer = sound()
		b.load = func(s transformer.Transformer, r io.Reader) error {
			b.Transformer = sound()
			return b.Transformer.Load(r)
		}
		return b
	}},
	{"narrows in its own order", "narrow", with(broken{narrow: func(s transformer.Transformer, outputs []string) (transformer.Transformer, error) {
		ordered := lists.Where(s.Outputs(), func(name string) bool { return slices.Contains(outputs, name) })
		return s.Narrow(ordered)
	}})},
	{"narrows itself", "narrow", func() transformer.Transformer {
		b := &broken{}
		b.Transformer = sound()
		b.narrow = func(s transformer.Transformer, outputs []string) (transformer.Transformer, error) {
			n, err := s.Narrow(outputs)
			if err == nil {
				b.Transformer = n
			}
			return n, err
		}
		return b
	}},
	{"narrows to what there is", "narrow refuses what is no output", with(broken{narrow: func(s transformer.Transformer, outputs []string) (transformer.Transformer, error) {
		var known []string
		for _, name := range outputs {
			if slices.Contains(s.Outputs(), name) && !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
		return s.Narrow(known)
	}})},
}
