package golearn

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/sjwhitworth/golearn/base"
)

func TestGuard(t *testing.T) {
	if err := Guard("step", func() error { return nil }); err != nil {
		t.Errorf("no panic: got %v", err)
	}
	plain := errors.New("plain")
	if err := Guard("step", func() error { return plain }); err != plain {
		t.Errorf("an error: got %v", err)
	}
	err := Guard("decision_tree: fit", func() error {
		base.GetClass(base.NewDenseInstances(), 0) // golearn panics without a class
		return nil
	})
	var panicked *PanicError
	if !errors.As(err, &panicked) || err.Error() != "decision_tree: fit: panicked: No class defined!" ||
		!bytes.Contains(panicked.Stack, []byte("GetClass")) {
		t.Errorf("golearn's panic: got %v", err)
	}
	err = Guard("step", func() error { panic(fmt.Errorf("wrapped: %w", plain)) })
	if !errors.Is(err, plain) {
		t.Errorf("a panic with an error: got %v", err)
	}
}
