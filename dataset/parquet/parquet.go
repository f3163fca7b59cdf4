// Package parquet makes dataset read and write Parquet files:
//
//	import _ "github.com/fspca/fspca/dataset/parquet"
//
// After that dataset.Read knows a Parquet file by its first bytes, and dataset.WriteAs one by the
// ending .parquet. It is a package of its own since the library behind it makes a program some 8 MB
// larger.
//
// # Columns
//
// Only the columns that are wanted are read. Integers, floats (float16 too) and booleans (0 and 1) are
// numbers, exactly, and a decimal is the float64 nearest to it. An integer that float64 does not hold is an
// error. A null or NaN is a missing cell, and a column of the type of nothing has no others. Strings and
// enumerations are categories. So are dates and times, as texts such as 2024-05-31, 2024-05-31T12:30:00 and,
// of a moment in UTC, 2024-05-31T12:30:00Z. Lists, records and binary data are errors unless the column is
// dropped.
//
// # Cost
//
// Columns are read eight at a time, by as many goroutines as there are processors. Memory is that of
// the table and of a few pages. What the header of a file declares is compared with its pages before
// anything is allocated.
//
// # References
//
// https://parquet.apache.org/docs/file-format; the decoding is that of
// https://github.com/parquet-go/parquet-go.
package parquet

import (
	"bytes"
	"io"

	"github.com/fspca/fspca/dataset"
)

// What a file starts and ends with.
const (
	magic     = "PAR1"
	encrypted = "PARE"
)

func init() {
	err := dataset.RegisterFormat(dataset.Format{
		Name:    "parquet",
		Endings: []string{".parquet", ".pq"},
		Is:      isParquet,
		Columns: func(r io.ReaderAt, size int64) (dataset.Columns, error) { return open(r, size) },

		NewWriter: newWriter,
	})
	if err != nil {
		panic(err) // cannot be: it is complete
	}
}

// isParquet reports whether a file starts as Parquet does. Text may start with the same letters, but
// not with the header of a page after them.
func isParquet(start []byte) bool {
	rest, ok := bytes.CutPrefix(start, []byte(magic))
	if !ok {
		rest, ok = bytes.CutPrefix(start, []byte(encrypted))
	}
	return ok && bytes.IndexFunc(rest[:min(len(rest), 32)], func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }) >= 0
}
