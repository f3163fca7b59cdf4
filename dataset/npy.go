package dataset

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/memory"
)

// ReadNPY reads a matrix from NumPy's .npy format, versions 1 to 3; name is its
// name in errors. The array has two dimensions (or one: a single column), in C
// or Fortran order, of float64, float32, float16, bool, or signed or unsigned
// integers of 1 to 8 bytes; of either byte order. All become float64, without a
// copy of the whole in the type of the file.
//
// Errors, each a *[ParseError]: a file that is no .npy or of another type or shape;
// fewer or more bytes than the shape needs; a number that is not finite; an integer
// that float64 does not hold exactly. If the length of r is known, as of a file, it
// is compared with the shape before anything is allocated. Otherwise memory is taken
// as bytes come in.
func ReadNPY(r io.Reader, name string) (*mat.Dense, error) {
	x, _, err := readNPY(r, missingMarkers{}, nil)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	return x, nil
}

// readNPY reads a matrix. NaN is an error unless it is a marker, and cells that are equal to a
// marker become NaN. It returns the markers that are nowhere, too.
func readNPY(r io.Reader, missing missingMarkers, ctx context.Context) (x *mat.Dense, absent []string, err error) {
	if files.Absent(r) {
		return nil, nil, files.ErrNoReader
	}
	_, size, known := bounded.Left(r)
	head := &bounded.Counter{R: bounded.Reader(ctx, r)}
	h, err := readNPYHeader(head)
	if err != nil {
		return nil, nil, err
	}
	if known {
		if err := h.checkLength(size - head.Count()); err != nil {
			return nil, nil, err
		}
		if err := memory.Check("the array", 8*int64(h.rows)*int64(h.columns)); err != nil {
			return nil, nil, err
		}
	}
	a := &npyArray{npyHeader: h, ctx: ctx}
	if file, ok := r.(*os.File); ok && known {
		err = a.readFile(file)
	} else {
		err = a.readStream(r)
	}
	if err != nil {
		return nil, nil, err
	}
	x = mat.NewDense(h.rows, h.columns, a.data)
	if a.wrong.Load() {
		at := findNonFinite(x, missing.nan)
		if err := at.err(h.rows, h.columns, missing.nan); err != nil {
			return nil, nil, err
		}
	}
	if missing.nan && !(a.wrong.Load() && slices.ContainsFunc(a.data, math.IsNaN)) {
		absent = append(absent, "NaN")
	}
	return x, append(absent, missing.rounded(h.bits()).apply(a.data)...), nil
}

// err returns nil if there is none.
func (at *nonFinite) err(n, d int, missing bool) error {
	if at.count == 0 {
		return nil
	}
	err := fmt.Errorf("row %d of %d, column %d of %d: %v is not a finite number%s",
		at.row+1, n, at.column+1, d, at.value, likeIt(at.count, "cell", ""))
	if math.IsNaN(at.value) && !missing {
		return fmt.Errorf("%w; in a table, NaN can count as missing (option missing)", err)
	}
	return err
}

// readNPYFrame reads a table without names; see ReadOptions.
func readNPYFrame(r io.Reader, path string, opt ReadOptions) (*Frame, error) {
	x, names, src, err := readNamed(r, opt)
	if err != nil {
		return nil, &ParseError{File: path, Err: err}
	}
	f, err := arrayFrame(x, path, names, opt)
	if err != nil {
		return nil, err
	}
	if f.src = src; names.rows == nil {
		return f, nil
	}
	return f.WithID(f.freeName("id"), names.rows)
}

// readNamed reads the numbers of a table, and what its rows and columns are called.
func readNamed(r io.Reader, opt ReadOptions) (x *mat.Dense, names axes, src provenance, err error) {
	missing, err := arrayMarkers(opt.Missing)
	if err != nil {
		return nil, names, src, err
	}
	x, absent, err := readNPY(r, missing, opt.ctx)
	if err != nil {
		return nil, names, src, err
	}
	n, d := x.Dims()
	if names, err = namesOfAxes("", n, d, false, opt); err != nil {
		return nil, names, src, err
	}
	if opt.Transpose {
		x = mat.DenseCopyOf(x.T())
		d, names.rows, names.columns = n, names.columns, names.rows
	}
	reading := readingOf(arrayReader, opt)
	src.reading = &reading
	if opt.As == nil {
		src.notes = markersAbsent(absent)
	}
	if names.columns == nil {
		var more []Warning
		names.columns, reading.Label, more, err = opt.placeNames(d)
		reading.Columns, src.notes = d, append(src.notes, more...)
	}
	return x, names, src, err
}

// arrayFrame makes a frame of the columns of x that the options want.
func arrayFrame(x *mat.Dense, path string, names axes, opt ReadOptions) (*Frame, error) {
	bad := &mistakes{file: path}
	inner := opt
	inner.ID = "" // a file
	chosen := chooseColumns(names.columns, inner, 0, bad)
	cols, class, numeric := arrayColumns(x, chosen, bad)
	if err := bad.err(); err != nil {
		return nil, err
	}
	f, err := assemble(keepColumns(x.RawMatrix().Data, x.RawMatrix().Cols, numeric), cols, nameOf(class, opt.Label), class, true) // readNPY has looked
	if err != nil {
		return nil, &ParseError{File: path, Err: err}
	}
	return f, nil
}

// arrayColumns returns the columns of x that are chosen, the label, and which others are numbers.
func arrayColumns(x *mat.Dense, chosen []chosenColumn, bad *mistakes) (cols []Column, class *Factor, numeric []int) {
	_, d := x.Dims()
	for _, c := range chosen {
		col := Column{Name: c.name}
		if c.declared {
			col.Factor = factorOf(x.RawMatrix().Data, d, c.field)
		} else {
			numeric = append(numeric, c.field)
		}
		if !c.label {
			cols = append(cols, col)
			continue
		}
		class = col.Factor
		bad.addMissing(c.name, class)
	}
	return cols, class, numeric
}

// factorOf returns the numbers of a column of row-major data as levels.
func factorOf(data []float64, width, column int) *Factor {
	b := newFactorBuilder()
	for i := column; i < len(data); i += width {
		if v := data[i]; math.IsNaN(v) {
			b.addMissing()
		} else {
			b.add(string(delimited.AppendNumber(nil, v)))
		}
	}
	return b.factor()
}
