// Package classifier holds the classifiers that may end a pipeline, and the contract
// that they keep (Classifier). Each is a golearn base.Classifier as well.
//
// # References
//
// J. R. Quinlan: Induction of Decision Trees, Machine Learning 1, 1986 (decision_tree).
package classifier
