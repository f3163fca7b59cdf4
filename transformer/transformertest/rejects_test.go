package transformertest

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// TestRejects shows that each promise is really checked: a step that breaks it is found out, and by
// the check that is about it.
func TestRejects(t *testing.T) {
	tested := map[string]bool{}
	for _, u := range unsound {
		t.Run(u.name, func(t *testing.T) {
			at := slices.IndexFunc(checks, func(c check) bool { return c.name == u.check })
			if at < 0 {
				t.Fatalf("no check is called %q", u.check)
			}
			tested[u.check] = true
			if err := checks[at].broken(sound, fixtures()[0]); err != nil {
				t.Fatalf("a sound step is rejected: %v", err)
			}
			err := checks[at].broken(u.make, fixtures()[0])
			if err == nil {
				t.Fatalf("the check %q does not see it", u.check)
			}
			t.Log(err)
		})
	}
	for _, c := range checks {
		if !tested[c.name] {
			t.Errorf("no unsound step breaks the promise %q", c.name)
		}
	}
}

// TestRejectsRefusals covers what comes before the checks: a Fit that refuses without a reason.
func TestRejectsRefusals(t *testing.T) {
	refuse := func(message string, when func(f *dataset.Frame) bool) maker {
		return with(broken{fit: func(s transformer.Transformer, g base.FixedDataGrid) error {
			if when(frame(g)) {
				return errors.New(message)
			}
			return s.Fit(g)
		}})
	}
	categorical := func(f *dataset.Frame) bool { return len(f.Names()) > len(f.NumericNames()) }
	if _, err := accepted(refuse("no text please", categorical)); err == nil {
		t.Error("a refusal that names no column is accepted")
	}
	if tables, err := accepted(refuse(`column "weight" is categorical`, categorical)); err != nil || len(tables) != 1 {
		t.Errorf("a refusal that names the column: got %d tables and the error %v, want 1 and none", len(tables), err)
	}
	if _, err := accepted(refuse("colour", func(*dataset.Frame) bool { return true })); err == nil {
		t.Error("a step that refuses every table is accepted")
	}
}

// TestRunFails runs Run itself on an unsound step in another process and expects it to fail there.
func TestRunFails(t *testing.T) {
	const variable = "TRANSFORMERTEST_UNSOUND"
	if name := os.Getenv(variable); name != "" {
		for _, u := range unsound {
			if u.name == name {
				Run(t, u.make)
			}
		}
		return
	}
	program, err := os.Executable()
	if err != nil {
		t.Skipf("cannot find the test binary: %v", err)
	}
	cmd := exec.Command(program, "-test.run=^TestRunFails$")
	cmd.Env = append(os.Environ(), variable+"=loses the class")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !strings.Contains(string(out), "--- FAIL: TestRunFails/mixed/the-class-passes-through") {
		t.Errorf("Run lets a step pass that loses the class (error %v):\n%s", err, out)
	}
}
