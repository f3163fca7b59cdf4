package apitest

import (
	"context"
	"math"
	"path/filepath"
	"reflect"
	"runtime"
)

// sourceDir is the folder of this file.
func sourceDir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

// repetitions are fields that say how often something is done: a huge number is a
// long computation and no mistake.
var repetitions = map[string]bool{"Restarts": true, "Bootstrap": true, "MaxIterations": true, "SDPIterations": true, "Draws": true, "Trees": true, "Replicates": true, "Random": true, "MaxPasses": true, "MaxExchanges": true}

// value makes a value of a type: a good one from the pool, or one at an edge.
func (c *caller) value(t reflect.Type, depth int) reflect.Value {
	if pool := c.pool[t]; len(pool) > 0 && c.random.IntN(2) == 0 {
		return pool[c.random.IntN(len(pool))]
	}
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(c.random.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(pick(c, []int64{0, 1, 2, 3, -1, 65536, 1 << 31, 1 << 62, math.MinInt64, math.MaxInt64}))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(pick(c, []uint64{0, 1, 2, 255, math.MaxUint64}))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(pick(c, []float64{0, 1, 0.5, -1, 1e-300, 1e308, math.Inf(1), math.Inf(-1), math.NaN()}))
	case reflect.String:
		v.SetString(pick(c, []string{"", "a", "x1", "sepal_length", "knn", "ipu", "exact", "no/such/file", "\x00", "\xff", "builtin:iris"}))
	case reflect.Slice:
		if n := c.random.IntN(4); n > 0 && depth < 4 {
			v.Set(reflect.MakeSlice(t, n-1, n-1))
			for i := range n - 1 {
				v.Index(i).Set(c.value(t.Elem(), depth+1))
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			v.Index(i).Set(c.value(t.Elem(), depth+1))
		}
	case reflect.Map:
		if c.random.IntN(2) == 0 && depth < 4 {
			v.Set(reflect.MakeMap(t))
			v.SetMapIndex(c.value(t.Key(), depth+1), c.value(t.Elem(), depth+1))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if repetitions[t.Field(i).Name] && v.Field(i).CanInt() {
				v.Field(i).SetInt(pick(c, []int64{0, 1, 2, -1, math.MinInt64}))
			} else if v.Field(i).CanSet() && depth < 4 && c.random.IntN(3) > 0 {
				v.Field(i).Set(c.value(t.Field(i).Type, depth+1))
			}
		}
	case reflect.Pointer:
		if c.random.IntN(3) > 0 && depth < 4 && settable(t.Elem()) {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(c.value(t.Elem(), depth+1))
		}
	case reflect.Func:
		if c.random.IntN(2) == 0 {
			v.Set(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
				var out []reflect.Value
				for out0 := range t.Outs() {
					out = append(out, reflect.Zero(out0))
				}
				return out
			}))
		}
	case reflect.Interface:
		if t == reflect.TypeFor[context.Context]() { // a nil context is against the rules of package context
			return c.pool[t][c.random.IntN(len(c.pool[t]))]
		}
	}
	return v
}

// settable says whether a value of the type may be made by assignment: matrices of
// gonum panic by themselves where their parts do not fit.
func settable(t reflect.Type) bool { return t.PkgPath() != "gonum.org/v1/gonum/mat" }

func pick[T any](c *caller, from []T) T { return from[c.random.IntN(len(from))] }
