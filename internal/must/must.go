// Package must has what tests say of calls that have to succeed: an error ends the test, at the
// caller's line. Only tests import it.
//
//	model := must.Get(selector.ReadModel(file))(t)
//	must.OK(t, model.Check())
package must

// T is what a *testing.T, a *testing.B and a *rapid.T have.
type T interface {
	Helper()
	Fatal(args ...any)
}

// OK ends the test if err is not nil.
func OK(t T, err error) {
	if err != nil { // a *testing.F may not be asked for more within its fuzz target
		t.Helper()
		t.Fatal(err)
	}
}

// Get returns what gives a call's value, and ends the test if the call gave an error.
func Get[V any](v V, err error) func(T) V {
	return func(t T) V {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
		return v
	}
}

// Two is Get for a call of two values.
func Two[V, W any](v V, w W, err error) func(T) (V, W) {
	return func(t T) (V, W) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
		return v, w
	}
}
