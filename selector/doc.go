// Package selector chooses columns: exactly k of them, shared by all m components, together with the
// m-dimensional projection on those columns. It is Feature Sparse PCA,
//
//	max Tr(WᵀAW)  subject to  WᵀW = I,  ‖W‖₂,₀ ≤ k,  W ∈ ℝ^{d×m},
//
// where A is the covariance of the d columns (or their correlation, or second moment) and ‖W‖₂,₀ is
// the number of non-zero rows of W.
//
// FSPCA is the estimator; Model is its result:
//
//	s := selector.New(selector.Options{Features: 20, Components: 5})
//	if err := s.Fit(table); err != nil { … }
//	chosen, err := s.Transform(other)              // the 20 columns
//	z, err := s.Model().Transform(other, selector.Projection) // pc1…pc5
//	err = s.Model().Save("model.json")
//
// Fit takes a golearn grid (a *dataset.Frame is one), FitMatrix a gonum matrix, FitSparse sparse
// rows, which stay sparse, FitCovariance a covariance matrix. FSPCA is a transformer.Transformer and passes its suite. A chain with other steps and a classifier is package pipeline.
//
// Every model has a bound on the best possible choice (Model.Bound). Options.Effort says how hard
// to search for it. Path fits one k after another. FeaturesTarget and ComponentsTarget find k and
// m. Bootstrap counts how often each column is chosen when the rows are drawn again. Ledger says
// why each column was chosen or not.
//
// # Conventions
//
// k is Options.Features, m Options.Components, d the number of numeric feature columns and n the
// number of rows. Indices of columns count from 0 among the numeric feature columns in file order.
// Variances divide by n−1, with Options.Uncentered too. The loadings of each component have length 1,
// and their entry of largest magnitude is positive. Components are named pc1…pcm.
//
// All feature columns must be numbers without missing cells. Anything else is an error that says
// where, and what to do. Model.Constant lists the columns that do not vary
// (transformer.ConstantColumns). They are chosen only if k exceeds the number of the others.
//
// A model needs only its k chosen columns of new data, in any order and among others. It is immutable
// and safe for concurrent use. Its file is JSON, holds every number exactly, and is refused if it is
// damaged or of an unknown version; see docs/model-format.md.
//
// The same table and options give the same model, bit for bit, on any number of processors.
//
// # Cost
//
// A fit costs what baseline.Solve costs, which for our own methods is solver.Solve; sparse rows are
// read once more with Options.Standardize. A row is projected with k·m multiplications and no
// allocation; a model takes 16·k·m bytes and the names of the chosen and of the constant columns.
//
// # Reference
//
// L. Tian, F. Nie, R. Wang and X. Li, Learning Feature Sparse Principal Subspace,
// NeurIPS 2020. Package solver has the algorithms.
package selector
