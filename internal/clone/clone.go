// Package clone copies steps and their options, so that a fit works on a copy and the
// original stays as it is.
package clone

import (
	"reflect"
	"slices"
)

// Of returns a copy of a step: what its method Clone returns if that is of the
// step's own type, else a copy of the struct that it points to. (A type that embeds
// another inherits the other's Clone.) Exported lists, maps and structs of plain values,
// such as options are, are copied with it. What a step has learned is not, which is enough
// where a fit puts it in new memory; a step that changes its memory in place needs a Clone.
func Of[T any](step T) T {
	v := reflect.ValueOf(step)
	if c, ok := any(step).(interface{ Clone() T }); ok {
		if copied := c.Clone(); reflect.TypeOf(copied) == v.Type() {
			return copied
		}
	}
	return copied(step, false)
}

// Options returns a copy of the struct of options that a pointer points to, with all memory of its own.
func Options[T any](options T) T { return copied(options, true) }

// copied returns a copy of the struct that a pointer points to; what is none comes back as it is.
func copied[T any](of T, all bool) T {
	v := reflect.ValueOf(of)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return of
	}
	out := reflect.New(v.Type().Elem())
	out.Elem().Set(v.Elem())
	own(out.Elem(), all)
	return out.Interface().(T)
}

// own gives a value memory of its own. A pointer to a single number stays unless all is to be
// copied: the copies of somebody's step may count in one place.
func own(v reflect.Value, all bool) {
	switch {
	case v.Kind() == reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() {
				own(field, all)
			}
		}
	case !plain(v.Type(), nil):
	case v.Kind() == reflect.Array:
		for _, part := range parts(v) {
			own(part, all)
		}
	case v.Kind() == reflect.Pointer && (all || v.Type().Elem().Kind() == reflect.Struct), v.Kind() == reflect.Slice, v.Kind() == reflect.Map:
		if !v.IsNil() {
			v.Set(copyOf(v, all))
		}
	}
}

// copyOf copies a pointer, a list or a map that is not nil, and what is in it.
func copyOf(v reflect.Value, all bool) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(v.Elem())
		own(out.Elem(), all)
		return out
	case reflect.Slice:
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(out, v)
		for _, part := range parts(out) {
			own(part, all)
		}
		return out
	}
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for entry := v.MapRange(); entry.Next(); {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(entry.Value())
		own(value, all)
		out.SetMapIndex(entry.Key(), value)
	}
	return out
}

// parts are the items of a list; none where these hold no memory elsewhere.
func parts(v reflect.Value) []reflect.Value {
	if item := v.Type().Elem().Kind(); item <= reflect.Complex128 || item == reflect.String {
		return nil
	}
	items := make([]reflect.Value, v.Len())
	for i := range items {
		items[i] = v.Index(i)
	}
	return items
}

// plain says whether a type is data alone: numbers, texts and truth values, and lists, maps,
// pointers and structs of exported fields of these. Above are the types that it is part of.
func plain(t reflect.Type, above []reflect.Type) bool {
	if slices.Contains(above, t) {
		return false
	}
	above = append(above[:len(above):len(above)], t)
	switch t.Kind() {
	case reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Invalid:
		return false
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return plain(t.Elem(), above)
	case reflect.Struct:
		for field := range t.Fields() {
			if !field.IsExported() || !plain(field.Type, above) {
				return false
			}
		}
	}
	return true
}
