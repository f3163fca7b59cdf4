package selector

import (
	"reflect"

	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"github.com/fspca/fspca/solver/reconstruction"
)

// optionNames are the options that only some methods read, by the fields of
// solver.Params that they become.
var optionNames = map[string][]string{
	"Effort": {"Effort"}, "Bound": {"Bound"}, "SDPIterations": {"SDPIterations"}, "Include": {"Include"}, "Exclude": {"Exclude"},
	"MemoryLimit": {"MemoryLimit"}, "Start": {"Init"}, "Warm": {"WarmStart"}, "Restarts": {"Restarts"}, "Seed": {"Seed"},
	"Limits": {"MaxCorrelation", "Groups", "Cost", "Unmeasured"}, "Limits.Unmeasured": {"Unmeasured"},
	"MaxIterations": {"MaxIterations"}, "Epsilon": {"Epsilon"},
}

// standard are values that say no more than a zero does.
var standard = map[string]any{
	"Method": string(solver.MethodIPU), "Effort": string(solver.EffortQuick), "Bound": string(solver.BoundQuick), "Init": string(solver.StartGo),
	"MaxIterations": solver.DefaultMaxIterations, "Criterion": CriterionVariance,
}

// Unread returns the options that other options make unused. It maps the name of
// each field to the field that decides it, such as "Init": "Method". They must be
// left unset. An unknown method or criterion leaves none unused: Check refuses it.
func (o Options) Unread() map[string]string {
	unread := o.unreadByMethod()
	leave := func(decides string, names ...string) {
		for _, name := range names {
			if unread[name] == "" {
				unread[name] = decides
			}
		}
	}
	if o.reconstructs() {
		leave("Criterion", "Init", "Bound", "SDPIterations", "MaxIterations", "Epsilon")
		if o.Method != "" && o.Method != string(solver.MethodIPU) {
			leave("Criterion", "Method")
		}
	}
	switch solver.Effort(o.Effort) {
	case solver.EffortExact:
		leave("Effort", "Epsilon")
	case solver.EffortThorough:
		leave("Effort", "Epsilon", "MemoryLimit")
	default:
		leave("Effort", "MemoryLimit")
	}
	if !o.Decoder {
		leave("Decoder", "Ridge")
	}
	if o.Bootstrap > 0 || o.ParallelAnalysis || o.Reconstruction {
		delete(unread, "Seed") // for their draws
	}
	return unread
}

// unreadByMethod returns the options that the method does not read.
func (o Options) unreadByMethod() map[string]string {
	unread := map[string]string{}
	method := solver.Method(o.Method)
	fields, known := baseline.Reads(method)
	if !known {
		return unread
	}
	for _, names := range optionNames {
		for _, name := range names {
			unread[name] = "Method"
		}
	}
	for _, field := range fields {
		for _, name := range optionNames[field] {
			delete(unread, name)
		}
	}
	if method != "" && method != solver.MethodIPU && method != solver.MethodGo {
		unread["FeaturesTarget"] = "Method"
	}
	return unread
}

// without returns the options with those that are not read unset.
func (o Options) without(unread map[string]string) Options {
	v := reflect.ValueOf(&o).Elem()
	for name := range unread {
		v.FieldByName(name).SetZero()
	}
	return o
}

// saying is the text of a field, or what an empty one means.
func (o Options) saying(name string) string {
	if text := reflect.ValueOf(o).FieldByName(name).String(); text != "" {
		return text
	}
	text, _ := standard[name].(string)
	return text
}

// says reports whether a field holds what somebody may expect something of.
func (o Options) says(name string) bool {
	v := reflect.ValueOf(o).FieldByName(name)
	return !v.IsZero() && v.Interface() != standard[name]
}

// rebuilding returns the parameters of the criterion reconstruction.
func rebuilding(p solver.Params) reconstruction.Params {
	return reconstruction.Params{
		Features: p.Features, Components: p.Components, Effort: p.Effort, Include: p.Include, Exclude: p.Exclude,
		Limits: p.Limits, Starts: p.Warm, Restarts: p.Restarts, Seed: p.Seed, MemoryLimit: p.MemoryLimit, Progress: p.Progress,
	}
}
