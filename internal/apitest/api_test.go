// Package apitest calls everything that users can call with everything that they
// might hand in.
package apitest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/apitest/surface"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/spectral"
	"github.com/fspca/fspca/transformer"
)

//go:generate go run gen.go

// options are those of a kind of step.
type options struct {
	A int `json:"a"`
}

// rounds is how often each function and method is called.
const rounds = 24

// mostMemory is what all calls may take, in bytes.
const mostMemory = 1 << 30

// skipped are left out, each for a reason. A function whose comment says when it
// panics is left out as well.
var skipped = map[string]string{
	"pipeline.Register":               "what it adds would stay for the other calls",
	"selector.Model.ParallelAnalysis": "it shuffles as many tables as it is asked for",
}

// TestTableIsWhole: every exported function and type is in the table.
func TestTableIsWhole(t *testing.T) {
	symbols := must.Get(surface.Read("../.."))(t)
	for _, s := range symbols {
		name := s.Package + "." + s.Name
		if _, f := functions[name]; f != s.Func {
			t.Errorf("%s is not in the table as it should be: run go generate ./internal/apitest", name)
		}
		if _, ok := types[name]; ok == s.Func {
			t.Errorf("%s is not in the table as it should be: run go generate ./internal/apitest", name)
		}
	}
}

// TestNothingPanics calls every exported function, and every method of every
// exported type, with nil and typed nil, zero, empty, negative, huge and good
// values. A nil receiver may panic.
func TestNothingPanics(t *testing.T) {
	t.Chdir(t.TempDir()) // for what writes files
	symbols := must.Get(surface.Read(strings.TrimSuffix(sourceDir(), "/internal/apitest")))(t)
	c := &caller{t: t, random: rand.New(rand.NewPCG(1, 2)), pool: map[reflect.Type][]reflect.Value{}}
	c.seed(t)
	for range 2 { // the second round has what the first gave
		for _, s := range symbols {
			name := s.Package + "." + s.Name
			switch {
			case skipped[name] != "" || s.Generic && !s.Func:
			case s.Func:
				if len(s.Panics) == 0 {
					c.call(name, reflect.ValueOf(functions[name]))
				}
			case types[name] == nil: // TestTableIsWhole says so
			default:
				c.methods(name, types[name], s.Panics)
			}
		}
	}
	var used runtime.MemStats
	runtime.ReadMemStats(&used)
	if used.Sys > mostMemory {
		t.Errorf("the calls took %d MiB: something is allocated from an argument before it is checked", used.Sys>>20)
	}
	t.Logf("%d calls, %d MiB", c.calls, used.Sys>>20)
}

// caller makes values and calls with them.
type caller struct {
	t      *testing.T
	random *rand.Rand
	pool   map[reflect.Type][]reflect.Value // good values, by type
	seen   map[string]bool
	calls  int
}

// seed fills the pool with things that work.
func (c *caller) seed(t *testing.T) {
	t.Helper()
	iris := must.Get(dataset.Builtin("iris"))(t)
	x := iris.Numeric()
	var a mat.SymDense
	a.SymOuterK(1, x.T())
	fspca := selector.New(selector.Options{Features: 2, Components: 1})
	standard := new(transformer.Standardize)
	knn := new(classifier.KNN)
	p := must.Get(pipeline.New(pipeline.NamedStep{Name: "s", Transformer: standard}, pipeline.NamedStep{Name: "f", Transformer: fspca}, pipeline.NamedStep{Name: "k", Classifier: knn}))(t)
	must.OK(t, errors.Join(fspca.Fit(iris), standard.Fit(iris), knn.Fit(iris), p.Fit(iris)))
	cov := must.Get(solver.NewMatrix(&a))(t)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	conf := must.Get(config.Parse("c", []byte("version: 1\ndata: {source: 'builtin:iris'}\nsplit: {test: 0.3}\nsteps: [fspca: {features: 2, components: 1}, knn]\n")))(t)
	var model bytes.Buffer
	must.Get(fspca.Model().WriteTo(&model))(t)
	for _, v := range []any{iris, iris.Class(), x, &a, fspca, fspca.Model(), standard, knn, p, conf, base.NewDenseCopy(iris), iris.Names(), iris.Columns(),
		solver.Params{Features: 2, Components: 1}, selector.Options{Features: 2, Components: 1}} {
		c.keep(reflect.ValueOf(v))
	}
	for _, v := range []context.Context{context.Background(), done} {
		c.keepAs(reflect.TypeFor[context.Context](), reflect.ValueOf(v))
	}
	for _, v := range []base.FixedDataGrid{iris, base.NewDenseCopy(iris), base.NewDenseInstances(), (*dataset.Frame)(nil), (*base.DenseInstances)(nil), new(dataset.Frame)} {
		c.keepAs(reflect.TypeFor[base.FixedDataGrid](), reflect.ValueOf(v))
	}
	for _, v := range []mat.Symmetric{&a, new(mat.SymDense), (*mat.SymDense)(nil)} {
		c.keepAs(reflect.TypeFor[mat.Symmetric](), reflect.ValueOf(v))
	}
	for _, v := range []transformer.Transformer{standard, fspca, new(transformer.Center), (*transformer.Center)(nil), (*selector.FSPCA)(nil)} {
		c.keepAs(reflect.TypeFor[transformer.Transformer](), reflect.ValueOf(v))
	}
	for _, v := range []classifier.Classifier{knn, new(classifier.Logistic), (*classifier.KNN)(nil)} {
		c.keepAs(reflect.TypeFor[classifier.Classifier](), reflect.ValueOf(v))
	}
	data := must.Get(solver.NewData(x, solver.DataOptions{}))(t)
	rows := &solver.CSR{Rows: 3, Cols: 4, Offsets: []int64{0, 2, 3, 4}, Indices: []int32{0, 2, 1, 3}, Values: []float64{1, 2, 3, 4}}
	sparse := must.Get(solver.NewSparse(rows, solver.DataOptions{}))(t)
	table := must.Get(dataset.NewSparse(rows.Rows, rows.Cols, rows.Offsets, rows.Indices, rows.Values, nil))(t)
	for _, v := range []any{data, sparse, table, rows, &solver.CSR{Rows: 1, Cols: math.MaxInt/2 + 1, Offsets: []int64{0, 0}}, &solver.CSR{Rows: math.MaxInt, Cols: 1}} {
		c.keep(reflect.ValueOf(v))
	}
	for _, v := range []solver.Covariance{cov, data, sparse, (*solver.Data)(nil), new(solver.Data), (*solver.Sparse)(nil), new(solver.Sparse)} {
		c.keepAs(reflect.TypeFor[solver.Covariance](), reflect.ValueOf(v))
	}
	for _, v := range []spectral.Operator{cov, data, (*solver.Data)(nil), new(solver.Sparse)} {
		c.keepAs(reflect.TypeFor[spectral.Operator](), reflect.ValueOf(v))
	}
	for _, v := range []fs.FS{fstest.MapFS{"a": {Data: model.Bytes()}}, fstest.MapFS(nil)} {
		c.keepAs(reflect.TypeFor[fs.FS](), reflect.ValueOf(v))
	}
	for _, text := range []string{"", "{}", "a,b\n1,2\n3,4\n", "x", model.String()} {
		c.keepAs(reflect.TypeFor[io.Reader](), reflect.ValueOf(again{text}))
	}
	c.keepAs(reflect.TypeFor[io.Reader](), reflect.ValueOf((*bytes.Buffer)(nil)))
	c.keepAs(reflect.TypeFor[io.Writer](), reflect.ValueOf(io.Discard))
	c.keepAs(reflect.TypeFor[io.Writer](), reflect.ValueOf((*bytes.Buffer)(nil)))
}

