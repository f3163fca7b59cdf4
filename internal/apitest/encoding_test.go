package apitest

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
)

// sound are values of types of which not all are right: one field of several is set, or some texts only are taken.
var sound = map[reflect.Type]any{
	reflect.TypeFor[pipeline.FeatureCount]():   pipeline.FeatureCount{Target: .25},
	reflect.TypeFor[pipeline.ComponentCount](): pipeline.ComponentCount{ParallelAnalysis: true},
	reflect.TypeFor[pipeline.ClassWeight]():    pipeline.ClassWeight{Of: map[string]float64{"a": 2.5}},
	reflect.TypeFor[pipeline.Step]():           pipeline.Step{Name: "knn", Options: &pipeline.KNNStep{K: 3, Weights: "distance"}},
	reflect.TypeFor[dataset.Reading](): dataset.Reading{Missing: []string{"-"}, Delimiter: "tab", Decimal: ",", Thousands: ".", Numbers: []string{"percent"}, SkipRows: 1,
		SkipFooter: 2, SkipLines: []string{"units"}, Comment: "#", Header: new(bool), IndexBase: new(int), Transpose: true, Columns: 3, Label: 2, LabelText: true},
	reflect.TypeFor[*selector.Model](): (*selector.Model)(nil), // the older models of Options, which are not saved
}

// noJSON are the types that are written in another way, or only once they hold something.
var noJSON = []string{"pipeline.Pipeline", "selector.Model"}

// TestEncodingsArePairs: what JSON is made of a value of any exported type gives the value again. A type with a
// function in it has no JSON, which is an error.
func TestEncodingsArePairs(t *testing.T) {
	pairs := 0
	for _, name := range slices.Sorted(maps.Keys(types)) {
		of := types[name]
		if of == nil || of.Kind() == reflect.Interface {
			continue
		}
		n := 0
		want, got := reflect.New(of), reflect.New(of)
		want.Elem().Set(filled(of, &n))
		text, err := json.Marshal(want.Interface())
		var function *json.UnsupportedTypeError
		if errors.As(err, &function) && function.Type.Kind() == reflect.Func {
			continue
		}
		if slices.Contains(noJSON, name) {
			if err == nil {
				t.Errorf("%s: %s, want an error", name, text)
			}
			continue
		}
		must.OK(t, errors.Join(err, json.Unmarshal(text, got.Interface())))
		if diff := cmp.Diff(want.Interface(), got.Interface(), cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
			t.Errorf("%s: %.200s\n-went +came:\n%s", name, text, diff)
		}
		pairs++
	}
	if pairs < 100 {
		t.Errorf("only %d types were looked at", pairs)
	}
}

// filled is a value of a type with all exported fields set that its JSON holds, to numbers and texts that differ
// by n.
func filled(t reflect.Type, n *int) reflect.Value {
	if v, ok := sound[t]; ok {
		return reflect.ValueOf(v)
	}
	v := reflect.New(t).Elem()
	*n++
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(1 + *n%100))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(1 + *n%100))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(1+*n%7) / 8)
	case reflect.String:
		v.SetString(string(rune('a' + *n%26)))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, 1, 1))
		v.Index(0).Set(filled(t.Elem(), n))
	case reflect.Array:
		for i := range t.Len() {
			v.Index(i).Set(filled(t.Elem(), n))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(filled(t.Key(), n), filled(t.Elem(), n))
	case reflect.Struct:
		written := reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) // by methods, whatever the tags say
		for i := range t.NumField() {
			if v.Field(i).CanSet() && (t.Field(i).Tag.Get("json") != "-" || written) {
				v.Field(i).Set(filled(t.Field(i).Type, n))
			}
		}
	case reflect.Pointer:
		if settable(t.Elem()) {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(filled(t.Elem(), n))
		}
	}
	return v
}
