package pipeline

import (
	"github.com/fspca/fspca/pipeline/classifier"
)

// classifiers are the classifiers that a config may end in. A new one is an entry
// here, with its options, and its type in package classifier.
var classifiers = []Kind{
	ClassifierKind("logistic", "Classifies by softmax regression with an L2 penalty.", func(s *LogisticStep) classifier.Classifier {
		return &classifier.Logistic{L2: s.L2, MaxIterations: s.MaxIterations, Tolerance: s.Tolerance}
	}, "logistic_regression", "softmax", "logreg"),
	ClassifierKind("knn", "Classifies by a vote of the nearest training rows.", func(s *KNNStep) classifier.Classifier {
		return &classifier.KNN{K: s.K}
	}, "neighbors", "nearest"),
	ClassifierKind("decision_tree", "Classifies by an ID3 decision tree.", func(s *DecisionTreeStep) classifier.Classifier {
		return &classifier.DecisionTree{MaxDepth: s.MaxDepth}
	}, "tree", "id3", "decisiontree"),
}

// LogisticStep is the softmax regression with L2 penalty; see classifier.Logistic.
type LogisticStep struct {
	L2            float64 `json:"l2,omitempty" rule:"above=0" default:"1" aka:"c|inverse_l2|alpha|lambda|penalty" doc:"Weight of the penalty ½·l2·‖W‖² beside the summed loss; larger is smoother; 1/C of scikit-learn."`
	MaxIterations int     `json:"max_iterations,omitempty" rule:"min=1" default:"1000" aka:"max_iter|iterations" doc:"Steps of the optimiser at most."`
	Tolerance     float64 `json:"tolerance,omitempty" rule:"above=0" default:"1e-5" aka:"tol" doc:"Largest entry of the gradient of the mean loss, per column scaled to unit size, at which it stops."`
}

// KNNStep votes among the nearest training rows; see classifier.KNN.
type KNNStep struct {
	K int `json:"k,omitempty" rule:"min=1" default:"5" aka:"neighbors|neighbours|n_neighbors" doc:"Number of neighbours that vote."`
}

// DecisionTreeStep is golearn's ID3; see classifier.DecisionTree.
type DecisionTreeStep struct {
	MaxDepth int `json:"max_depth,omitempty" rule:"min=1" aka:"depth" doc:"Depth at most; without it there is no limit."`
}
