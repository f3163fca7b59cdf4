package config

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
)

func checkFSPCA(in *strict.Inspection, options any, path string) {
	s := options.(*pipeline.FSPCAStep)
	fspcaCounts(in, s, path)
	fspcaLists(in, s, path)
	fspcaEffort(in, s, path)
	criterionKeys(in, s, path)
	methodKeys(in, s, path)
}

// fspcaLists checks include and exclude against each other and the first against features.
func fspcaLists(in *strict.Inspection, s *pipeline.FSPCAStep, path string) {
	include := make(map[string]bool, len(s.Include))
	for _, name := range s.Include {
		include[name] = true
	}
	for i, name := range s.Exclude {
		if include[name] {
			in.Against([]string{strict.Join(path, "include")}, strict.Join(path, "exclude."+strconv.Itoa(i)), "the column %q is in include and in exclude: keep one", name)
		}
	}
	if n := len(s.Include); n > s.Features.Number && s.Features.Number > 0 {
		in.Against([]string{strict.Join(path, "features")}, strict.Join(path, "include"),
			"include names %d columns, more than features (k), which is %d: raise features or shorten the list", n, s.Features.Number)
	}
}

// fspcaEffort checks keys that go with some efforts only.
func fspcaEffort(in *strict.Inspection, s *pipeline.FSPCAStep, path string) {
	if s.MemoryLimit != 0 && s.Effort != "exact" {
		in.Against([]string{strict.Join(path, "effort")}, strict.Join(path, "memory_limit"), "memory_limit is for effort: exact alone")
	}
	if s.Epsilon != 0 && (s.Effort == "thorough" || s.Effort == "exact") {
		in.Against([]string{strict.Join(path, "effort")}, strict.Join(path, "epsilon"), "epsilon makes the paper's results again: it does not go with effort: %s", s.Effort)
	}
}

// criterionKeys reports keys that criterion: reconstruction does not read.
func criterionKeys(in *strict.Inspection, s *pipeline.FSPCAStep, path string) {
	if s.MaxCorrelation == 1 {
		in.Report(strict.Join(path, "max_correlation"), "max_correlation is 1, which permits everything: want a number below 1")
	}
	if s.Ridge != 0 && !s.Decoder {
		in.Against([]string{strict.Join(path, "decoder")}, strict.Join(path, "ridge"), "ridge is for the decoder: add decoder: true")
	}
	if cost := strict.Join(path, "cost"); in.Given(cost, s.Cost) && s.Method != "" && s.Method != "ipu" {
		in.Against([]string{strict.Join(path, "method")}, cost, "method: %s knows no cost: use method: ipu", s.Method)
	}
	if s.MaxCorrelation != 0 && s.Method == "go" {
		in.Against([]string{strict.Join(path, "method")}, strict.Join(path, "max_correlation"), "method: go knows no max_correlation: use method: ipu")
	}
	if s.Criterion != "reconstruction" {
		return
	}
	if s.Method != "" && s.Method != "ipu" {
		in.Against([]string{strict.Join(path, "method")}, strict.Join(path, "criterion"), "criterion: reconstruction has an algorithm of its own: leave method out")
	}
	strict.Each(s, func(name string, value reflect.Value) {
		key := strict.Join(path, name)
		if slices.Contains([]string{"sdp_iterations", "init", "epsilon", "max_iterations"}, name) && in.Given(key, value.Interface()) {
			in.Against([]string{strict.Join(path, "criterion")}, key, "criterion: reconstruction does not read %s: leave it out", name)
		}
	})
}

// methodKeys reports keys that the method does not read: somebody expects
// something of them.
func methodKeys(in *strict.Inspection, s *pipeline.FSPCAStep, path string) {
	method := cmp.Or(s.Method, "ipu")
	reads, some := selector.Reads(method)
	strict.Each(s, func(name string, value reflect.Value) {
		key := strict.Join(path, name)
		if !slices.Contains(some, name) || slices.Contains(reads, name) || !in.Given(key, value.Interface()) {
			return
		}
		in.Against([]string{strict.Join(path, "method")}, key, "method: %s does not read %s: leave it out", method, name)
	})
}

// settle takes off a resolved step what its method does not read, and fills in
// what depends on other keys.
func settle(s *pipeline.FSPCAStep) {
	reads, some := selector.Reads(s.Method)
	strict.Each(s, func(key string, value reflect.Value) {
		if slices.Contains(some, key) && !slices.Contains(reads, key) {
			value.SetZero()
		}
	})
	if s.Method == "ipu" && s.MaxIterations == 0 {
		s.MaxIterations = 100
	}
	if s.Init == "random" && s.Restarts == 0 {
		s.Restarts = 20
	}
	if s.Criterion == "reconstruction" {
		s.Init, s.MaxIterations, s.SDPIterations, s.Epsilon = "", 0, 0, 0
	}
}

// fspcaCounts checks the two counts, each by itself and against each other.
func fspcaCounts(in *strict.Inspection, s *pipeline.FSPCAStep, path string) {
	k, m := strict.Join(path, "features"), strict.Join(path, "components")
	if cost := strict.Join(path, "cost"); in.Given(cost, s.Cost) {
		if s.Features.Target != 0 {
			in.Against([]string{k}, cost, "a budget decides how many columns are chosen: leave features: {target: …} out")
		}
	} else if !in.Given(k, s.Features) && !in.Supplied(k) && !in.Supplied(cost) {
		in.Report(k, "missing key \"features\" in fspca: number of columns to choose (k), or {target: 0.9}: the smallest number found that keeps this share of the variance that dense PCA explains")
	}
	oneCount(in, k, s.Features.Number, in.Given(k, s.Features), "target", s.Features.Target != 0)
	oneCount(in, m, s.Components.Number, in.Given(m, s.Components), "target or parallel_analysis: true", s.Components.Target != 0, s.Components.ParallelAnalysis)
	if s.Components.Number > s.Features.Number && s.Features.Number > 0 {
		in.Against([]string{k}, m, "components (m) is %d, more than features (k), which is %d: m is at most k", s.Components.Number, s.Features.Number)
	}
	if s.Features.Target != 0 && s.Method != "" && s.Method != "ipu" && s.Method != "go" {
		in.Against([]string{strict.Join(path, "method")}, k, "features: {target: …} is for method: ipu and go, not for %s", s.Method)
	}
}

// oneCount reports a number below 1, and a mapping that says nothing or too much.
func oneCount(in *strict.Inspection, path string, number int, given bool, ways string, found ...bool) {
	said := 0
	for _, f := range found {
		if f {
			said++
		}
	}
	mapping := in.Written(strict.Join(path, "target")) || in.Written(strict.Join(path, "parallel_analysis"))
	switch {
	case !given:
	case said > 1 || said == 1 && number != 0:
		in.Report(path, "%s says more than one thing: give a number, or %s", strict.Last(path), ways)
	case said == 0 && number < 1 && !mapping:
		in.Report(path, "%s must be at least 1, got %d", strict.Last(path), number)
	case said == 0 && mapping && !in.Written(strict.Join(path, "target")):
		in.Report(path, "parallel_analysis is false: leave it out and give a number")
	}
}
