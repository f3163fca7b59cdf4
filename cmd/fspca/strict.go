package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
)

// strictness says what becomes of warnings: a line each, or an error.
type strictness struct{ strict bool }

func (s *strictness) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.strict, "strict", false, "treat warnings about probable mistakes as errors")
}

// say prints the warnings about a file or a config, or returns them as an error.
func (s *strictness) say(cmd *cobra.Command, path string, warnings []dataset.Warning) error {
	if s.strict {
		return at(path, dataset.StrictError(warnings))
	}
	for _, w := range warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "fspca: warning: %s: %s\n", shown(path), named(cmd, w.String()))
	}
	return nil
}
