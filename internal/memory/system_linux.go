package memory

import (
	"bytes"
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// system is where Linux tells of memory; tests put other files there.
type system struct {
	root   string // "" but in tests
	rlimit func(resource int) (bytes uint64, err error)
	idle   int64 // see idle
}

// beside is what has to stay free below a limit of the shell. Where the system refuses memory, the Go runtime ends the
// process without a word of ours. It needs stacks of threads, tables of its own, and new places where those that are
// free are too small. The size is measured: with 128 MiB a run of 20,000 × 300 cells still ended so now and then.
const beside = 160 << 20

func systemLimits() []Limit {
	return (&system{rlimit: func(resource int) (uint64, error) {
		var r unix.Rlimit
		err := unix.Getrlimit(resource, &r)
		return r.Cur, err
	}, idle: idle()}).limits()
}

// idle is how much of the heap is free for what is allocated next, be it in memory or given back.
func idle() int64 {
	sizes := runtimeSizes("heap/released", "heap/free")
	return sizes[0] + sizes[1]
}

func (s *system) limits() []Limit {
	var all []Limit
	if kib, ok := s.line("/proc/meminfo", "MemAvailable:"); ok {
		all = append(all, Limit{kib << 10, "free memory of the machine"})
	}
	for _, r := range []struct {
		resource   int
		used, name string
	}{{unix.RLIMIT_AS, "VmSize:", "ulimit -v"}, {unix.RLIMIT_DATA, "VmData:", "ulimit -d"}} {
		most, err := s.rlimit(r.resource)
		used, ok := s.line("/proc/self/status", r.used)
		if err == nil && ok && most < math.MaxInt64 {
			all = append(all, Limit{int64(most) - used<<10 + s.idle - beside, r.name})
		}
	}
	return append(all, s.cgroups()...)
}

// hierarchy is one version of control groups: the files of a group and what they hold.
type hierarchy struct {
	limit, used string
	cache       []string // pages of files, which are given up on demand, read once or often
}

var (
	second = hierarchy{"memory.max", "memory.current", []string{"inactive_file", "active_file"}}
	first  = hierarchy{"memory.limit_in_bytes", "memory.usage_in_bytes", []string{"total_inactive_file", "total_active_file"}}
)

// cgroups returns the limits of the groups of this process and of all groups above them.
func (s *system) cgroups() []Limit {
	text, err := os.ReadFile(s.root + "/proc/self/cgroup")
	if err != nil {
		return nil
	}
	var all []Limit
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		switch {
		case parts[0] == "0" && parts[1] == "":
			all = append(all, s.chain(s.mount("cgroup2", ""), parts[2], second)...)
		case contains(parts[1], "memory"):
			all = append(all, s.chain(s.mount("cgroup", "memory"), parts[2], first)...)
		}
	}
	return all
}

func contains(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// mount returns where a kind of control group is mounted and which group is its root; "" for none.
func (s *system) mount(kind, option string) (at mountPoint) {
	text, err := os.ReadFile(s.root + "/proc/self/mountinfo")
	if err != nil {
		return at
	}
	for line := range strings.Lines(string(text)) {
		before, after, ok := strings.Cut(line, " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if ok && len(left) >= 5 && len(right) >= 3 && right[0] == kind && (option == "" || contains(right[2], option)) {
			return mountPoint{group: unescape.Replace(left[3]), dir: unescape.Replace(left[4])}
		}
	}
	return at
}

// unescape reads the names of mountinfo, in which space stands as octal numbers (man 5 proc).
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

type mountPoint struct{ group, dir string }

// chain returns the limits of a group and of those above it, up to what is mounted. In a container
// the path of the group may be the host's: then the root of the mount is what is seen.
func (s *system) chain(m mountPoint, group string, h hierarchy) []Limit {
	if m.dir == "" {
		return nil
	}
	rest, inside := strings.CutPrefix(path.Clean(group), strings.TrimSuffix(m.group, "/"))
	if !inside || rest != "" && rest[0] != '/' || strings.HasPrefix(rest, "/..") {
		rest = "/"
	}
	var all []Limit
	for at := path.Clean("/" + rest); ; at = path.Dir(at) {
		if l, ok := s.group(path.Join(m.dir, at), h); ok {
			all = append(all, l)
		}
		if at == "/" {
			return all
		}
	}
}

// group returns what the limit of one group leaves.
func (s *system) group(dir string, h hierarchy) (Limit, bool) {
	most, ok := s.number(dir + "/" + h.limit)
	if !ok || most >= math.MaxInt64-1<<20 { // "max", or the first version's number for none
		return Limit{}, false
	}
	used, _ := s.number(dir + "/" + h.used) // not there: a limit all the same
	left := most - used
	for _, name := range h.cache {
		cache, _ := s.line(dir+"/memory.stat", name)
		left += cache
	}
	return Limit{left, "memory limit of the control group " + dir}, true
}

func (s *system) number(file string) (int64, bool) {
	b, err := os.ReadFile(s.root + file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(b)), 10, 64)
	return n, err == nil
}

// line returns the number after a name in a file of lines of names and numbers.
func (s *system) line(file, name string) (int64, bool) {
	b, err := os.ReadFile(s.root + file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(b)) {
		words := strings.Fields(line)
		if len(words) >= 2 && words[0] == name {
			n, err := strconv.ParseInt(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
