package config

import (
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/transformer"
)

// selection is the kind that a pipeline has once at most.
const selection = "fspca"

// rules are what the options of a kind must keep beyond single keys.
var rules = map[string]func(in *strict.Inspection, options any, path string){
	"impute":   checkImpute,
	"dates":    checkDates,
	"logistic": checkLogistic,
	selection:  checkFSPCA,
}

// checkLogistic holds l1 and l2 to the penalty.
func checkLogistic(in *strict.Inspection, options any, path string) {
	s := options.(*pipeline.LogisticStep)
	if s.L1 != 0 && (s.Penalty == "" || s.Penalty == "l2") {
		in.Against([]string{strict.Join(path, "penalty")}, strict.Join(path, "l1"), "l1 is for penalty: l1 or elastic")
	}
	if s.L2 != 0 && s.Penalty == "l1" {
		in.Against([]string{strict.Join(path, "penalty")}, strict.Join(path, "l2"), "l2 is for penalty: l2 or elastic")
	}
}

func checkImpute(in *strict.Inspection, options any, path string) {
	s := options.(*pipeline.ImputeStep)
	fixed := s.Strategy == "constant"
	if !fixed && s.Value != nil {
		in.Against([]string{strict.Join(path, "strategy")}, strict.Join(path, "value"), "only strategy: constant uses value")
	}
	if !fixed && s.Level != "" {
		in.Against([]string{strict.Join(path, "strategy")}, strict.Join(path, "level"), "only strategy: constant uses level")
	}
	if fixed && s.Value == nil && s.Level == "" {
		in.Report(strict.Join(path, "value"), "strategy: constant needs a value (for numeric columns) or a level (for categorical ones)")
	}
}

func checkDates(in *strict.Inspection, options any, path string) {
	s := options.(*pipeline.DatesStep)
	parts := transformer.DateParts()
	for i, part := range s.Parts {
		if !slices.Contains(parts, part) {
			in.Report(strict.Join(path, "parts."+strconv.Itoa(i)), "there is no part %q of a date: the parts are %s%s", part, strict.Listing(parts, "and"), strict.Suggest(part, parts))
		}
	}
	if err := transformer.CheckDateFormat(s.Format); err != nil {
		in.Report(strict.Join(path, "format"), "%v", err)
	}
}
