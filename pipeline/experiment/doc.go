// Package experiment measures a pipeline on rows that it was not fitted on. It
// compares it with the same pipeline on all columns and with baselines. It also
// searches options, and writes reports. Run does all this for a config. Evaluate
// and Search take a pipeline and a frame of your own; Score takes predictions.
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
// the saved model. The figures are of rows that neither search nor fit saw.
//
// # Files
//
// Run writes model/, predictions.csv, report.html and report.json. Predictions.csv
// holds the rows held out, with their class, the prediction, the probabilities and
// the predictions of the baselines. Without a classifier there is projection.csv
// instead. The same config and data give the same bytes. If the folder holds anything
// but the results of an earlier run, Run returns an error before it starts.
//
// # Cost
//
// A run fits the steps before fspca once for each split. After them it fits the rest
// of the chain, the chain without fspca, 5 draws of random columns, and PCA. With
// folds it then fits the chain on all rows. A search fits steps that settings have in
// common once for each inner fold; the folds run in parallel. The input of the fspca
// step is kept in memory while a split is measured; in a search, that of the steps
// that vary.
package experiment
