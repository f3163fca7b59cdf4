package dataset

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// ReadMatrixMarket reads a matrix in Matrix Market exchange format from r, which
// is decompressed if it starts as gzip does; name is its name in errors. Rows of
// the matrix are rows of the table, columns are named x1, x2, …; there is no
// class, and the option Label is an error.
//
// The formats are coordinate and array (column by column). The fields are real,
// integer and pattern (each entry is 1). A matrix is general, symmetric or
// skew-symmetric. The latter two store one triangle, and the other one is filled in.
// Entries at the same place are added, in the order of the file. Complex and Hermitian
// matrices are errors.
//
// Errors are *[ParseError] values with file and line, all that are found at once
// (20 at most, then a count): lines that are not what the header says, positions
// outside of the matrix, numbers that are not finite, more or fewer entries than
// declared. A declared size alone allocates no memory. A size that the rest of
// the file cannot hold is an error at once, or at the end of a compressed file.
// So are more than 2²⁰ rows if there are more than 16 for each entry.
func ReadMatrixMarket(r io.Reader, name string, opt ReadOptions) (*Sparse, error) {
	return readMarketAt(r, name, "", opt)
}

// readMarketAt is ReadMatrixMarket for a file at path, beside which there may be names.
func readMarketAt(r io.Reader, name, path string, opt ReadOptions) (*Sparse, error) {
	if err := checkOptions(marketReader, "mtx", name, opt); err != nil {
		return nil, err
	}
	opt = opt.asRead(marketReader, "mtx")
	lines, size, err := openText(r, opt)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	m := &market{lines: lines, size: size, transpose: opt.Transpose}
	m.bad.file = name
	if err := m.readSize(); err != nil {
		return nil, &ParseError{File: name, Line: m.lines.line, Err: err}
	}
	if err := m.nameAxes(path, opt); err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	m.readEntries()
	s, err := m.table()
	if err != nil {
		return nil, err
	}
	reading := readingOf(marketReader, opt)
	reading.Columns = m.numbered
	s.src = provenance{reading: &reading, notes: m.notes}
	return s, nil
}

// market is a Matrix Market file on its way to a Sparse.
type market struct {
	lines  *lineReader
	size   int64 // bytes of text, 0 when not known
	bad    mistakes
	filter *columnFilter

	array          bool
	field          string // real, integer, pattern
	symmetry       string // general, symmetric, skew-symmetric
	rows, columns  int
	entries, found int64 // declared, and read

	// The table, which may be the matrix transposed.
	transpose  bool
	n, d       int
	names, ids []string // of its columns and rows; nil without
	numbered   int      // columns that are known by their place, 0 where they have names
	notes      []Warning

	// The entries of columns that are kept, in the order of the file.
	row, column []int32
	values      []float64
	i, j        int // where the next number of an array goes

	above int  // the first line with an entry above the diagonal
	below bool // there is one below it
}

// readSize reads the header and the line with the sizes.
func (m *market) readSize() error {
	line, err := m.lines.next()
	if err == io.EOF {
		return errors.New("the file is empty")
	} else if err != nil {
		return err
	}
	if err := m.setType(strings.ToLower(string(line))); err != nil {
		return err
	}
	sizes, err := m.lines.next()
	for err == nil && isRemark(sizes) {
		sizes, err = m.lines.next()
	}
	if err == io.EOF {
		return errors.New("the file is cut short: the line with the sizes is missing")
	} else if err != nil {
		return err
	}
	return m.setSizes(string(sizes))
}

// nameAxes reads the names of rows and columns, if there are any, and decides which columns of the
// table are kept.
func (m *market) nameAxes(path string, opt ReadOptions) error {
	names, err := namesOfAxes(path, m.rows, m.columns, true, opt)
	if err != nil {
		return err
	}
	m.n, m.d = m.rows, m.columns
	if m.transpose {
		m.n, m.d, names.rows, names.columns = m.d, m.n, names.columns, names.rows
	}
	if names.columns == nil {
		m.numbered = m.d
		var unlabelled bool
		if opt.As == nil || opt.As.IndexBase == nil { // svmlight does not say how many there are
			if unlabelled, err = opt.lacksLabel(m.d); err != nil {
				return err
			}
		}
		if unlabelled {
			names.columns, m.notes = opt.As.unlabelledNames(), append(m.notes, labelLeftOut(m.d, *opt.As))
		}
	}
	m.names, m.ids = names.columns, names.rows
	m.filter, err = newColumnFilter(opt, m.d, false, m.names)
	return err
}

