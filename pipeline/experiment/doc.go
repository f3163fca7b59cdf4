// Package experiment measures a pipeline on rows that it was not fitted on, beside
// the same pipeline on all columns and beside baselines; searches its options; and
// reports and writes what it found. Run does this for a config, Evaluate and Search
// for a pipeline and a frame of one's own, Score for predictions.
//
// # Figures
//
// Every figure comes with its standard error: Binomial for one test set, NadeauBengio
// for several parts, which share training rows. Two pipelines are compared on the same
// rows: McNemar, CorrectedT or PairedT.
//
// # Search
//
// A Grid is searched within the training rows of each split, and again on all rows for
// the model that is kept: the figures are of rows that neither search nor fit saw.
//
// # Files
//
// Run writes model/, predictions.csv (the rows held out, with their class, the
// prediction, the probabilities, and what the others predict) or, without a
// classifier, projection.csv, and report.json last. The same config and data give the
// same bytes. A folder that holds anything but an earlier run's results is refused
// before the work begins.
//
// # Cost
//
// A run fits the steps before fspca once for each split. From there it fits the chain
// itself, the one without fspca, 5 draws of random columns and PCA; with folds it then
// fits the chain on all rows. A search fits each different beginning of its settings
// once for each inner fold, the folds side by side. While a split is measured, what
// came to its fspca step is kept, and in a search what came to the steps that vary.
package experiment
