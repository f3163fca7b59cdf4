//go:build !unix

package main

import "os"

// terminalWidth returns the letters of a line of a terminal; false where f is none.
func terminalWidth(f *os.File) (int, bool) {
	info, err := f.Stat()
	return defaultWidth, err == nil && info.Mode()&os.ModeCharDevice != 0
}
