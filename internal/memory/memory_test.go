package memory

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"
)

func TestGoLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	debug.SetMemoryLimit(1 << 30)
	l := goLimit()
	if len(l) != 1 || l[0].Bytes >= 1<<30 || l[0].Bytes < 1<<29 {
		t.Errorf("got %v, want something below 1 GiB", l)
	}
	err := Check("the fit", 1<<50)
	var e *Error
	if !errors.As(err, &e) || e.Need != 1<<50 || !strings.Contains(err.Error(), "the fit needs about 1048576.0 GiB") {
		t.Errorf("got %v", err)
	}
	if err := Check("the fit", 0); err != nil {
		t.Error(err)
	}
}

func TestAmount(t *testing.T) {
	for n, want := range map[int64]string{0: "0 MiB", 1: "1 MiB", 1 << 20: "1 MiB", 3 << 29: "1.5 GiB", -5: "0 MiB"} {
		if got := Amount(n); got != want {
			t.Errorf("Amount(%d) = %q, want %q", n, got, want)
		}
	}
}
