package pipeline

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// A step with every option set comes back from its JSON as it was.
func TestStepsComeBackFromJSON(t *testing.T) {
	for _, k := range Kinds() {
		want := Step{k.Name(), k.Options()}
		fill(t, reflect.ValueOf(want.Options).Elem())
		text := must.Get(json.Marshal(want))(t)
		var got Step
		if err := json.Unmarshal(text, &got); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s comes back as %+v", text, got.Options)
		}
	}
}

// fill sets all fields below a value that can be set.
func fill(t *testing.T, v reflect.Value) {
	switch to := v.Addr().Interface().(type) {
	case *FeatureCount:
		to.Number = 3
		return
	case *ComponentCount:
		to.Target = .25
		return
	case *ClassWeight:
		to.Of = map[string]float64{"a": 2.5}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(t, v.Index(0))
		fill(t, v.Index(1))
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fill(t, value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), value)
	case reflect.String:
		v.SetString("a <text>")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1.0 / 3)
	case reflect.Int:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(1<<64 - 1)
	default:
		t.Fatalf("no value for a %v", v.Type())
	}
}
