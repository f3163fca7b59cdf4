package dataset

import (
	"bytes"
	"io"
	"math"
)

// Cells estimates the numbers of rows and columns of a file from its header or its
// first lines, before it is read. It returns false if these do not tell, as for a
// stream of text.
func (f *File) Cells(opt ReadOptions) (rows, columns int, ok bool) {
	if f.format == nil || f.format.cells == nil {
		return 0, 0, false
	}
	return f.format.cells(f, opt)
}

// Size returns the size of the file in bytes, as it is stored; 0 if it is not known.
func (f *File) Size() int64 {
	file := f.seekable()
	if file == nil {
		return 0
	}
	info, err := file.Stat()
	if err != nil {
		return 0
	}
	return max(0, info.Size()-f.start)
}

// arrayCells are those of an .npy file.
func (f *File) arrayCells(ReadOptions) (rows, columns int, ok bool) {
	start, _ := f.text.Peek(1 << 16)
	h, err := readNPYHeader(bytes.NewReader(start))
	if err != nil {
		return 0, 0, false
	}
	return h.rows, h.columns, true
}

// memberCells are those of an array of an .npz.
func (f *File) memberCells(opt ReadOptions) (rows, columns int, ok bool) {
	err := f.eachArray(opt, func(r io.Reader, _ string, _ ReadOptions) error {
		h, err := readNPYHeader(r)
		if err == nil {
			rows, columns = h.rows, h.columns
		}
		return err
	})
	return rows, columns, err == nil
}

// textCells are estimated from the first lines.
func (f *File) textCells(opt ReadOptions) (rows, columns int, ok bool) {
	size := f.Size()
	start, _ := f.text.Peek(1 << 16)
	if size == 0 || len(start) == 0 {
		return 0, 0, false
	}
	if len(f.layers) > 0 {
		size *= compressedText
	}
	lines, fields := shapeOfText(start, opt.Delimiter, f.format.name)
	if lines == 0 {
		return 0, 0, false
	}
	return int(math.Ceil(float64(size) / float64(len(start)) * lines)), fields, true
}

// compressedText is how much longer than its file compressed text is taken to be.
const compressedText = 4

// shapeOfText counts the lines of the start of a text, perhaps not whole, and the
// fields of its second line, or of its only one.
func shapeOfText(start []byte, delimiter rune, format string) (lines float64, fields int) {
	comma := []byte(",")
	switch {
	case delimiter == Whitespace:
		comma = []byte(" ")
	case delimiter != 0:
		comma = []byte(string(delimiter))
	case format == "tsv":
		comma = []byte("\t")
	}
	all := bytes.SplitN(start, []byte("\n"), 3)
	line := all[0]
	if len(all) == 3 {
		line = all[1]
	}
	return float64(bytes.Count(start, []byte("\n"))) + 1, bytes.Count(line, comma) + 1
}
