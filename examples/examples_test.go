package examples

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fspca/fspca/internal/must"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

// TestExamples builds all programs and compares what they print.
func TestExamples(t *testing.T) {
	bin := t.TempDir() + string(filepath.Separator)
	run(t, "go", "build", "-o", bin, "./...")
	mains, err := filepath.Glob("*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatalf("no examples found: %v", err)
	}
	cgo := strings.TrimSpace(run(t, "go", "env", "CGO_ENABLED")) == "1"
	for _, main := range mains {
		name := filepath.Dir(main)
		t.Run(name, func(t *testing.T) {
			expected := filepath.Join(name, "expected.txt")
			if name == "knn" && !cgo {
				expected = filepath.Join(name, "expected_nocgo.txt")
			}
			got := run(t, filepath.Join(bin, name))
			if *update {
				must.OK(t, os.WriteFile(expected, []byte(got), 0o666))
			}
			want := must.Get(os.ReadFile(expected))(t)
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-expected +printed; rewrite with go test ./examples -update):\n%s", expected, diff)
			}
		})
	}
}

// run gives what a command prints to its standard output.
func run(t *testing.T, command string, arguments ...string) string {
	t.Helper()
	var errors bytes.Buffer
	c := exec.Command(command, arguments...)
	c.Stderr = &errors
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", command, strings.Join(arguments, " "), err, &errors)
	}
	return string(out)
}
