package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/pipeline/config"
)

func newValidate() *cobra.Command {
	var set []string
	cmd := &cobra.Command{
		Use:   "validate CONFIG",
		Short: "Check a pipeline's YAML without running it",
		Long: `Check a pipeline's YAML without reading data or running it. All mistakes are
printed at once, each with file:line:column and the nearest valid key.`,
		Example: `  fspca validate configs/digits.yaml`,
		Args:    exactly("CONFIG"),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := await(cmd.Context(), func() (*config.Config, error) { return config.Load(args[0], set...) })
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: valid\n", args[0])
			return failed(err)
		},
	}
	cmd.Flags().StringArrayVar(&set, "set", nil, "`KEY=VALUE` that overrides a key, as in run (repeatable)")
	return cmd
}
