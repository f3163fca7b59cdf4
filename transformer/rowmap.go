package transformer

// RowMap maps one row of numbers like a fitted step maps a table, without making a table.
type RowMap struct {
	// Map transforms the row src, in the order of Inputs, and stores the result in dst, in the order
	// of Outputs; NaN is a missing cell. It gives the same bits as Transform, allocates nothing and is
	// safe for concurrent use. False means that Transform must be used, which has the error or the
	// result. Scratch has at least the length Scratch; no two of the slices share memory.
	Map     func(dst, src, scratch []float64) bool
	Scratch int
}

// RowMapper is a Transformer that can also map single rows.
type RowMapper interface {
	// RowMap returns the mapping of the fitted step. It is zero before Fit, and if an input or an
	// output is categorical.
	RowMap() RowMap
}

// TextRowMapper is a RowMapper that also maps rows with categorical cells. A row
// holds such a cell as the index of its text in a list; NaN is a missing cell.
type TextRowMapper interface {
	RowMapper

	// RowTexts returns for each of Inputs the texts that the fitted step knows: nil
	// for a numeric column.
	RowTexts() [][]string

	// RowMapOf is RowMap for rows in which a categorical cell is the index of its
	// text in texts[i]; i is the column's place in Inputs. The lists may
	// hold any texts. made holds the lists of Outputs in the same way.
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
