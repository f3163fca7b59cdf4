package transformer

// RowMap maps one row of numbers as a fitted step maps a table, without making one.
type RowMap struct {
	// Map stores in dst, in the order of Outputs, what Transform makes of the row src, in the order of
	// Inputs; NaN is a missing cell. It gives the same bits, allocates nothing and may run
	// concurrently. False says that the row cannot be mapped so: Transform has the error, or the
	// result. scratch has at least the length Scratch; no two of the slices share memory.
	Map     func(dst, src, scratch []float64) bool
	Scratch int
}

// RowMapper is a Transformer that can also map single rows.
type RowMapper interface {
	// RowMap returns the mapping of the fitted step; a zero value before Fit, and where an input or an
	// output is categorical.
	RowMap() RowMap
}

// TextRowMapper is a RowMapper that also maps rows with categorical cells. Each stands in the row as the
// place of its text in a list, and NaN for a missing one.
type TextRowMapper interface {
	RowMapper

	// RowTexts returns, beside Inputs, the texts that the fitted step knows of each: nil for a numeric column.
	RowTexts() [][]string

	// RowMapOf is RowMap for rows whose categorical cells are places in texts, a list beside each of
	// Inputs; made are those of Outputs. The lists may hold any texts.
	RowMapOf(texts [][]string) (m RowMap, made [][]string)
}

var (
	_ TextRowMapper = (*Impute)(nil)
	_ TextRowMapper = (*OneHot)(nil)
	_ TextRowMapper = (*Ordinal)(nil)
	_ TextRowMapper = (*Standardize)(nil)
	_ TextRowMapper = (*Select)(nil)
	_ TextRowMapper = (*OnColumns)(nil)
)

// allNumeric tells whether a row of these columns is a row of numbers.
func allNumeric(cols []column) bool {
	for _, c := range cols {
		if c.Kind != numeric {
			return false
		}
	}
	return true
}
