// Package transformer holds the steps that come before a selector or a classifier, and the contract
// that all steps obey.
//
//	Center       column − mean
//	Standardize  (column − mean) / standard deviation
//	MinMax       (column − min) / (max − min)
//	Robust       (column − median) / interquartile range
//	Log1p        log(1 + column)
//	Power        the power that makes a column most nearly normal (Yeo and Johnson)
//	QuantileBins the number of the bin, of as many cells each
//	Impute       missing cells filled by mean, median, most frequent cell or a constant
//	MissingIndicator   columns of 1 where a cell is missing added
//	OneHot       categorical columns replaced by columns of 0 and 1
//	Ordinal      categorical columns replaced by the number of the level
//	Dates        columns of dates replaced by year, month, day, …
//	Constant     columns that do not vary dropped
//	VarianceFilter     columns of little variance dropped
//	CorrelationFilter  columns that repeat another dropped
//	Select, Drop columns kept or dropped by name and pattern
//
// OnColumns applies any of them to some columns and passes the others through.
//
// A step is fitted on one table and then maps any other that has the columns it needs:
//
//	step := &transformer.Standardize{}
//	if err := step.Fit(train); err != nil { … }
//	scaled, err := step.Transform(test)
//
// # Conventions
//
// Tables are golearn's base.FixedDataGrid, read by dataset.FromGrid; what Transform returns is a
// *dataset.Frame. Steps look at feature columns alone. Those that they do not act on pass through
// unchanged, in order, and so does the class.
//
// Columns are matched by name. A table may have them in any order and may have others beside them;
// those that are absent are named in one error, each with the nearest name that is there. Inputs
// tells which columns a fitted step needs, Outputs which it yields, and Narrow makes a copy that
// yields, and needs, fewer. A column must be numeric or categorical as it was in Fit.
//
// Fit and then Transform give the same bits as FitTransform, and a row by itself the same bits as
// within a table. Inputs are never modified. A fitted step may be used by any number of goroutines.
//
// A missing cell (NaN, or a categorical cell without a level) is an error to Center, Standardize,
// MinMax and OneHot, in Fit and in Transform: the message says where the first one is, how many each
// column has, and what to do about them. Constant looks past missing cells and Impute fills them.
//
// No rule depends on the unit of a column. What counts as constant is stated at WithinRounding.
//
// A step that maps each cell of a column by itself to one (Center to QuantileBins, Impute) also has a method
// Filter, which returns golearn's base.Filter for base.NewLazilyFilteredInstances.
//
// # Files
//
// Save writes JSON with the fields "version", "type" and what the step has learned, column by column;
// numbers are written with as many digits as reading them back exactly takes. Load refuses what it
// does not know, and then leaves the step as it was.
//
// # Cost
//
// Fit reads the table three times (Constant: mostly its first two rows), Transform once; neither
// holds more than its result and a few numbers per column. Median and most frequent cell sort each
// column.
//
// # References
//
// A. Neumaier: Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, 1974 (sums).
// T. Chan, G. Golub, R. LeVeque: Algorithms for computing the sample variance, 1983 (variances).
//
// Package transformertest holds the suite that every step passes.
package transformer
