package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// complete lets a shell offer the values of flags that take one of a few, and for
// pipelines the files that hold one.
func complete(root *cobra.Command) {
	values := map[string][]string{
		"criterion": {selector.CriterionVariance, selector.CriterionReconstruction},
		"bound":     {string(solver.BoundQuick), string(solver.BoundTight), string(solver.BoundNone)},
		"effort":    {string(solver.EffortIPU), string(solver.EffortQuick), string(solver.EffortThorough), string(solver.EffortExact)},
		"init":      {string(solver.StartGo), string(solver.StartRandom), string(baseline.StartConvexRelaxation)},
		"impute":    imputations,
		"method":    append([]string{string(solver.MethodIPU), string(solver.MethodGo)}, cli.Compared()...),
		"decimal":   {".", ","},
		"numbers":   {"percent", "fortran"},
		"output":    {"projection", "selected", "both", "reconstruction"},
		"format":    dataset.FormatNames(),
	}
	for _, cmd := range root.Commands() {
		for flag, list := range values {
			if cmd.Flags().Lookup(flag) != nil {
				// The error is that of a flag which is not there, or told twice.
				_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(slices.Clone(list), cobra.ShellCompDirectiveNoFileComp))
			}
		}
		if slices.Contains([]string{"run", "validate"}, cmd.Name()) {
			cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
			}
		}
	}
}
