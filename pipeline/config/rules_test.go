package config

import (
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/strict"
)

type panicking struct{}

func (*panicking) Check() error { panic("not ready") }

// A panic of somebody's own Check is a mistake of the step.
func TestCheckThatPanics(t *testing.T) {
	err := new(strict.Grammar).Check(new(panicking), func(in *strict.Inspection) { checkOptions(in, new(panicking), "steps.0.mine") })
	if err == nil || !strings.Contains(err.Error(), "not ready") {
		t.Errorf("got %v", err)
	}
}
