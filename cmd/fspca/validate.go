package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/pipeline/experiment"
)

func newValidate() *cobra.Command {
	var set []string
	cmd := &cobra.Command{
		Use:   "validate CONFIG",
		Short: "Check a pipeline's YAML without running it",
		Long: `Check a pipeline's YAML without running it. All mistakes are printed at once, each
with file:line:column and the nearest valid key. If the data exist, they are read and
checked too, as in run: columns and classes that the config names and the data do not
have are mistakes of the config.`,
		Example: `  fspca validate configs/digits.yaml`,
		Args:    exactly("CONFIG"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := config.Load(args[0], set...)
			if err != nil {
				return err
			}
			unread, err := checkData(cmd, c)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: valid%s\n", args[0], unread)
			return cli.Failed(err)
		},
	}
	cmd.Flags().StringArrayVar(&set, "set", nil, "`KEY=VALUE` that overrides a key, as in run (repeatable)")
	return cmd
}

// checkData reads and checks the data of a config. Where they are not there, it says so in unread.
func checkData(cmd *cobra.Command, c *config.Config) (unread string, err error) {
	if source := c.DataPath(); source != "" {
		if _, err := os.Stat(source); errors.Is(err, os.ErrNotExist) {
			return fmt.Sprintf("; the data %s do not exist, so they were not checked", source), nil
		}
	}
	data, err := c.ReadDataContext(cmd.Context())
	if err != nil {
		return "", err
	}
	found, err := experiment.Mistakes(c, data)
	if err == nil {
		err = (&strictness{c.Strict}).say(cmd, c.Data.Source, found)
	}
	if err != nil || c.TestPath() == "" {
		return "", err
	}
	if _, err := os.Stat(c.TestPath()); errors.Is(err, os.ErrNotExist) {
		return fmt.Sprintf("; the rows of split.file, %s, do not exist, so they were not checked", c.TestPath()), nil
	}
	_, err = c.ReadTest(cmd.Context(), data)
	return "", err
}
