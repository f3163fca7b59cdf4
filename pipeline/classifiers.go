package pipeline

import (
	"cmp"
	"encoding/json"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/pipeline/classifier"
)

// classifiers are the classifiers and regressions that a config may end in. A new
// one is an entry here, with its options, and its type in package classifier.
var classifiers = []Kind{
	ClassifierKind("logistic", "Classifies by softmax regression with an L2 penalty, an L1 penalty or both.", func(s *LogisticStep) classifier.Classifier {
		return s.build()
	}, "logistic_regression", "softmax", "logreg"),
	ClassifierKind("knn", "Classifies by a vote of the nearest training rows, or predicts a number by their mean.", func(s *KNNStep) classifier.Classifier {
		return &classifier.KNN{K: s.K, Weights: s.Weights}
	}, "neighbors", "nearest").AndNumbers(),
	ClassifierKind("decision_tree", "Classifies by a decision tree (CART).", func(s *DecisionTreeStep) classifier.Classifier {
		return &classifier.DecisionTree{Criterion: s.Criterion, MaxDepth: s.MaxDepth, MinLeaf: s.MinLeaf, Prune: s.Prune}
	}, "tree", "cart", "decisiontree"),
	ClassifierKind("random_forest", "Classifies by the mean of many trees on rows and columns drawn at random.", func(s *RandomForestStep) classifier.Classifier {
		return &classifier.RandomForest{Trees: s.Trees, MaxDepth: s.MaxDepth, MinLeaf: s.MinLeaf, Columns: s.Columns, Seed: s.Seed}
	}, "forest", "randomforest", "rf"),
	ClassifierKind("linear_svm", "Classifies by linear support vector machines, each class against the others.", func(s *LinearSVMStep) classifier.Classifier {
		return &classifier.LinearSVM{L2: s.L2, ClassWeight: s.ClassWeight.How, ClassWeights: s.ClassWeight.Of, MaxIterations: s.MaxIterations, Tolerance: s.Tolerance}
	}, "svm", "linearsvc", "svc"),
	ClassifierKind("naive_bayes", "Classifies by normal distributions of each column in each class.", func(s *NaiveBayesStep) classifier.Classifier {
		return &classifier.NaiveBayes{Smoothing: s.Smoothing}
	}, "bayes", "gaussian_nb", "gaussiannb"),
	ClassifierKind("dummy", "Predicts the most frequent class or the mean of the target, whatever the features.", func(*DummyStep) classifier.Classifier {
		return new(classifier.Dummy)
	}, "baseline", "majority").AndNumbers(),
	ClassifierKind("golearn", "Classifies by a classifier of golearn's.", func(s *GolearnStep) classifier.Classifier {
		return &classifier.ID3{MaxDepth: s.MaxDepth} // the one name there is
	}, "id3"),
	RegressionKind("ridge", "Predicts a number by linear regression with an L2 penalty.", func(s *RidgeStep) classifier.Classifier {
		return &classifier.Ridge{L2: s.L2}
	}, "ridge_regression"),
	RegressionKind("linear", "Predicts a number by least squares.", func(*LinearStep) classifier.Classifier {
		return new(classifier.Linear)
	}, "linear_regression", "ols", "least_squares"),
}

// LogisticStep is the softmax regression; see classifier.Logistic.
type LogisticStep struct {
	Penalty       string      `json:"penalty,omitempty" rule:"one=l2|l1|elastic" default:"l2" doc:"l2 penalises the squares of the weights, l1 their absolute values, which makes many of them 0, elastic both."`
	L2            float64     `json:"l2,omitempty" rule:"above=0" aka:"1/c|1/inverse_l2|alpha|lambda" doc:"Weight of the penalty ½·l2·‖W‖² beside the summed loss; larger is smoother; 1/C of scikit-learn. 1 without it. For penalty l2 and elastic."`
	L1            float64     `json:"l1,omitempty" rule:"above=0" doc:"Weight of the penalty l1·Σ|w| beside the summed loss. 1 without it. For penalty l1 and elastic."`
	ClassWeight   ClassWeight `json:"class_weight,omitzero" default:"none" aka:"weights" doc:"What a row of each class counts: none, the same; balanced, so much that every class counts the same in sum, however many rows it has; or a mapping such as {sick: 5, well: 1}, where a class that is not named counts 1."`
	MaxIterations int         `json:"max_iterations,omitempty" rule:"min=1" default:"1000" aka:"max_iter|iterations" doc:"Steps of the optimiser at most."`
	Tolerance     float64     `json:"tolerance,omitempty" rule:"above=0" default:"1e-5" aka:"tol" doc:"Share of the objective by which it may lie above its minimum, at which it stops."`
}

func (s *LogisticStep) build() *classifier.Logistic {
	return &classifier.Logistic{Penalty: s.Penalty, L2: s.L2, L1: s.L1, ClassWeight: s.ClassWeight.How, ClassWeights: s.ClassWeight.Of, MaxIterations: s.MaxIterations, Tolerance: s.Tolerance}
}

// Check returns what is wrong beyond single keys; see classifier.Logistic.Check.
func (s *LogisticStep) Check() error { return s.build().Check() }

