package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
)

// dataFlags are those of fspca that say how a table is read, as far as they are for shards.
type dataFlags struct{ cli.Reading }

func (f *dataFlags) register(cmd *cobra.Command, labelUse string) {
	f.Register(cmd, labelUse)
	flags := cmd.Flags()
	flags.Lookup("id").Usage = "`COLUMN` with the names of the rows, which is no feature"
	flags.Lookup("header").Usage = "whether the first line of each shard holds the column names; --header=false names them x1, x2, …"
	flags.Lookup("format").Usage = "`FORMAT` of the shards where their names do not tell: " + strings.Join(dataset.FormatNames(), ", ")
}

// table returns the table of the shards.
func (f *dataFlags) table(cmd *cobra.Command, shards []string) (beam.Table, error) {
	err := f.Check(cmd)
	if len(shards) == 0 {
		err = errors.Join(err, fmt.Errorf("SHARDS are missing: usage is %s", cmd.UseLine()))
	}
	return beam.Table{Shards: shards, Read: f.ReadOptions}, err
}

// refused are flags of fspca that cannot be with shards, and why.
type refused map[string]string

// register makes the flags known, so that they are told of in plain words.
func (r refused) register(cmd *cobra.Command) {
	for name := range r {
		if cmd.Flags().Lookup(name) == nil {
			cmd.Flags().String(name, "", "")
			cmd.Flags().Lookup(name).NoOptDefVal = "true"
		}
		cmd.Flags().Lookup(name).Hidden = true
	}
}

func (r refused) check(cmd *cobra.Command) error {
	var errs []error
	for name, why := range r {
		if cmd.Flags().Changed(name) {
			errs = append(errs, fmt.Errorf("--%s is not for shards: %s", name, why))
		}
	}
	return errors.Join(errs...)
}
