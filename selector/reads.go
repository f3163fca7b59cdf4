package selector

import (
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// optionNames are the JSON names of the options that only some methods read, by
// the fields of solver.Params that they become.
var optionNames = map[string][]string{
	"Effort": {"effort"}, "SDPIterations": {"sdp_iterations"}, "Include": {"include"}, "Exclude": {"exclude"},
	"MemoryLimit": {"memory_limit"}, "Start": {"init"}, "Restarts": {"restarts"}, "Seed": {"seed"},
	"Limits":        {"max_correlation", "groups", "unmeasured"},
	"MaxIterations": {"max_iterations"}, "Epsilon": {"epsilon"},
}

// Reads returns which of the options that only some methods read (some) a method
// reads, by their names in JSON and YAML. A name that is no method reads all of
// them: it is for others to refuse.
func Reads(method string) (read, some []string) {
	for _, names := range optionNames {
		some = append(some, names...)
	}
	fields, known := baseline.Reads(solver.Method(method))
	if !known {
		return some, some
	}
	for _, field := range fields {
		read = append(read, optionNames[field]...)
	}
	return read, some
}
