package starts

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestEach(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name    string
		cancel  int // the start that ends the context; −1: none
		fails   []int
		nothing []int // starts that give no result
		tried   []int
		cut     bool
		message string
	}{
		{"all", -1, nil, nil, []int{2, 3, 4}, false, ""},
		{"a failure", -1, []int{3}, nil, []int{2, 3}, false, "start 4 of 5: broken"},
		{"ended after a start", 3, nil, nil, []int{2, 3}, true, ""},
		{"ended after the last", 4, nil, nil, []int{2, 3, 4}, false, ""},
		{"ended within the last", 4, []int{4}, nil, []int{2, 3, 4}, true, ""},
		{"ended within a start", 3, []int{3}, nil, []int{2, 3}, true, ""},
		{"ended without a result", 2, nil, []int{2}, []int{2, 3}, true, ""},
		{"ended before anything is known", 2, []int{2}, nil, []int{2}, false, "start 3 of 5: broken"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var tried []int
		known := false
		cut, err := Each(ctx, 2, 5, func() bool { return known }, func(i int) error {
			tried = append(tried, i)
			if i == c.cancel {
				cancel()
			}
			if slices.Contains(c.fails, i) {
				return broken
			}
			known = known || !slices.Contains(c.nothing, i)
			return nil
		})
		cancel()
		got := ""
		if err != nil {
			got = err.Error()
		}
		if cut != c.cut || got != c.message || !slices.Equal(tried, c.tried) || err != nil && !errors.Is(err, broken) {
			t.Errorf("%s: cut %v, %q after %v, want %v, %q after %v", c.name, cut, got, tried, c.cut, c.message, c.tried)
		}
	}
}
