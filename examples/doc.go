// Package examples holds small programs, each in a folder of its own. Run them
// from the top of the module, for instance with go run ./examples/matrix.
//
//   - matrix fits a model to a gonum matrix and projects a row.
//   - grid takes golearn's grid through center and fspca to golearn's filters,
//     naive Bayes and evaluation.
//   - knn gives the chosen columns to golearn's nearest neighbours, which need
//     cgo; without it a stub says so.
//   - config runs a YAML pipeline from Go and reads its report.
//   - ownstep adds a step and a classifier of its own to YAML pipelines.
//   - project saves a model and projects new rows, which have only the chosen
//     columns.
//
// The test of this package runs them and compares their output with the file
// expected.txt in each folder.
package examples
