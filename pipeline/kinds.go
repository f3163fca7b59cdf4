package pipeline

import (
	"reflect"
	"slices"
)

// kinds are the steps that a config may hold. A new step is one entry here, its
// options in stepoptions.go, and its build method.
var kinds = []kind{
	{name: "center", doc: "Takes each numeric column's mean off.", aka: []string{"centre"}, options: options[PlainStep]},
	{name: "standardize", doc: "Takes each numeric column's mean off and divides by its standard deviation.",
		aka: []string{"standardise", "scale", "scaler", "zscore", "normalize"}, options: options[PlainStep]},
	{name: "minmax", doc: "Maps each numeric column to the range from 0 to 1.", aka: []string{"min_max", "range"}, options: options[PlainStep]},
	{name: "impute", doc: "Fills missing cells.", aka: []string{"imputer", "fill", "fillna"}, options: options[ImputeStep], check: checkImpute},
	{name: "constant", doc: "Drops columns that do not vary.", aka: []string{"drop_constant", "variance", "zv"}, options: options[ConstantStep]},
	{name: "onehot", doc: "Turns each category of the categorical columns into a column of 0 and 1.",
		aka: []string{"one_hot", "one-hot", "dummies", "encode"}, options: options[OneHotStep]},
	{name: "fspca", doc: "Chooses columns and components by feature sparse PCA.", aka: []string{"pca", "select", "selector", "spca"},
		once: true, options: options[FSPCAStep], check: checkFSPCA},
	{name: "logistic", doc: "Classifies by softmax regression with an L2 penalty.", aka: []string{"logistic_regression", "softmax", "logreg"},
		classifier: true, options: options[LogisticStep]},
	{name: "knn", doc: "Classifies by a vote of the nearest training rows.", aka: []string{"neighbors", "nearest"}, classifier: true, options: options[KNNStep]},
	{name: "decision_tree", doc: "Classifies by an ID3 decision tree.", aka: []string{"tree", "id3", "decisiontree"}, classifier: true, options: options[DecisionTreeStep]},
}

// options makes the empty options of a kind.
func options[T any]() any { return new(T) }

func checkImpute(in *inspection, options any, path string) {
	s := options.(*ImputeStep)
	fixed := s.Strategy == "constant"
	if !fixed && s.Value != nil {
		in.against([]string{join(path, "strategy")}, join(path, "value"), "value is for strategy: constant alone")
	}
	if !fixed && s.Level != "" {
		in.against([]string{join(path, "strategy")}, join(path, "level"), "level is for strategy: constant alone")
	}
	if fixed && s.Value == nil && s.Level == "" {
		in.report(join(path, "value"), "strategy: constant needs a value (for numeric columns) or a level (for categorical ones)")
	}
}

func checkFSPCA(in *inspection, options any, path string) {
	s := options.(*FSPCAStep)
	if s.Components > s.Features && s.Features > 0 {
		in.against([]string{join(path, "features")}, join(path, "components"),
			"components (m) is %d, more than features (k), which is %d: m is at most k", s.Components, s.Features)
	}
	in.methodKeys(s, path)
}

// fspcaReads lists, for each method of the fspca step, the keys that only some
// methods read.
var fspcaReads = map[string][]string{
	"ipu":               {"init", "restarts", "seed", "max_iterations", "epsilon"},
	"go":                {"epsilon"},
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
