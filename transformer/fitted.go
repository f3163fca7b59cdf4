package transformer

// fitted holds the state of a step, and has the methods that follow from it.
type fitted[S learned] struct {
	state S // nil before Fit; replaced as a whole, never changed
}

// learned is what a fit leaves behind: a pointer.
type learned interface {
	comparable
	takes() []column // the columns that Transform needs
	gives() []string // the names of those that it yields
}

// Inputs returns the names of the columns that Transform needs, in the order of the table that the
// step was fitted on; nil before Fit.
func (f *fitted[S]) Inputs() []string {
	var none S
	if f.state == none {
		return nil
	}
	return names(f.state.takes())
}

// CategoricalInputs returns the categorical columns of Inputs; nil before Fit.
func (f *fitted[S]) CategoricalInputs() []string {
	var none S
	if f.state == none {
		return nil
	}
	return categoricalNames(f.state.takes())
}

// Outputs returns the names of the columns that Transform yields, in order; nil before Fit.
func (f *fitted[S]) Outputs() []string {
	var none S
	if f.state == none {
		return nil
	}
	return f.state.gives()
}