// again is a reader that begins anew at each use of its value.
type again struct{ text string }

func (a again) Read(p []byte) (int, error) {
	n := copy(p, a.text)
	return n, io.EOF
}

func (c *caller) keep(v reflect.Value) { c.keepAs(v.Type(), v) }

func (c *caller) keepAs(t reflect.Type, v reflect.Value) {
	if len(c.pool[t]) < 12 {
		c.pool[t] = append(c.pool[t], v)
	}
}

// methods calls all methods of a type, on zero values and on good ones.
func (c *caller) methods(name string, t reflect.Type, panics []string) {
	if t.Kind() == reflect.Interface {
		return // their implementations are called
	}
	p := reflect.PointerTo(t)
	receivers := []reflect.Value{reflect.New(t)}
	receivers = append(receivers, c.pool[p]...)
	for range 3 {
		v := reflect.New(t)
		v.Elem().Set(c.value(t, 0))
		receivers = append(receivers, v)
	}
	for i := range p.NumMethod() {
		m := p.Method(i)
		if slices.Contains(panics, m.Name) || skipped[name+"."+m.Name] != "" {
			continue
		}
		for _, r := range receivers {
			if !r.IsNil() {
				c.call(name+"."+m.Name, r.Method(i))
			}
		}
	}
}

// call calls a function with made-up arguments, and keeps what it gives.
func (c *caller) call(name string, f reflect.Value) {
	t := f.Type()
	n := rounds
	if t.NumIn() == 0 {
		n = 1
	}
	for range n {
		var in []reflect.Value
		for in0 := range t.Ins() {
			in = append(in, c.value(in0, 0))
		}
		for _, v := range c.try(name, f, in) {
			if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && !v.IsNil() || k == reflect.Struct {
				c.keep(v)
			}
		}
	}
}

// try calls, and notes a panic once for each place.
func (c *caller) try(name string, f reflect.Value, in []reflect.Value) (out []reflect.Value) {
	c.calls++
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if c.seen == nil {
			c.seen = map[string]bool{}
		}
		where := place(string(debug.Stack()))
		if !c.seen[name+where] {
			c.seen[name+where] = true
			c.t.Errorf("%s panics: %v\n\tat %s\n\twith %s", name, r, where, shown(in))
		}
	}()
	if f.Type().IsVariadic() {
		return f.CallSlice(in)
	}
	return f.Call(in)
}

// place is the first line of the module in a stack below the panic.
func place(stack string) string {
	_, stack, _ = strings.Cut(stack, "panic(")
	for line := range strings.Lines(stack) {
		if strings.HasPrefix(line, "\t") && !strings.Contains(line, "/pkg/mod/") && !strings.Contains(line, "/src/") {
			return strings.TrimSpace(line)
		}
	}
	return "?"
}

func shown(in []reflect.Value) string {
	var out []string
	for _, v := range in {
		text := "?"
		func() {
			defer func() { _ = recover() }() // a String method of a nil pointer
			text = fmt.Sprintf("%T %.80v", v.Interface(), v.Interface())
		}()
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}
