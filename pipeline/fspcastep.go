package pipeline

import (
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/fspca/fspca/selector"
)

func checkFSPCA(in *inspection, options any, path string) {
	s := options.(*FSPCAStep)
	in.fspcaCounts(s, path)
	in.fspcaLists(s, path)
	in.fspcaEffort(s, path)
	in.methodKeys(s, path)
}

// fspcaLists checks include and exclude against each other and the first against features.
func (in *inspection) fspcaLists(s *FSPCAStep, path string) {
	for i, name := range s.Exclude {
		if slices.Contains(s.Include, name) {
			in.against([]string{join(path, "include")}, join(path, "exclude."+strconv.Itoa(i)), "the column %q is in include and in exclude: keep one", name)
		}
	}
	if n := len(s.Include); n > s.Features.Number && s.Features.Number > 0 {
		in.against([]string{join(path, "features")}, join(path, "include"),
			"include names %d columns, more than features (k), which is %d: raise features or shorten the list", n, s.Features.Number)
	}
}

// fspcaEffort checks keys that go with some efforts only.
func (in *inspection) fspcaEffort(s *FSPCAStep, path string) {
	if s.MemoryLimit != 0 && s.Effort != "exact" {
		in.against([]string{join(path, "effort")}, join(path, "memory_limit"), "memory_limit is for effort: exact alone")
	}
	if s.Epsilon != 0 && (s.Effort == "thorough" || s.Effort == "exact") {
		in.against([]string{join(path, "effort")}, join(path, "epsilon"), "epsilon makes the paper's results again: it does not go with effort: %s", s.Effort)
	}
}

// fspcaReads lists, for each method of the fspca step, the keys that only some
// methods read.
var fspcaReads = map[string][]string{
	"ipu":               {"effort", "sdp_iterations", "include", "exclude", "memory_limit", "init", "restarts", "seed", "max_iterations", "epsilon"},
	"go":                {"sdp_iterations", "include", "exclude", "epsilon"},
	"soap":              {"init", "restarts", "seed", "max_iterations"},
	"srt":               {"init", "restarts", "seed", "max_iterations"},
	"cssp":              {},
	"tpower":            {"max_iterations"},
	"convex_relaxation": {"max_iterations"},
	"brute_force":       {},
}

// methodKeys reports keys that the method does not read: somebody expects
// something of them.
func (in *inspection) methodKeys(s *FSPCAStep, path string) {
	method := s.Method
	if method == "" {
		method = "ipu"
	}
	reads, ok := fspcaReads[method]
	if !ok {
		return
	}
	v := reflect.ValueOf(s).Elem()
	for _, f := range fieldsOf(v.Type()) {
		key := join(path, f.key)
		if !slices.Contains(fspcaReads["ipu"], f.key) || slices.Contains(reads, f.key) || !in.has(key, v.Field(f.index)) {
			continue
		}
		in.against([]string{join(path, "method")}, key, "method: %s does not read %s: leave it out", method, f.key)
	}
}

// settle takes off a resolved step what its method does not read, and fills in
// what depends on other keys.
func (s *FSPCAStep) settle() {
	v := reflect.ValueOf(s).Elem()
	for _, f := range fieldsOf(v.Type()) {
		if slices.Contains(fspcaReads["ipu"], f.key) && !slices.Contains(fspcaReads[s.Method], f.key) {
			v.Field(f.index).SetZero()
		}
	}
	if s.Method == "ipu" && s.MaxIterations == 0 {
		s.MaxIterations = 100
	}
	if s.Init == "random" && s.Restarts == 0 {
		s.Restarts = 20
	}
}

func (s *FSPCAStep) build(name string) NamedStep {
	deadline, _ := time.ParseDuration(s.Deadline) // checked with the config; absent means none
	return NamedStep{Name: name, Transformer: selector.New(selector.Options{
		Features: s.Features.Number, FeaturesTarget: s.Features.Target, Components: s.Components.Number,
		ComponentsTarget: s.Components.Target, ParallelAnalysis: s.Components.ParallelAnalysis, Ledger: s.Ledger,
		Method: s.Method, Init: s.Init, Effort: s.Effort, SDPIterations: s.SDPIterations, Restarts: s.Restarts, Seed: s.Seed,
		Include: s.Include, Exclude: s.Exclude, Deadline: deadline, MemoryLimit: int64(s.MemoryLimit) << 20, Bootstrap: s.Bootstrap,
		MaxIterations: s.MaxIterations, Epsilon: s.Epsilon,
		Uncentered: s.Center != nil && !*s.Center, Standardize: s.Standardize,
		Output: selector.Output(s.Output),
	})}
}
