// Package clone copies steps, so that a fit works on a copy and the original
// stays as it is.
package clone

import "reflect"

// Of returns a copy of a step: what its method Clone returns if that is of the
// step's own type, else a copy of the struct that it points to. (A type that embeds
// another inherits the other's Clone.) A copy is enough where a fit puts what it
// learns in new memory; a step that changes its memory in place needs a Clone.
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
	return copied.Interface().(T)
}