// setType takes over the first line.
func (m *market) setType(header string) error {
	words := strings.Fields(header)
	if len(words) == 0 || words[0] != "%%matrixmarket" {
		return fmt.Errorf("this is not a Matrix Market file: it starts with %q, want \"%%%%MatrixMarket matrix …\"", clip(header))
	}
	if len(words) != 5 {
		return fmt.Errorf("the header has %d words after %%%%MatrixMarket, want 4, as in \"matrix coordinate real general\"", len(words)-1)
	}
	var errs []error
	oneOf := func(what, got string, wanted ...string) {
		if !slices.Contains(wanted, got) {
			errs = append(errs, fmt.Errorf("the header says %q for the %s, want one of %s", clip(got), what, strings.Join(wanted, ", ")))
		}
	}
	oneOf("object", words[1], "matrix")
	oneOf("format", words[2], "coordinate", "array")
	oneOf("field", words[3], "real", "double", "integer", "unsigned-integer", "pattern")
	oneOf("symmetry", words[4], "general", "symmetric", "skew-symmetric")
	errs = append(errs, m.setField(words))
	return errors.Join(errs...)
}

// setField takes over what the entries are.
func (m *market) setField(words []string) (err error) {
	m.array, m.symmetry = words[2] == "array", words[4]
	switch words[3] {
	case "integer", "unsigned-integer":
		m.field = "integer"
	case "pattern":
		m.field = "pattern"
		if m.array || m.symmetry == "skew-symmetric" {
			err = fmt.Errorf("a pattern has the format coordinate and is general or symmetric, not %s %s", words[2], words[4])
		}
	default:
		m.field = "real"
	}
	return err
}

// setSizes takes over the line with rows, columns and, for coordinates, the
// number of entries.
func (m *market) setSizes(line string) error {
	words := strings.Fields(line)
	want := []string{"rows", "columns", "entries"}
	if m.array {
		want = want[:2]
	}
	if len(words) != len(want) {
		return fmt.Errorf("%q: want the numbers of %s", clip(line), strings.Join(want, ", "))
	}
	var sizes [3]int64 // also where int has 32 bits
	for i, w := range words {
		limit := int64(math.MaxInt32 - 1)
		if i == 2 {
			limit = math.MaxInt64
		}
		n, err := strconv.ParseUint(w, 10, 63)
		if err != nil || int64(n) > limit {
			return fmt.Errorf("%q is not a number of %s from 0 to %d", clip(w), want[i], limit)
		}
		sizes[i] = int64(n)
	}
	m.rows, m.columns, m.entries = int(sizes[0]), int(sizes[1]), sizes[2]
	if m.rows == 0 || m.columns == 0 {
		return fmt.Errorf("the matrix is empty: %d rows, %d columns", m.rows, m.columns)
	}
	if m.symmetry != "general" && m.rows != m.columns {
		return fmt.Errorf("a %s matrix is square, this one has %d rows and %d columns", m.symmetry, m.rows, m.columns)
	}
	return m.checkSizes()
}

// checkSizes refuses sizes that the rest of the file cannot hold.
func (m *market) checkSizes() error {
	least := uint64(len("1 1 1\n")) // bytes of an entry
	hi, cells := bits.Mul64(uint64(m.rows), uint64(m.columns))
	switch {
	case m.array:
		least = uint64(len("1\n"))
		switch m.symmetry {
		case "symmetric":
			cells = cells/2 + uint64(m.rows+1)/2
		case "skew-symmetric":
			cells = (cells - uint64(m.rows)) / 2
		}
		if hi != 0 || cells > math.MaxInt64 {
			return fmt.Errorf("%d rows × %d columns are too many", m.rows, m.columns)
		}
		m.entries = int64(cells)
	case m.field == "pattern":
		least = uint64(len("1 1\n"))
	}
	if !m.array && hi == 0 && uint64(m.entries) > cells {
		return fmt.Errorf("%d entries do not fit into %d rows × %d columns", m.entries, m.rows, m.columns)
	}
	left := uint64(max(0, m.size-m.lines.offset)) + 1 // the last line may have no end
	if m.size > 0 && uint64(m.entries) > left/least {
		return fmt.Errorf("the sizes declare %d entries, for which the %d bytes that follow are too few", m.entries, left-1)
	}
	return nil
}

// isRemark reports whether a line is blank or a comment.
func isRemark(line []byte) bool {
	field, _ := cutField(line)
	return len(field) == 0 || field[0] == '%'
}

// readMarket reads a Matrix Market file.
func (f *File) readMarket(opt ReadOptions) (*Sparse, error) {
	return readMarketAt(f.rawText(), f.name, f.path, opt)
}