// ClassWeight is the weight of the rows of each class; set one of the two fields. In a config it is a word or a mapping.
type ClassWeight struct {
	How string             // none, also where it is "", or balanced
	Of  map[string]float64 // by class
}

// MarshalJSON writes the weights as a config holds them.
func (c ClassWeight) MarshalJSON() ([]byte, error) {
	if c.Of != nil {
		return json.Marshal(c.Of)
	}
	return json.Marshal(cmp.Or(c.How, param.Unweighted))
}

// UnmarshalJSON reads what MarshalJSON wrote: a word, or an object.
func (c *ClassWeight) UnmarshalJSON(b []byte) error {
	var how string
	if json.Unmarshal(b, &how) == nil {
		*c = ClassWeight{How: how}
		return nil
	}
	var of map[string]float64
	if err := json.Unmarshal(b, &of); err != nil {
		return err
	}
	*c = ClassWeight{Of: of}
	return nil
}

// KNNStep votes among the nearest training rows; see classifier.KNN.
type KNNStep struct {
	K       int    `json:"k,omitempty" rule:"min=1" default:"5" aka:"neighbors|neighbours|n_neighbors" doc:"Number of neighbours that vote."`
	Weights string `json:"weights,omitempty" rule:"one=uniform|distance" default:"uniform" doc:"uniform: every neighbour counts the same; distance: it counts 1/distance."`
}

// DecisionTreeStep is CART; see classifier.DecisionTree.
type DecisionTreeStep struct {
	Criterion string  `json:"criterion,omitempty" rule:"one=gini|entropy" default:"gini" doc:"Measure of the impurity that splits lower."`
	MaxDepth  int     `json:"max_depth,omitempty" rule:"min=1" aka:"depth" doc:"Depth at most; without it there is no limit."`
	MinLeaf   int     `json:"min_leaf,omitempty" rule:"min=1" default:"1" aka:"min_samples_leaf" doc:"Number of training rows in a leaf at least."`
	Prune     float64 `json:"prune,omitempty" rule:"min=0" aka:"ccp_alpha|alpha" doc:"What a leaf costs in the impurity of the training rows: of the subtrees, the one with the least impurity plus cost is kept; without it the whole tree."`
}

// RandomForestStep is a forest of CART's trees; see classifier.RandomForest.
type RandomForestStep struct {
	Trees    int    `json:"trees,omitempty" rule:"min=1" default:"100" aka:"n_estimators" doc:"Number of trees."`
	MaxDepth int    `json:"max_depth,omitempty" rule:"min=1" aka:"depth" doc:"Depth of a tree at most; without it there is no limit."`
	MinLeaf  int    `json:"min_leaf,omitempty" rule:"min=1" default:"1" aka:"min_samples_leaf" doc:"Number of training rows in a leaf at least."`
	Columns  int    `json:"columns,omitempty" rule:"min=1" aka:"max_features|mtry" doc:"Number of columns that a node looks at; without it the square root of their number."`
	Seed     uint64 `json:"seed,omitempty" default:"0" aka:"random_state" doc:"Seed of the draws of rows and columns."`
}

// LinearSVMStep is the linear support vector machine; see classifier.LinearSVM.
type LinearSVMStep struct {
	L2            float64     `json:"l2,omitempty" rule:"above=0" default:"1" aka:"1/c|alpha|lambda" doc:"Weight of the penalty ½·l2·‖w‖² beside the summed squared hinge loss; larger is smoother; 1/C of scikit-learn."`
	ClassWeight   ClassWeight `json:"class_weight,omitzero" default:"none" aka:"weights" doc:"What a row of each class counts: none, the same; balanced, so much that every class counts the same in sum, however many rows it has; or a mapping such as {sick: 5, well: 1}, where a class that is not named counts 1."`
	MaxIterations int         `json:"max_iterations,omitempty" rule:"min=1" default:"1000" aka:"max_iter|iterations" doc:"Steps of the optimiser at most."`
	Tolerance     float64     `json:"tolerance,omitempty" rule:"above=0" default:"1e-5" aka:"tol" doc:"Share of the objective by which it may lie above its minimum, at which it stops."`
}

// NaiveBayesStep is Gaussian naive Bayes; see classifier.NaiveBayes.
type NaiveBayesStep struct {
	Smoothing float64 `json:"smoothing,omitempty" rule:"above=0" default:"1e-9" aka:"var_smoothing" doc:"Share of the largest variance of a column that is added to every variance."`
}

// DummyStep has no options; see classifier.Dummy.
type DummyStep struct{}

// GolearnStep is a classifier of golearn's; see classifier.ID3.
type GolearnStep struct {
	Name     string `json:"name" rule:"required,one=id3" aka:"classifier|type" doc:"id3: golearn's ID3 tree, which uses a column once on the way to a leaf."`
	MaxDepth int    `json:"max_depth,omitempty" rule:"min=1" aka:"depth" doc:"Depth at most; without it there is no limit but the number of columns."`
}

// RidgeStep is linear regression with a penalty; see classifier.Ridge.
type RidgeStep struct {
	L2 float64 `json:"l2,omitempty" rule:"above=0" default:"1" aka:"alpha|lambda" doc:"Weight of the penalty l2·‖w‖² beside the summed squared errors; alpha of scikit-learn."`
}

// LinearStep has no options; see classifier.Linear.
type LinearStep struct{}
