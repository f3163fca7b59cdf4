package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/kernel"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of fspca and of Go",
		Example: `  fspca version`,
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionText())
			return cli.Failed(err)
		},
	}
}

func versionText() string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return fmt.Sprintf("fspca %s %s %s/%s, kernels: %s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH, kernel.Path())
}
