package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/fspca/fspca/internal/must"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fspca": main})
}

// TestScripts runs the transcripts in testdata/script. $SHARED is the folder of
// real data where there is one; a script that needs it starts with
// [!shared] skip.
func TestScripts(t *testing.T) {
	root := must.Get(filepath.Abs("../.."))(t)
	shared := filepath.Join(root, "..", "shared", "data")
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			env.Setenv("SHARED", shared)
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "shared":
				_, err := os.Stat(shared)
				return err == nil, nil
			case "root": // who may write where permissions forbid it
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": code},
	})
}

// code runs fspca and checks its exit code: code 2 fit x.csv …
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code WANT ARG...")
	}
	err := ts.Exec("fspca", args[1:]...)
	got := "0"
	if err != nil {
		got = "other"
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			got = strconv.Itoa(exit.ExitCode())
		}
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// quiet runs a command and returns what it wrote.
func quiet(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, &out, &errs)
	return code, out.String(), errs.String()
}

// alone runs the command in a process of its own, for what depends on the memory that is left: other
// tests have some of this one's.
func alone(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command("fspca", args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}
