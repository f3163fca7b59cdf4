package main

import (
	"os"
	"strconv"
	"strings"
)

// Where Linux tells of memory; tests put other files there.
var (
	meminfoFile = "/proc/meminfo"
	cgroupDir   = "/sys/fs/cgroup" // of a container: its own limit
)

// availableMemory returns how many bytes a process can have without swapping,
// if the system tells.
func availableMemory() (int64, bool) {
	kib, known := memoryLine(meminfoFile, "MemAvailable:")
	free := kib << 10
	limit, err := os.ReadFile(cgroupDir + "/memory.max")
	if err != nil {
		return free, known
	}
	most, err := strconv.ParseInt(strings.TrimSpace(string(limit)), 10, 64)
	if err != nil { // "max"
		return free, known
	}
	used, err := os.ReadFile(cgroupDir + "/memory.current")
	if err != nil {
		return free, known
	}
	current, err := strconv.ParseInt(strings.TrimSpace(string(used)), 10, 64)
	if err != nil {
		return free, known
	}
	cache, _ := memoryLine(cgroupDir+"/memory.stat", "inactive_file") // given up on demand
	left := max(0, most-current+cache)
	if !known {
		return left, true
	}
	return min(free, left), true
}

// memoryLine returns the number after a name in a file of lines of names and
// numbers.
func memoryLine(path, name string) (int64, bool) {
	b, err := os.ReadFile(path)
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
