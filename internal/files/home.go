package files

import (
	"os"
	"path/filepath"
	"strings"
)

// Home returns path with the user's home folder in the place of a ~ that stands alone or before a
// slash, as a shell does where it sees the word. Another path stays as it is, and so does every
// path where the home folder is not known.
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
