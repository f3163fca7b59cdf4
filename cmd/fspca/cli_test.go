package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fspca/fspca/internal/must"
)

//go:generate go test -run TestCLIPage -update .

// page is docs/cli.md: the help of every command.
func cliPage() string {
	var b strings.Builder
	root := newRoot()
	fmt.Fprintf(&b, "# Commands\n\nMade from the help of the commands by `go generate ./cmd/fspca`; do not edit.\n\n%s\n", root.Long)
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if !c.IsAvailableCommand() || c.Name() == "help" {
			continue
		}
		describe(&b, c)
	}
	return b.String()
}

func describe(b *strings.Builder, c *cobra.Command) {
	long := c.Long
	if c.Name() == "completion" {
		long = "The script that lets a shell complete commands, flags and their values:\n`fspca completion bash`, `zsh`, `fish` or `powershell`. `fspca completion bash --help`\nsays how to load it."
	}
	fmt.Fprintf(b, "\n## fspca %s\n\n%s.\n\n", c.Name(), c.Short)
	if long != "" {
		fmt.Fprintf(b, "%s\n\n", strings.TrimSpace(long))
	}
	c.InitDefaultHelpFlag()
	fmt.Fprintf(b, "```text\n%s\n```\n", c.UseLine())
	if c.Example != "" {
		lines := strings.Split(c.Example, "\n")
		for i := range lines {
			lines[i] = strings.TrimPrefix(lines[i], "  ")
		}
		fmt.Fprintf(b, "\n```text\n%s\n```\n", strings.Join(lines, "\n"))
	}
	var rows []string
	c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if zero := []string{"", "0", "false", "[]", "0s"}; !slices.Contains(zero, f.DefValue) && f.Value.Type() != "bool" && !strings.Contains(usage, "default") {
			usage += " (default " + f.DefValue + ")"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s |", strings.ReplaceAll(strings.TrimSpace(name+" "+value), "|", `\|`), strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(usage)))
	})
	if len(rows) > 0 {
		fmt.Fprintf(b, "\n| flag | what it does |\n|---|---|\n%s\n", strings.Join(rows, "\n"))
	}
}

// TestCLIPage: docs/cli.md is what the commands say.
func TestCLIPage(t *testing.T) {
	const path = "../../docs/cli.md"
	want := cliPage()
	if *update {
		must.OK(t, os.WriteFile(path, []byte(want), 0o644))
	}
	got := must.Get(os.ReadFile(path))(t)
	if string(got) != want {
		t.Errorf("%s is not what the commands say: run go generate ./cmd/fspca", path)
	}
	for _, c := range newRoot().Commands() {
		if c.Name() != "help" && !strings.Contains(want, "## fspca "+c.Name()+"\n") {
			t.Errorf("%s is not there", c.Name())
		}
	}
}

// TestCompletion: a script for each shell, and the values of flags.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		code, script, stderr := quiet("completion", shell)
		if code != 0 || !strings.Contains(script, "fspca") || len(script) < 1000 {
			t.Errorf("%s: code %d, %d bytes, %s", shell, code, len(script), stderr)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		check := exec.Command(path, "-n", "/dev/stdin")
		check.Stdin = strings.NewReader(script)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s does not read its script: %v\n%s", shell, err, out)
		}
	}
	for _, tc := range []struct {
		words []string
		want  string
	}{
		{[]string{"fit", "--effort", ""}, "ipu quick thorough exact"},
		{[]string{"path", "--criterion", ""}, "variance reconstruction"},
		{[]string{"fit", "--impute", ""}, strings.Join(imputations, " ")},
		{[]string{"transform", "--output", ""}, "projection selected both reconstruction"},
		{[]string{"run", ""}, "yaml yml"},
	} {
		var out bytes.Buffer
		run(append([]string{"__complete"}, tc.words...), &out, &bytes.Buffer{})
		lines := slices.DeleteFunc(strings.Fields(out.String()), func(s string) bool { return strings.HasPrefix(s, ":") })
		if got := strings.Join(lines, " "); got != tc.want {
			t.Errorf("%v is completed by %q, want %q", tc.words, got, tc.want)
		}
	}
}
