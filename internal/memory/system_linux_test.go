package memory

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// machine writes the files of a system and returns the smallest limit.
func machine(t *testing.T, files map[string]string, rlimits map[int]uint64) (Limit, bool) {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(root+name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := &system{root: root, rlimit: func(resource int) (uint64, error) {
		if v, ok := rlimits[resource]; ok {
			return v, nil
		}
		return math.MaxUint64, nil
	}}
	return least(s.limits())
}

func TestLimits(t *testing.T) {
	const (
		meminfo = "MemTotal: 4000 kB\nMemAvailable: 3000 kB\n"
		two     = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
		one     = "31 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
		inside  = "31 23 0:27 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
		status  = "VmSize: 100 kB\nVmData: 50 kB\n"
	)
	tests := []struct {
		name    string
		files   map[string]string
		rlimits map[int]uint64
		want    int64 // −1: unknown
	}{
		{"nothing known", nil, nil, -1},
		{"free memory", map[string]string{"/proc/meminfo": meminfo}, nil, 3000 << 10},
		{"own group", map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/a/b\n", "/proc/self/mountinfo": two,
			"/sys/fs/cgroup/a/b/memory.max": "1000\n", "/sys/fs/cgroup/a/b/memory.current": "400\n",
			"/sys/fs/cgroup/a/b/memory.stat": "anon 3\ninactive_file 100\n"}, nil, 700},
		{"a parent's group", map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/a/b\n", "/proc/self/mountinfo": two,
			"/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/b/memory.current": "400\n",
			"/sys/fs/cgroup/a/memory.max": "900\n", "/sys/fs/cgroup/a/memory.current": "500\n"}, nil, 400},
		{"first version", map[string]string{"/proc/self/cgroup": "4:cpu:/x\n3:memory:/a\n", "/proc/self/mountinfo": one,
			"/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1000\n", "/sys/fs/cgroup/memory/a/memory.usage_in_bytes": "900\n"}, nil, 100},
		{"first version without a limit", map[string]string{"/proc/self/cgroup": "3:memory:/a\n", "/proc/self/mountinfo": one,
			"/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n", "/sys/fs/cgroup/memory/a/memory.usage_in_bytes": "900\n"}, nil, -1},
		{"a container that sees its own root", map[string]string{"/proc/self/cgroup": "3:memory:/docker/abc\n", "/proc/self/mountinfo": inside,
			"/sys/fs/cgroup/memory/memory.limit_in_bytes": "1000\n", "/sys/fs/cgroup/memory/memory.usage_in_bytes": "300\n"}, nil, 700},
		{"a path of the host", map[string]string{"/proc/self/cgroup": "0::/../../x\n", "/proc/self/mountinfo": two,
			"/sys/fs/cgroup/memory.max": "1000\n", "/sys/fs/cgroup/memory.current": "300\n"}, nil, 700},
		{"over its limit", map[string]string{"/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": two,
			"/sys/fs/cgroup/memory.max": "1000\n", "/sys/fs/cgroup/memory.current": "3000\n"}, nil, 0},
		{"ulimit -v", map[string]string{"/proc/meminfo": meminfo, "/proc/self/status": status}, map[int]uint64{unix.RLIMIT_AS: 200 << 10}, 100 << 10},
		{"ulimit -d", map[string]string{"/proc/meminfo": meminfo, "/proc/self/status": status}, map[int]uint64{unix.RLIMIT_DATA: 80 << 10}, 30 << 10},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, known := machine(t, test.files, test.rlimits)
			if known != (test.want >= 0) || known && got.Bytes != test.want {
				t.Errorf("got %+v, %v, want %d", got, known, test.want)
			}
		})
	}
	if l, known := Available(); !known || l.Bytes <= 0 {
		t.Errorf("this machine: %+v, %v", l, known)
	}
}
