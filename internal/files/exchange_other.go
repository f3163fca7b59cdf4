//go:build !linux && !darwin

package files

import "errors"

// exchange is what this system does not do in one step.
func exchange(_, _ string) error { return errors.ErrUnsupported }
