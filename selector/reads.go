package selector

import (
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// optionNames are the JSON names of the options that only some methods read, by
// the fields of solver.Params that they become.
var optionNames = map[string]string{
	"Effort": "effort", "SDPIterations": "sdp_iterations", "Include": "include", "Exclude": "exclude",
	"MemoryLimit": "memory_limit", "Start": "init", "Restarts": "restarts", "Seed": "seed",
	"MaxIterations": "max_iterations", "Epsilon": "epsilon",
}

// Reads returns which of the options that only some methods read (some) a method
// reads, by their names in JSON and YAML. A name that is no method reads all of
// them: it is for others to refuse.
func Reads(method string) (read, some []string) {
	for _, name := range optionNames {
		some = append(some, name)
	}
	fields, known := baseline.Reads(solver.Method(method))
	if !known {
		return some, some
	}
	for _, field := range fields {
		if name, ok := optionNames[field]; ok {
			read = append(read, name)
		}
	}
	return read, some
}
