package config

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// The methods and starts of the fspca step are those of the solvers, and its keys
// are refused where the solvers refuse them.
func TestMethodsAreTheSolvers(t *testing.T) {
	var methods, starts []string
	for _, m := range baseline.Methods() {
		methods = append(methods, string(m))
	}
	for _, s := range baseline.Starts() {
		starts = append(starts, string(s))
	}
	method, start := strict.Choices(new(pipeline.FSPCAStep), "method"), strict.Choices(new(pipeline.FSPCAStep), "init")
	if !slices.Equal(method, methods) || !slices.Equal(start, starts) {
		t.Errorf("methods %v and starts %v, want %v and %v", method, start, methods, starts)
	}
	keys := map[string]struct {
		value string
		set   func(p *solver.Params)
	}{
		"init":           {"random", func(p *solver.Params) { p.Start = "random" }},
		"restarts":       {"3", func(p *solver.Params) { p.Restarts = 3 }},
		"seed":           {"3", func(p *solver.Params) { p.Seed = 3 }},
		"max_iterations": {"3", func(p *solver.Params) { p.MaxIterations = 3 }},
		"epsilon":        {"0.5", func(p *solver.Params) { p.Epsilon = 0.5 }},
		"effort":         {"thorough", func(p *solver.Params) { p.Effort = "thorough" }},
		"sdp_iterations": {"30", func(p *solver.Params) { p.SDPIterations = 30 }},
		"include":        {"[a]", func(p *solver.Params) { p.Include = []int{1} }},
		"exclude":        {"[a]", func(p *solver.Params) { p.Exclude = []int{1} }},
	}
	for _, m := range methods {
		for key, k := range keys {
			text := fmt.Sprintf("version: 1\ndata: {source: x.csv}\nsteps: [{fspca: {features: 3, components: 2, reconstruction: false, method: %s, %s: %s}}]\n", m, key, k.value)
			c, err := Parse("c", []byte(text))
			p := solver.Params{Features: 3, Components: 2, Method: solver.Method(m)}
			k.set(&p)
			refused := baseline.Check(p, 9) != nil
			if m == "go" { // which ignores some of what it does not read
				refused = !slices.Contains([]string{"epsilon", "sdp_iterations", "include", "exclude"}, key)
			}
			if (err != nil) != refused {
				t.Errorf("%s with %s: got %v, the solver refuses: %v", m, key, err, refused)
			}
			if err == nil {
				if err := c.Resolve().Check(); err != nil {
					t.Errorf("%s with %s, resolved: %v", m, key, err)
				}
			}
		}
	}
}
