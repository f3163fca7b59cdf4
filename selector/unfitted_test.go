package selector_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// Each method that gives an error asks an empty model, and an estimator before its fit, for that first.
func TestEmptyModelsSayThatTheyAreNotFitted(t *testing.T) {
	f := must.Get(dataset.Builtin("iris"))(t)
	arguments := []any{context.Background(), f, must.Get(dataset.NewSparse(1, 1, []int64{0, 1}, []int32{0}, []float64{1}, nil))(t), mat.NewDense(1, 1, nil),
		[]float64{1}, io.Discard, filepath.Join(t.TempDir(), "m.json"), []string{"petal_length"}, 1, selector.Selected}
	asked := 0
	for _, empty := range []any{new(selector.Model), selector.New(selector.Options{}), new(selector.PCA)} {
		v := reflect.ValueOf(empty)
		for i := range v.NumMethod() {
			name, method := v.Type().Method(i).Name, v.Method(i)
			if out := method.Type().NumOut(); out == 0 || method.Type().Out(out-1) != reflect.TypeFor[error]() || beforeFit(empty, name) {
				continue
			}
			args := make([]reflect.Value, method.Type().NumIn())
			for j := range args {
				args[j] = reflect.Zero(method.Type().In(j))
				for _, a := range arguments {
					if reflect.TypeOf(a).AssignableTo(args[j].Type()) {
						args[j] = reflect.ValueOf(a)
						break
					}
				}
			}
			out := method.Call(args)
			asked++
			if err, _ := out[len(out)-1].Interface().(error); !errors.Is(err, transformer.ErrNotFitted) {
				t.Errorf("%s of an empty %T: %v", name, empty, err)
			}
		}
	}
	if asked < 20 {
		t.Errorf("only %d methods were asked", asked)
	}
}

// beforeFit says whether a method is for an estimator before its fit, or for a model that is read.
func beforeFit(of any, name string) bool {
	if _, ok := of.(*selector.Model); ok {
		return name == "UnmarshalJSON"
	}
	return strings.HasPrefix(name, "Fit") || strings.HasPrefix(name, "Path") || name == "Check" || name == "Costs" || name == "Load" || strings.HasSuffix(name, "JSON")
}
