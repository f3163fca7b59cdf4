package memory

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/fspca/fspca/internal/must"
)

// machine writes the files of a system and returns the smallest limit.
func machine(t *testing.T, files map[string]string, rlimits map[int]uint64) (Limit, bool) {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		must.OK(t, os.MkdirAll(filepath.Dir(root+name), 0o777))
		must.OK(t, os.WriteFile(root+name, []byte(text), 0o666))
	}
	s := &system{root: root, rlimit: func(resource int) (uint64, error) {
		if v, ok := rlimits[resource]; ok {
			return v, nil
		}
		return math.MaxUint64, nil
	}, idle: 3 << 10}
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
			"/sys/fs/cgroup/a/b/memory.stat": "anon 3\ninactive_file 60\nactive_file 40\n"}, nil, 700},
		{"a parent's group", map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/a/b\n", "/proc/self/mountinfo": two,
			"/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/b/memory.current": "400\n",
			"/sys/fs/cgroup/a/memory.max": "900\n", "/sys/fs/cgroup/a/memory.current": "500\n"}, nil, 400},
		{"the least of own and all above", map[string]string{"/proc/self/cgroup": "0::/a/b/c\n", "/proc/self/mountinfo": two,
			"/sys/fs/cgroup/memory.stat":      "inactive_file 7\n",
			"/sys/fs/cgroup/a/b/c/memory.max": "5000\n", "/sys/fs/cgroup/a/b/c/memory.current": "1000\n",
			"/sys/fs/cgroup/a/b/memory.max": "2000\n", "/sys/fs/cgroup/a/b/memory.current": "1500\n", "/sys/fs/cgroup/a/b/memory.stat": "file 9\ninactive_file 50\n",
			"/sys/fs/cgroup/a/memory.max": "max\n", "/sys/fs/cgroup/a/memory.current": "1600\n"}, nil, 550},
		{"no group has a limit", map[string]string{"/proc/self/cgroup": "0::/a/b\n", "/proc/self/mountinfo": two,
			"/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/memory.max": "max\n"}, nil, -1},
		{"files that are not there", map[string]string{"/proc/self/cgroup": "0::/a/b\n", "/proc/self/mountinfo": two}, nil, -1},
		{"a limit without what is in use", map[string]string{"/proc/self/cgroup": "0::/a\n", "/proc/self/mountinfo": two, "/sys/fs/cgroup/a/memory.max": "800\n"}, nil, 800},
		{"not mounted", map[string]string{"/proc/self/cgroup": "0::/a\n", "/proc/self/mountinfo": one, "/sys/fs/cgroup/a/memory.max": "800\n"}, nil, -1},
		{"not numbers", map[string]string{"/proc/self/cgroup": "0::/a\nx\n", "/proc/self/mountinfo": two + "short line\n", "/sys/fs/cgroup/a/memory.max": "lots\n"}, nil, -1},
		{"a namespace below the mount's root", map[string]string{"/proc/self/cgroup": "0::/docker/abc/job\n", "/proc/self/mountinfo": "30 23 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
			"/sys/fs/cgroup/job/memory.max": "900\n", "/sys/fs/cgroup/job/memory.current": "100\n", "/sys/fs/cgroup/memory.max": "700\n", "/sys/fs/cgroup/memory.current": "100\n"}, nil, 600},
		{"a neighbour's name that starts alike", map[string]string{"/proc/self/cgroup": "0::/docker/abc\n", "/proc/self/mountinfo": "30 23 0:26 /docker/ab /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
			"/sys/fs/cgroup/c/memory.max": "5\n", "/sys/fs/cgroup/memory.max": "700\n", "/sys/fs/cgroup/memory.current": "100\n"}, nil, 600},
		{"mounted elsewhere, with a space", map[string]string{"/proc/self/cgroup": "0::/a\n", "/proc/self/mountinfo": "30 23 0:26 / /mnt/my\\040groups rw shared:4 - cgroup2 none rw\n",
			"/mnt/my groups/a/memory.max": "900\n", "/mnt/my groups/a/memory.current": "100\n"}, nil, 800},
		{"both versions", map[string]string{"/proc/self/cgroup": "3:cpu,memory:/a\n0::/b\n", "/proc/self/mountinfo": one + "40 23 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
			"/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1000\n", "/sys/fs/cgroup/memory/a/memory.usage_in_bytes": "100\n",
			"/sys/fs/cgroup/unified/b/memory.max": "600\n", "/sys/fs/cgroup/unified/b/memory.current": "100\n"}, nil, 500},
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
		{"ulimit -v", map[string]string{"/proc/meminfo": meminfo, "/proc/self/status": status}, map[int]uint64{unix.RLIMIT_AS: beside + 200<<10}, 103 << 10},
		{"ulimit -d", map[string]string{"/proc/meminfo": meminfo, "/proc/self/status": status}, map[int]uint64{unix.RLIMIT_DATA: beside + 80<<10}, 33 << 10},
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
