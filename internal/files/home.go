package files

import (
	"os"
	"path/filepath"
	"strings"
)

// Home returns path with a leading ~ replaced by the user's home folder, as a shell
// does. The ~ must stand alone or before a slash. Another path stays as it is, and
// so does every path where the home folder is not known.
func Home(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(home, rest)
}
