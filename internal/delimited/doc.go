// Package delimited reads tables of delimited text: cells between commas, other
// characters or white space, numbers and text, in parallel and exactly.
//
// It knows nothing of frames: a [Source] gives the first records, so that the
// caller can tell a header from data and choose columns; [Source.Read] then reads
// the rest into one row-major matrix and says where every cell came from.
//
// # How it works
//
// The text is cut into blocks at line ends outside of quotes. Workers take turns to
// read a block, parse blocks in parallel, and commit them in the order of the file.
// Nothing depends on their number. A cell of text in a numeric column is kept as a
// NaN whose payload is its code in the dictionary of the column: a column that
// turns out to be text is never read twice.
//
// Quotes follow RFC 4180 as encoding/csv reads it, and numbers are those of
// strconv.ParseFloat in decimal notation, bit for bit.
//
// # References
//
// D. Lemire, Number parsing at a gigabyte per second, Software: Practice and
// Experience 51 (2021): the conversion of long numbers.
package delimited
