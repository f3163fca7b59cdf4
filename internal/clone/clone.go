// Package clone copies steps and their options, so that a fit works on a copy and the
// original stays as it is.
package clone

import "reflect"

// Of returns a copy of a step: what its method Clone returns if that is of the
// step's own type, else a copy of the struct that it points to. (A type that embeds
// another inherits the other's Clone.) Exported lists, maps and pointers to plain values,
// such as options are, are copied with it. What a step has learned is not, which is enough
// where a fit puts it in new memory; a step that changes its memory in place needs a Clone.
func Of[T any](step T) T {
	v := reflect.ValueOf(step)
	if c, ok := any(step).(interface{ Clone() T }); ok {
		if copied := c.Clone(); reflect.TypeOf(copied) == v.Type() {
			return copied
		}
	}
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return step
	}
	copied := reflect.New(v.Type().Elem())
	copied.Elem().Set(v.Elem())
	own(copied.Elem())
	return copied.Interface().(T)
}

// own gives a value memory of its own.
func own(v reflect.Value) {
	if !plain(v.Type(), nil) {
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				if v.Field(i).CanSet() {
					own(v.Field(i))
				}
			}
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct, reflect.Array:
		for _, part := range parts(v) {
			own(part)
		}
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if !v.IsNil() {
			v.Set(copyOf(v))
		}
	}
}

// copyOf copies a pointer, a list or a map that is not nil, and what is in it.
func copyOf(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(v.Elem())
		own(out.Elem())
		return out
	case reflect.Slice:
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(out, v)
		for _, part := range parts(out) {
			own(part)
		}
		return out
	}
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for entry := v.MapRange(); entry.Next(); {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(entry.Value())
		own(value)
		out.SetMapIndex(entry.Key(), value)
	}
	return out
}

// parts are the fields of a struct or the items of a list; none where these hold no memory elsewhere.
func parts(v reflect.Value) []reflect.Value {
	var all []reflect.Value
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			all = append(all, v.Field(i))
		}
	case v.Type().Elem().Kind() > reflect.Complex128 && v.Type().Elem().Kind() != reflect.String:
		for i := range v.Len() {
			all = append(all, v.Index(i))
		}
	}
	return all
}

// plain says whether a type is data alone: numbers, texts and truth values, and lists, maps,
// pointers and structs of exported fields of these. Above are the types that it is part of.
func plain(t reflect.Type, above []reflect.Type) bool {
	for _, other := range above {
		if other == t {
			return false
		}
	}
	above = append(above[:len(above):len(above)], t)
	switch t.Kind() {
	case reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Invalid:
		return false
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return plain(t.Elem(), above)
	case reflect.Struct:
		for i := range t.NumField() {
			if !t.Field(i).IsExported() || !plain(t.Field(i).Type, above) {
				return false
			}
		}
	}
	return true
}
