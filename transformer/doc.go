// Package transformer holds the preprocessing steps that come before a selector or a classifier,
// and the contract of all steps. Package pipeline chains them.
//
//	Center       column − mean
//	Standardize  (column − mean) / standard deviation
//	MinMax       (column − min) / (max − min)
//	Robust       (column − median) / interquartile range
//	Log1p        log(1 + column)
//	Power        the power that makes a column most nearly normal (Yeo and Johnson)
//	QuantileBins the number of the bin; all bins hold about as many cells
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
// A step is fitted on one table and then maps any table that has the columns it needs:
//
//	step := &transformer.Standardize{}
//	if err := step.Fit(train); err != nil { … }
//	scaled, err := step.Transform(test)
//
// # Conventions
//
// Tables are golearn's base.FixedDataGrid, read by dataset.FromGrid. Transform returns a
// *dataset.Frame. Steps work on feature columns. Other columns and the class pass through
// unchanged, in order.
//
// Columns are matched by name. A table may have them in any order, and may have others. One error
// names all missing columns, each with the nearest existing name. Inputs lists the columns that a
// fitted step needs, and Outputs those that it yields. Narrow makes a copy that yields and needs
// fewer. A column must have the kind, numeric or categorical, that it had in Fit.
//
// Fit followed by Transform gives the same bits as FitTransform, and a single row the same bits as
// within a table. Inputs are never modified. A fitted step is safe for concurrent use.
//
// A missing cell (NaN, or a categorical cell without a level) is an error in Fit and Transform of
// Center, Standardize, MinMax and OneHot. The message says where the first one is, how many each
// column has, and what to do. Constant ignores missing cells and Impute fills them.
//
// No rule depends on the unit of a column. WithinRounding defines what counts as constant.
//
// A step that maps each cell on its own to one cell (Center to QuantileBins,
// Impute) also has a method Filter. It returns golearn's base.Filter for
// base.NewLazilyFilteredInstances.
//
// # Files
//
// Save writes JSON with the fields "version", "type" and what the step has learned, column by column.
// Numbers are written exactly. Load returns an error for unknown fields, and then leaves the step
// unchanged.
//
// # Cost
//
// Fit reads the table three times (Constant: mostly its first two rows), Transform once. Both
// store only the result and a few numbers per column. Median and most frequent cell sort each
// column.
//
// # References
//
// A. Neumaier: Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, 1974 (sums).
// T. Chan, G. Golub, R. LeVeque: Algorithms for computing the sample variance, 1983 (variances).
//
// Package transformertest holds the suite that every step passes.
package transformer
