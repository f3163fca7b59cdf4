// Package classifier holds the classifiers that may end a pipeline, and their
// contract (Classifier). Each is also a golearn base.Classifier.
//
// # References
//
// L. Breiman, J. Friedman, R. Olshen, C. Stone: Classification and Regression
// Trees, 1984 (decision_tree). L. Breiman: Random Forests, Machine Learning 45,
// 2001 (random_forest). J. R. Quinlan: Induction of Decision Trees, Machine
// Learning 1, 1986 (golearn). J. Nocedal, S. Wright: Numerical Optimization, 2006,
// chapter 7 (logistic, linear_svm).
package classifier
