package must

import (
	"errors"
	"strconv"
	"testing"
)

// told records what a test would be ended with.
type told []any

func (t *told) Helper()           {}
func (t *told) Fatal(args ...any) { *t = append(*t, args...) }

func TestMust(t *testing.T) {
	var quiet, loud told
	OK(&quiet, nil)
	if got := Get(strconv.Atoi("17"))(&quiet); got != 17 {
		t.Errorf("got %d, want 17", got)
	}
	if a, b := Two("a", "b", nil)(&quiet); a != "a" || b != "b" {
		t.Errorf("got %q and %q", a, b)
	}
	if len(quiet) != 0 {
		t.Errorf("told %v of no error", quiet)
	}
	wrong := errors.New("wrong")
	OK(&loud, wrong)
	Get(0, wrong)(&loud)
	Two(0, 0, wrong)(&loud)
	if len(loud) != 3 || loud[0] != any(wrong) || loud[1] != any(wrong) || loud[2] != any(wrong) {
		t.Errorf("told %v, want the error three times", loud)
	}
}
