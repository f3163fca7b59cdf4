//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package files

import "os"

// lock always succeeds: this system has no lock that ends with its process.
func lock(*os.File) (bool, error) { return true, nil }
