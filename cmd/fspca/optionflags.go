package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/solver"
)

// optionFlags are the flags of the fields of selector.Options.
var optionFlags = map[string]string{
	"Features": "features", "FeaturesTarget": "target", "Cost": "budget",
	"Components": "components", "ComponentsTarget": "components-target", "ParallelAnalysis": "parallel-analysis",
	"Criterion": "criterion", "MaxCorrelation": "max-correlation", "Groups": "group", "Unmeasured": "unmeasured",
	"Method": "method", "Init": "init", "Effort": "effort", "Bound": "bound", "SDPIterations": "sdp-iterations", "Include": "include", "Exclude": "exclude",
	"Deadline": "deadline", "MemoryLimit": "memory-limit", "Restarts": "restarts", "Seed": "seed", "MaxIterations": "max-iterations", "Epsilon": "epsilon",
	"Weight": "weight", "WarmStart": "warm-start", "Align": "align", "Bootstrap": "bootstrap", "Ledger": "ledger", "Decoder": "decoder", "Ridge": "ridge",
}

// checkOptions returns what the selector refuses, by the flags that say it, before the
// data are read.
func (f *fitFlags) checkOptions(cmd *cobra.Command) []error {
	o := f.settled()
	o.Reconstruction = !f.bare
	if cmd.Name() == "path" {
		o.Features, o.FeaturesTarget = 0, 1 // the k are those of the path
	}
	var errs []error
	for _, err := range param.Each(o.Check()) {
		var wrong *solver.ParamError
		if !errors.As(err, &wrong) {
			errs = append(errs, err)
			continue
		}
		switch wrong.Field {
		case "FeaturesTarget", "ComponentsTarget", "ParallelAnalysis", "Deadline", "Bootstrap": // which check looks at, with what is 0
			continue
		}
		if flag := optionFlags[wrong.Field]; cmd.Flags().Changed(flag) {
			errs = append(errs, fmt.Errorf("--%s: %w", flag, wrong))
		}
	}
	return errs
}
