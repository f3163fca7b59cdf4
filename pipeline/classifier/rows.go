package classifier

// RowPredictor is a Classifier that can also predict single rows, without a table.
type RowPredictor interface {
	Classifier

	// RowFunc returns the function that predicts a row of the columns Inputs, in their
	// order, none of them missing or infinite. It stores in dst the probabilities that
	// a table of that row has (length of Classes), the same bits, and returns the
	// place of the class among Classes; or, where numbers are predicted, the number
	// (length 1), and −1. A classifier without probabilities, as LinearSVM, stores its
	// scores instead; see Unlikely. It allocates nothing and may run concurrently.
	// RowFunc is nil before Fit and where there is no such function, as for categorical
	// columns.
	RowFunc() func(dst, row []float64) int
}

// Unlikely is a Classifier that gives no probabilities.
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
