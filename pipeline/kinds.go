package pipeline

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
