//go:build !linux

package memory

// systemLimits is empty: only Linux tells.
func systemLimits() []Limit { return nil }
