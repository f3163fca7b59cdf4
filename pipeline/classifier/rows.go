package classifier

// RowPredictor is a Classifier that can also predict a single row without making a
// table.
type RowPredictor interface {
	Classifier

	// RowFunc returns a function that predicts one row. The row holds the columns
	// Inputs in their order, none missing or infinite. For classes, it stores the
	// probabilities in dst (length of Classes) and returns the index of the class
	// in Classes. For numbers, it stores the number in dst (length 1) and returns
	// −1. The result has the same bits as PredictFrame. A classifier without
	// probabilities, such as LinearSVM, stores its scores instead; see Unlikely.
	// The function allocates nothing and may run concurrently. RowFunc returns nil
	// before Fit, and if the classifier needs a table, as with categorical columns.
	RowFunc() func(dst, row []float64) int
}

// Unlikely is a Classifier that estimates no probabilities, such as LinearSVM.
type Unlikely interface{ unlikely() }

var (
	_ RowPredictor = (*Logistic)(nil)
	_ RowPredictor = (*KNN)(nil)
	_ RowPredictor = (*LinearSVM)(nil)
	_ Unlikely     = (*LinearSVM)(nil)
)

// rowLearned is what a fit leaves behind that predicts rows of numbers one by one.
type rowLearned interface {
	learned
	// predictRow stores the probabilities, or the number, in to.
	predictRow(row, to []float64)
}

// RowFunc is for single rows; see RowPredictor.
func (s *fitted[K]) RowFunc() func(dst, row []float64) int {
	l, ok := s.learned.(rowLearned)
	if !ok {
		return nil
	}
	if p, ok := l.(interface{ plain() bool }); ok && !p.plain() {
		return nil
	}
	if own, ok := l.(interface {
		classRow(row, to []float64) int
	}); ok && l.labels() != nil { // whose ties are settled otherwise
		return func(dst, row []float64) int { return own.classRow(row, dst) }
	}
	if l.labels() == nil {
		return func(dst, row []float64) int {
			l.predictRow(row, dst)
			return -1
		}
	}
	return func(dst, row []float64) int {
		l.predictRow(row, dst)
		return majority(dst)
	}
}
