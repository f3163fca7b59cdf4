package files

import (
	"io/fs"
	"syscall"
)

// Changed is when the system last noted a change of a file, in nanoseconds: of its content, name or rights. Unlike the
// time of the last writing, nobody can set it back. It is 0 where the system does not tell.
func Changed(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctim.Nano()
	}
	return 0
}
