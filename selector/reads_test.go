package selector

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"github.com/fspca/fspca/solver/reconstruction"
	"gonum.org/v1/gonum/mat"
)

// Every name is a field, and every method of the solvers has a word in Unread.
func TestUnreadNamesOptions(t *testing.T) {
	for _, method := range baseline.Methods() {
		for _, o := range []Options{{}, {Criterion: CriterionReconstruction}, {Effort: "exact"}} {
			o.Method = string(method)
			for name, decides := range o.Unread() {
				for _, field := range []string{name, decides} {
					if _, ok := reflect.TypeFor[Options]().FieldByName(field); !ok || jsonName(field) == "-" || jsonName(field) == "" {
						t.Errorf("%+v: %s is no option", o, field)
					}
				}
			}
		}
	}
	if unread := (Options{Method: "soup"}).unreadByMethod(); len(unread) > 0 {
		t.Errorf("what is no method leaves %v unread", unread)
	}
}

// The criterion reconstruction leaves unread what its parameters lack, and passes on what they have.
func TestReconstructionReadsItsParameters(t *testing.T) {
	unread := Options{Criterion: CriterionReconstruction, Effort: "exact"}.Unread()
	has := reflect.TypeFor[reconstruction.Params]()
	for field, names := range optionNames {
		field, _, _ = strings.Cut(field, ".")
		if field == "Warm" {
			field = "Starts"
		}
		_, found := has.FieldByName(field)
		for _, name := range names {
			if _, left := unread[name]; left == found {
				t.Errorf("%s: a parameter of the criterion: %v, unread: %v", name, found, left)
			}
		}
	}
	p := solver.Params{Features: 1, Components: 1, Effort: "exact", Include: []int{1}, Exclude: []int{2}, Limits: solver.Limits{MaxCorrelation: 0.5}, Warm: [][]int{{1}}, Restarts: 1, Seed: 1, MemoryLimit: 1, Progress: func(solver.Progress) {}}
	v := reflect.ValueOf(rebuilding(p))
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not passed on", v.Type().Field(i).Name)
		}
	}
}

// What Check refuses for a method the solvers refuse or ignore; what it lets pass they take.
func TestUnreadIsTheSolvers(t *testing.T) {
	x := mat.NewDense(6, 4, []float64{1, 2, 5, 3, 2, 1, 7, 1, 3, 5, 1, 4, 4, 4, 2, 8, 1, 7, 3, 2, 9, 2, 6, 5})
	set := map[string]func(o *Options){
		"Init":           func(o *Options) { o.Init = "random" },
		"Restarts":       func(o *Options) { o.Restarts = 3 },
		"Seed":           func(o *Options) { o.Seed = 3 },
		"MaxIterations":  func(o *Options) { o.MaxIterations = 30 },
		"Epsilon":        func(o *Options) { o.Epsilon = 0.5 },
		"Effort":         func(o *Options) { o.Effort = "thorough" },
		"Bound":          func(o *Options) { o.Bound = "none" },
		"SDPIterations":  func(o *Options) { o.SDPIterations = 30 },
		"Include":        func(o *Options) { o.Include = []string{"x1"} },
		"Exclude":        func(o *Options) { o.Exclude = []string{"x1"} },
		"MemoryLimit":    func(o *Options) { o.MemoryLimit = 1 << 20 },
		"MaxCorrelation": func(o *Options) { o.MaxCorrelation = 0.99 },
		"Groups":         func(o *Options) { o.Groups = map[string]int{"x1": 1} },
		"Cost": func(o *Options) {
			o.Cost = &Cost{Each: map[string]float64{"x1": 1, "x2": 1, "x3": 1, "x4": 1}, Budget: 2}
		},
		"Unmeasured":     func(o *Options) { o.Unmeasured = []string{"x1"} },
		"FeaturesTarget": func(o *Options) { o.FeaturesTarget = 0.5 },
		"WarmStart":      func(o *Options) { o.WarmStart = &Model{features: []string{"x1", "x2"}} },
	}
	for _, names := range optionNames {
		for _, name := range names {
			if set[name] == nil {
				t.Errorf("%s is not tried", name)
			}
		}
	}
	ctx := context.Background()
	for _, method := range baseline.Methods() {
		for name, change := range set {
			o := Options{Features: 2, Components: 1, Method: string(method)}
			change(&o)
			_, left := o.Unread()[name]
			var wrong *solver.ParamError
			if err := o.Check(); (err != nil) != left || left && (!errors.As(err, &wrong) || wrong.Field != name || len(wrong.Against) != 1) {
				t.Errorf("%s with %s: unread %v, got %v", method, name, left, err)
			}
			err := New(o).FitMatrix(ctx, x, nil)
			if left != (err != nil) {
				t.Errorf("%s with %s: unread %v, Fit says %v", method, name, left, err)
			}
			if err == nil {
				continue
			}
			if again := New(o.without(o.Unread())).FitMatrix(ctx, x, nil); again != nil {
				t.Errorf("%s without %s: %v", method, name, again)
			}
		}
	}
}

// The options of a model can be fitted again, whatever they were.
func TestModelOptionsPass(t *testing.T) {
	x := mat.NewDense(6, 4, []float64{1, 2, 5, 3, 2, 1, 7, 1, 3, 5, 1, 4, 4, 4, 2, 8, 1, 7, 3, 2, 9, 2, 6, 5})
	for _, o := range []Options{
		{}, {Method: "go", Bootstrap: 2, Seed: 4}, {Method: "cssp", Bootstrap: 2, Seed: 4}, {Effort: "exact", MemoryLimit: 1 << 20},
		{Criterion: CriterionReconstruction}, {Criterion: CriterionReconstruction, Effort: "thorough", Restarts: 2, Decoder: true, Ridge: 0.5},
		{Init: "random"}, {FeaturesTarget: 0.5}, {ComponentsTarget: 0.3}, {MaxCorrelation: 0.9},
	} {
		o.Features, o.Components = 2, 1
		s := New(o)
		if err := s.FitMatrix(context.Background(), x, nil); err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		again := New(s.Model().Options())
		if err := again.FitMatrix(context.Background(), x, nil); err != nil {
			t.Errorf("%+v: the model's options: %v", o, err)
		}
	}
}

// All that Check finds is typed and told at once.
func TestCheckTellsAll(t *testing.T) {
	o := Options{
		Features: 1, Components: 2, FeaturesTarget: 0, Output: "what", Criterion: "size", MaxCorrelation: 2, Ridge: -1, Bootstrap: -1, Deadline: -1,
		Groups: map[string]int{"a": -1}, Include: []string{"a", "b", "t*"}, Exclude: []string{"b", "t*"}, ComponentsTarget: 2, ParallelAnalysis: true, Cost: &Cost{},
	}
	got := map[string]bool{}
	for _, err := range param.Each(o.Check()) {
		var wrong *solver.ParamError
		if !errors.As(err, &wrong) {
			t.Errorf("%v is not typed", err)
			continue
		}
		got[wrong.Field] = true
	}
	for _, field := range []string{"Output", "Criterion", "MaxCorrelation", "Ridge", "Bootstrap", "Deadline", "Groups", "Include", "Exclude", "ComponentsTarget", "ParallelAnalysis", "Cost"} {
		if !got[field] {
			t.Errorf("%s is not told of: %v", field, o.Check())
		}
	}
}
