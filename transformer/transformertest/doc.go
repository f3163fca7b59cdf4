// Package transformertest is the suite that every transformer.Transformer passes: the promises of
// the interface, made into tests. A package that implements a step calls Run from a test:
//
//	func TestMyStep(t *testing.T) {
//		transformertest.Run(t, func() transformer.Transformer { return &MyStep{} })
//	}
//
// The suite makes its own tables, with fixed seeds: one with numeric and categorical columns, one
// with numeric columns alone, and one with missing cells in both kinds. They have columns with a
// mean of 10⁶ standard deviations, columns of 10⁻⁹, a constant column, and a class. Each table that
// the step's Fit accepts goes through the whole list. A step may refuse categorical columns or
// missing cells, if its error names such a column, but must accept one of the first two tables.
// Steps are asked for at least two components or features of the ten numeric columns at most.
//
// Run the tests with -race once: the concurrent part of the suite sees wrong results by itself but
// not every race.
package transformertest
