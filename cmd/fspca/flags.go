package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/spelling"
)

// flagError says what is wrong with a flag, in words for people who do not program.
// For a flag that does not exist it names the nearest.
func flagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &value):
		flag := value.GetFlag()
		wanted := map[string]string{
			"int": "a whole number", "uint64": "a whole number from 0 on", "float64": "a number", "bool": "true or false",
			"int64": "a whole number", "intSlice": "whole numbers, such as 5,10,20", "duration": "a time with its unit, such as 30s or 1h30m",
		}[flag.Value.Type()]
		cause := value.Unwrap() // says what is wanted where the flag is of this program
		if wanted != "" {
			cause = errors.New("want " + wanted)
		}
		err = fmt.Errorf("%s is %q: %w", flagName(flag), value.GetValue(), cause)
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		err = fmt.Errorf("there is no flag --%s%s", unknown.GetSpecifiedName(), spelling.Hint(" (the nearest is %q)", unknown.GetSpecifiedName(), names))
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return fmt.Sprintf("-%s (--%s)", f.Shorthand, f.Name)
	}
	return "--" + f.Name
}

// noCommand turns a word that is no command into an error with the nearest
// commands.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see fspca --help"
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %q?", near[0])
	}
	return fmt.Errorf("there is no command %q: %s", args[0], hint)
}

// exactly returns a check for positional arguments that names them. They are files: ~ is made the
// home folder, for callers that are no shell.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return fmt.Errorf("%s is missing: usage is %s", names[len(args)], cmd.UseLine())
		}
		if len(args) == len(names) {
			for i, path := range args {
				if path == "" { // a variable of a script that is not set
					return fmt.Errorf("%s is empty: want the name of a file", names[i])
				}
				args[i] = files.Home(path)
			}
			return nil
		}
		for _, word := range []string{"true", "false"} { // --header false leaves its value over
			if slices.Contains(args, word) {
				return fmt.Errorf("%q is one argument too many: write it behind its flag with =, as in --header=%s", word, word)
			}
		}
		return fmt.Errorf("%q is one argument too many: usage is %s", args[len(names)], cmd.UseLine())
	}
}

// newHelp replaces cobra's help command, which takes a word that is no command
// for none at all.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		Example: `  fspca help fit`,
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return noCommand(cmd.Root(), rest)
			}
			of.InitDefaultHelpFlag()
			of.InitDefaultVersionFlag()
			return of.Help()
		},
	}
}

// located puts the file in front of each line of an error, in the place of the
// package that found the mistake.
type located struct {
	path string
	err  error
}

// at says in which file the mistakes are that err tells of.
func at(path string, err error) error {
	if err == nil {
		return nil
	}
	return &located{shown(path), err}
}

func (e *located) Error() string {
	lines := strings.Split(e.err.Error(), "\n")
	for i, line := range lines {
		if line = strings.TrimPrefix(line, "fspca: "); !strings.HasPrefix(line, e.path+": ") { // as of its reader
			line = e.path + ": " + line
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

func (e *located) Unwrap() error { return e.err }

// shown returns what the file of an argument is called in messages.
func shown(path string) string {
	if path == "-" {
		return standardInput
	}
	return path
}
