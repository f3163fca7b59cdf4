package pipeline

import (
	"encoding/json"
	"reflect"
)

// FeatureCount is k, or how it is found: one of the two fields. In a config it
// is a whole number or {target: 0.9}.
type FeatureCount struct {
	Number int     `json:"-"`
	Target float64 `json:"target,omitempty" rule:"above=0,max=1" doc:"Share of the variance that dense PCA with as many components explains; see selector.Options.FeaturesTarget."`
}

// ComponentCount is m, or how it is found: one of the three fields. In a config
// it is a whole number, {target: 0.8} or {parallel_analysis: true}.
type ComponentCount struct {
	Number           int     `json:"-"`
	Target           float64 `json:"target,omitempty" rule:"above=0,max=1" doc:"Share of the total variance that dense PCA with as many components explains."`
	ParallelAnalysis bool    `json:"parallel_analysis,omitempty" aka:"parallel|horn" doc:"As many components as explain more than those of permuted columns."`
}

func (c *FeatureCount) decode(d *decoder, n *node, path string) {
	d.count(n, &c.Number, reflect.ValueOf(c).Elem(), path)
}

func (c *ComponentCount) decode(d *decoder, n *node, path string) {
	d.count(n, &c.Number, reflect.ValueOf(c).Elem(), path)
}

// count reads a whole number, or a mapping into found.
func (d *decoder) count(n *node, number *int, found reflect.Value, path string) {
	if n.kind == mappingNode {
		d.object(n, found, path)
		return
	}
	if err := whole(n, reflect.ValueOf(number).Elem()); err != nil {
		d.fail(n.at, path, "%s%v", label(path), err)
	}
}

// MarshalJSON writes the count as a config holds it.
func (c FeatureCount) MarshalJSON() ([]byte, error) {
	if c.Target == 0 {
		return json.Marshal(c.Number)
	}
	type plain FeatureCount // without this method
	return json.Marshal(plain(c))
}

// MarshalJSON writes the count as a config holds it.
func (c ComponentCount) MarshalJSON() ([]byte, error) {
	if c.Target == 0 && !c.ParallelAnalysis {
		return json.Marshal(c.Number)
	}
	type plain ComponentCount // without this method
	return json.Marshal(plain(c))
}

// fspcaCounts checks the two counts, each by itself and against each other.
func (in *inspection) fspcaCounts(s *FSPCAStep, path string) {
	k, m := join(path, "features"), join(path, "components")
	in.oneCount(k, s.Features.Number, in.has(k, reflect.ValueOf(s.Features)), "target", s.Features.Target != 0)
	in.oneCount(m, s.Components.Number, in.has(m, reflect.ValueOf(s.Components)), "target or parallel_analysis: true", s.Components.Target != 0, s.Components.ParallelAnalysis)
	if s.Components.Number > s.Features.Number && s.Features.Number > 0 {
		in.against([]string{k}, m, "components (m) is %d, more than features (k), which is %d: m is at most k", s.Components.Number, s.Features.Number)
	}
	if s.Features.Target != 0 && s.Method != "" && s.Method != "ipu" && s.Method != "go" {
		in.against([]string{join(path, "method")}, k, "features: {target: …} is for method: ipu and go, not for %s", s.Method)
	}
}

// oneCount reports a number below 1, and a mapping that says nothing or too much.
func (in *inspection) oneCount(path string, number int, given bool, ways string, found ...bool) {
	said := 0
	for _, f := range found {
		if f {
			said++
		}
	}
	mapping := in.given != nil && (in.given(join(path, "target")) || in.given(join(path, "parallel_analysis")))
	switch {
	case !given:
	case said > 1 || said == 1 && number != 0:
		in.report(path, "%s says more than one thing: give a number, or %s", last(path), ways)
	case said == 0 && number < 1 && !mapping:
		in.report(path, "%s must be at least 1, got %d", last(path), number)
	case said == 0 && mapping && !in.given(join(path, "target")):
		in.report(path, "parallel_analysis is false: leave it out and give a number")
	}
}
