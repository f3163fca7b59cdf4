package files

import (
	"os"
	"path/filepath"
	"strings"
)

// mounted reports whether a folder is a mount point or holds one.
func mounted(dir string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return true
	}
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return true
	}
	escaped := strings.NewReplacer(`\`, `\134`, " ", `\040`, "\t", `\011`, "\n", `\012`).Replace(dir)
	for line := range strings.Lines(string(table)) {
		if words := strings.Fields(line); len(words) > 4 && (words[4] == escaped || strings.HasPrefix(words[4], escaped+"/")) {
			return true
		}
	}
	return false
}
