package transformer

// RowMap is for single rows; see RowMapper. It is there if that of the step is.
func (c *OnColumns) RowMap() RowMap {
	s := c.state
	if s == nil || !allNumeric(s.inputs) {
		return RowMap{}
	}
	var inside RowMap
	if s.step != nil {
		mapper, ok := s.step.(RowMapper)
		if !ok {
			return RowMap{}
		}
		if inside = mapper.RowMap(); inside.Map == nil {
			return RowMap{}
		}
	}
	from, at, made := s.rowPlaces()
	in := len(from)
	return RowMap{Scratch: in + made + inside.Scratch, Map: func(dst, src, scratch []float64) bool {
		part, result := scratch[:in], scratch[in:in+made]
		for i, j := range from {
			part[i] = src[j]
		}
		if inside.Map != nil && !inside.Map(result, part, scratch[in+made:]) {
			return false
		}
		for j, i := range at {
			if i < 0 {
				dst[j] = result[^i]
			} else {
				dst[j] = src[i]
			}
		}
		return true
	}}
}

// rowPlaces returns the place in the row of each input of the step; of each output its place in the
// row, or, if it is the step's, the complement of its place there; and how many the step makes.
func (s *onColumnsState) rowPlaces() (from, at []int, made int) {
	place, makes := make(map[string]int), make(map[string]int)
	for i, in := range s.inputs {
		place[in.Name] = i
	}
	if s.step != nil {
		for _, name := range s.step.Inputs() {
			from = append(from, place[name])
		}
		for j, name := range s.step.Outputs() {
			makes[name] = j
		}
	}
	for _, o := range s.outputs {
		if o.Passes {
			at = append(at, place[o.Name])
		} else {
			at = append(at, ^makes[o.Name])
		}
	}
	return from, at, len(makes)
}
