// Package experiment measures a pipeline on rows that it was not fitted on, beside
// the same pipeline on all columns, and reports and writes what it found.
//
// # Files
//
// Run writes model/, predictions.csv (the rows held out, with their class, the
// prediction and the probabilities) or, without a classifier, projection.csv, and
// report.json last. The same config and data give the same bytes. A folder that
// holds anything but an earlier run's results is refused before the work begins.
//
// # Cost
//
// A run fits the chain once for each split, and once more without the fspca step
// where there is a classifier; with folds it then fits it on all rows. Nothing is
// copied but the rows of each part.
package experiment
