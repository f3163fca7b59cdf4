package transformertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// fixture is a table to fit on, with new rows of the same columns and a second table of other
// columns.
type fixture struct {
	name    string
	train   *dataset.Frame
	rows    *dataset.Frame // every level in it occurs in train
	other   *dataset.Frame // other columns, for a second Fit
	missing bool           // train and rows have missing cells
	blame   []string       // one of these is named by a Fit that refuses train; nil: it may not
}

// spec says how a numeric column is made: offset + spread · (a mix of three common factors + noise).
type spec struct {
	name           string
	offset, spread float64
}

var numericSpecs = []spec{
	{"alpha", 0, 1},
	{"bravo", 1e6, 1},
	{"charlie", -3, 1e-9},
	{"delta", 20, 7},
	{"echo", 0.1, 0}, // constant, and not a binary fraction
	{"foxtrot", 1e9, 1e3},
	{"golf", 5e4, 250},
	{"hotel", -1, 0.01},
	{"india", 0, 3},
	{"juliet", 12, 2},
}

var factorLevels = map[string][]string{
	"colour":   {"blue", "green", "red"},
	"weight":   {"light", "heavy"},
	"coloured": {"2024-02-29", "2025-12-31 17:05", "2026-11-28"},
}

var (
	categoricalNames = []string{"colour", "weight"}
	datedNames       = []string{"coloured", "weight"} // the first is of dates
)

const (
	trainRows = 40
	newRows   = 17
	className = "sort"
)

// fixtures returns the tables of the suite, the same at each call.
func fixtures() []fixture {
	tables := []fixture{
		{name: "mixed", blame: categoricalNames},
		{name: "numeric"},
		{name: "missing", missing: true},
		{name: "dated", blame: datedNames},
	}
	for i := range tables {
		fx := &tables[i]
		categories := categoricalNames
		switch fx.name {
		case "numeric":
			categories = nil
		case "dated":
			categories = datedNames
		}
		fx.train = generate(1, trainRows, numericSpecs, categories, fx.missing)
		fx.rows = generate(2, newRows, numericSpecs, categories, fx.missing)
		renamed := lists.Map(numericSpecs[1:], func(s spec) spec { return spec{s.name + "2", s.offset + 1, 2 * s.spread} })
		fx.other = generate(3, trainRows, renamed, categories, false)
	}
	tables[2].blame = append(slices.Clone(categoricalNames), "bravo", "delta")
	return tables
}

// generate makes a table; the categorical columns follow the second and the fifth numeric column.
func generate(seed uint64, n int, specs []spec, categories []string, missing bool) *dataset.Frame {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := mat.NewDense(n, len(specs), nil)
	classes := make([]int32, n)
	for i := range n {
		classes[i] = int32(i % 3)
		common := [3]float64{rng.NormFloat64() + float64(classes[i]), rng.NormFloat64(), rng.NormFloat64()}
		for j, s := range specs {
			v := common[j%3]*(1+0.2*float64(j)) + 0.5*rng.NormFloat64()
			x.Set(i, j, s.offset+s.spread*v)
		}
	}
	var cols []dataset.Column
	for j, s := range specs {
		cols = append(cols, dataset.Column{Name: s.name})
		if j == 1 || j == 4 {
			if at := j / 4; at < len(categories) {
				levels := factorLevels[categories[at]]
				codes := lists.Make(n, func(i int) int32 { return int32((i + rng.IntN(2)) % len(levels)) })
				cols = append(cols, dataset.Column{Name: categories[at], Factor: &dataset.Factor{Levels: levels, Codes: codes}})
			}
		}
	}
	if missing {
		x.Set(3, 1, math.NaN())
		x.Set(5, 3, math.NaN())
		x.Set(6, 3, math.NaN())
		for at, c := range cols {
			if c.Factor != nil {
				c.Factor.Codes[2+at] = dataset.Missing
			}
		}
	}
	return mustAssemble(x, cols, className, &dataset.Factor{Levels: []string{"first", "second", "third"}, Codes: classes})
}

// mustAssemble panics on an error: the suite's own tables are right.
func mustAssemble(x *mat.Dense, cols []dataset.Column, name string, class *dataset.Factor) *dataset.Frame {
	f, err := dataset.Assemble(x, cols, name, class)
	if err != nil {
		panic(fmt.Sprintf("transformertest: %v", err))
	}
	return f
}

// withClass returns f with another class.
func withClass(f *dataset.Frame, name string, class *dataset.Factor) *dataset.Frame {
	return mustAssemble(f.Numeric(), f.Columns(), name, class)
}

// renamed returns f with some columns under other names.
func renamed(f *dataset.Frame, to map[string]string) *dataset.Frame {
	cols := slices.Clone(f.Columns())
	for i, c := range cols {
		if name, ok := to[c.Name]; ok {
			cols[i].Name = name
		}
	}
	return mustAssemble(f.Numeric(), cols, f.ClassName(), f.Class())
}

// widened returns f with a numeric column full of missing cells and a categorical column before its
// own columns.
func widened(f *dataset.Frame) *dataset.Frame {
	n := f.Rows()
	p := len(f.NumericNames())
	x := mat.NewDense(n, p+1, nil)
	for i := range n {
		x.Set(i, 0, math.NaN())
		for j := range p {
			x.Set(i, j+1, f.Numeric().At(i, j))
		}
	}
	extra := &dataset.Factor{Levels: []string{"unseen"}, Codes: make([]int32, n)}
	cols := append([]dataset.Column{{Name: "yankee"}, {Name: "zulu", Factor: extra}}, f.Columns()...)
	return mustAssemble(x, cols, f.ClassName(), f.Class())
}

// turned returns f with the column of that name of the other kind: numbers become levels, levels
// become their codes.
func turned(f *dataset.Frame, name string) *dataset.Frame {
	n := f.Rows()
	var cols []dataset.Column
	var columns [][]float64
	next := 0
	for _, c := range f.Columns() {
		values := make([]float64, n)
		if c.Factor == nil {
			mat.Col(values, next, f.Numeric())
			next++
		}
		if c.Name == name && c.Factor == nil {
			c.Factor = &dataset.Factor{Levels: []string{"text"}, Codes: make([]int32, n)}
		} else if c.Name == name {
			for i, code := range c.Factor.Codes {
				values[i] = float64(code)
			}
			c.Factor = nil
		}
		if c.Factor == nil {
			columns = append(columns, values)
		}
		cols = append(cols, c)
	}
	x := mat.NewDense(n, len(columns), nil)
	for j, values := range columns {
		x.SetCol(j, values)
	}
	return mustAssemble(x, cols, f.ClassName(), f.Class())
}
