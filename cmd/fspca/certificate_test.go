package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestUnproved: a proof that the deadline cuts off says what to do, any other its reason.
func TestUnproved(t *testing.T) {
	other := errors.New("the bound does not hold")
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("proof: %w", context.DeadlineExceeded), "longer than --deadline 3s"},
		{other, other.Error()},
	} {
		if got := unproved(c.err, 3*time.Second).Error(); !strings.HasPrefix(got, "no certificate was written: ") || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}
