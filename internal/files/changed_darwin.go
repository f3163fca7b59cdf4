package files

import (
	"io/fs"
	"syscall"
)

// Changed is as on Linux.
func Changed(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctimespec.Nano()
	}
	return 0
}
