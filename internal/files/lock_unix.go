//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock takes the lock of an open file or folder. It reports false where another
// process or another opener holds it. The lock ends with the file's closing, so
// also when the process is killed.
func lock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}
