//go:build !linux

package files

import "errors"

// exchange is what only Linux does in one step.
func exchange(_, _ string) error { return errors.ErrUnsupported }
