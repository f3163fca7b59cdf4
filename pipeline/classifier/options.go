package classifier

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// joined joins errors and begins them with the name of what they are of; nil for none.
func joined(kind string, errs ...error) error {
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}

func positive(name string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return fmt.Errorf("%s is %v, and must be a positive number (0 means its default)", name, v)
	}
	return nil
}

func atLeast(name string, v, least int) error {
	if v < least {
		return fmt.Errorf("%s is %d, and must be at least %d (0 means its default)", name, v, least)
	}
	return nil
}

func atMost(name string, v, most int) error {
	if v > most {
		return fmt.Errorf("%s is %d, and must be at most %d", name, v, most)
	}
	return nil
}

func oneOf(name, v string, known ...string) error {
	if !slices.Contains(known, v) {
		return fmt.Errorf("%s is %q: expected one of %s", name, v, strings.Join(known, ", "))
	}
	return nil
}
