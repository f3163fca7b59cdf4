//go:build faults && linux

package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// group makes a control group for memory, of the first version or the second, with a limit, and a
// group without one in it, in which commands are to run. It skips the test where that may not be.
func group(t *testing.T, limit int) (inner string) {
	t.Helper()
	for _, kind := range []struct{ root, limit string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"},
	} {
		outer := filepath.Join(kind.root, fmt.Sprintf("fspca-faults-%d", os.Getpid()))
		inner = filepath.Join(outer, "inner")
		if _, err := os.Stat(filepath.Join(kind.root, "cgroup.procs")); err != nil || os.MkdirAll(inner, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { // not their files, which go with them
			_ = os.Remove(inner)
			_ = os.Remove(outer)
		})
		_ = os.WriteFile(filepath.Join(outer, "cgroup.subtree_control"), []byte("+memory"), 0o644) // of the second
		if os.WriteFile(filepath.Join(outer, kind.limit), []byte(strconv.Itoa(limit)), 0o644) == nil {
			return inner
		}
	}
	t.Skip("no control group with a limit on memory can be made here")
	return ""
}

// TestControlGroup: a limit of a group above that of the process is known, so that what needs more is
// refused or read in blocks, and nothing is killed.
func TestControlGroup(t *testing.T) {
	const limit = 300 << 20
	inner := group(t, limit)
	dir := t.TempDir()
	const rows, columns = 1 << 18, 1 << 9 // 1 GiB, most of it a hole
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d)}", rows, columns)
	head := "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), 0}) + header
	path := filepath.Join(dir, "x.npy")
	write(t, path, head)
	if err := os.Truncate(path, int64(len(head))+8*rows*columns); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "c.yaml"), "version: 1\ndata: {source: x.npy}\nsteps: [center]\n")
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"run c.yaml", "control group", 1},
		{"validate c.yaml", "control group", 1},
		{"fit x.npy -k 2 -m 1", "read in blocks of rows", 2}, // every column is constant
		{"path x.npy -k 2 -m 1", "read in blocks of rows", 2},
	} {
		args := append([]string{"-c", `echo $$ > "$0/cgroup.procs" && exec "$@"`, inner, program}, strings.Fields(c.args)...)
		code, said := called(dir, "sh", args...)
		t.Logf("%s: code %d: %s", c.args, code, said)
		if code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%s: code %d, want %d and %q: %s", c.args, code, c.code, c.want, said)
		}
	}
}
