//go:build !linux

package main

// availableMemory returns nothing: only Linux tells without a library.
func availableMemory() (int64, bool) { return 0, false }
