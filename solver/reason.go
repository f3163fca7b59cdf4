package solver

import "fmt"

// reasoned is an operator that says why it has its form.
type reasoned interface{ reason() string }

// reason says why A was worked with in its form.
func (t *task) reason() string {
	if t.s.switched != nil {
		return t.s.switched.why
	}
	if a, ok := t.a.(reasoned); ok {
		return a.reason()
	}
	return ""
}

func (c *matrix) reason() string { return "A was given" }

func (c *Data) reason() string {
	switch {
	case c.route == RouteGram:
		return fmt.Sprintf("the %d rows are fewer than the columns, and at most %d: the matrix of their products is small", c.n, explicitOrder)
	case c.route != RouteCovariance:
		return "a few passes over the rows cost less than forming A"
	case c.d <= covarianceOrder:
		return fmt.Sprintf("of at most %d columns A is small, and decomposed at once", covarianceOrder)
	}
	return "the effort takes many products, which cost more than forming A"
}

func (s *Sparse) reason() string {
	if s.route == RouteCovariance {
		return "forming A from the entries costs less than the products that it replaces"
	}
	return "products with the entries cost less than forming A"
}

func (c *Stream) reason() string {
	switch {
	case c.Route() == RouteCovariance:
		return "A fits the memory: the rows are read once"
	case c.products != nil:
		return "the rows are elsewhere, and A was not summed there"
	case c.width > MaxEntriesOrder:
		return fmt.Sprintf("A of more than %d columns is not formed: each product is a pass over the rows", MaxEntriesOrder)
	}
	return "A does not fit the memory: each product is a pass over the rows"
}
