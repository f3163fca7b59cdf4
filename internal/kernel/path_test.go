package kernel

import "testing"

// eachPath runs f once for every path that this machine has, with that path
// in use.
func eachPath(t *testing.T, f func(t *testing.T)) {
	for p := plain; p <= bestPath(); p++ {
		t.Run(p.String(), func(t *testing.T) {
			defer use(p)()
			f(t)
		})
	}
}

// use makes p the active path and returns what undoes that.
func use(p path) (restore func()) {
	old := active
	active = p
	return func() { active = old }
}
