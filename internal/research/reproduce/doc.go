// Package reproduce repeats the experiments of the paper and adds our methods to
// those that it compares. It writes the results as one HTML page, Markdown and CSV.
//
//	result, err := reproduce.Run(ctx, reproduce.Options{What: "table2", Runs: 100, Seed: 1, OutDir: "reproduction"})
//
// # Experiments
//
//	table2       the paper's Table 2: intersection ratio, relative error and hit
//	             frequency on schemes A to F, and what each reading of its
//	             description changes
//	real         explained variance over k on real data
//	convergence  the objective after each step from one start
//	bound        the paper's guarantee beside upper bounds, against the optimum
//	time         computation time over k at d = 5000, m = 10
//
// # Output
//
// index.html, results.md and the CSV files are a function of the options, the
// data and the version: the same bytes each time and for any number of
// threads. What a clock measures is kept apart, in timings.html, timings.md
// and time*.csv.
//
// # Reference
//
// L. Tian, F. Nie, R. Wang and X. Li, Learning Feature Sparse Principal Subspace,
// NeurIPS 2020. Section numbers are
// those of its preprint of 2019; the computation time over k appears in the published
// version only.
package reproduce
