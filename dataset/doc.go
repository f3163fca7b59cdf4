// Package dataset holds tables: a [Frame] is a set of named columns over one
// dense matrix, with a class column or without. It reads and writes files, and
// it is a golearn grid.
//
//	f, err := dataset.Read("tissue.csv.gz", dataset.ReadOptions{Label: "tissue"})
//	if err != nil {
//		return err // every mistake in the file, with line and column
//	}
//	x := f.Numeric()         // n×p, shared with the frame
//	names := f.NumericNames() // of the columns of x
//	y := f.Class()           // levels, and a code for each row
//
// # Conventions
//
// Rows and columns count from 0 in Go and from 1 in errors. The features keep
// the order of the file. The class is separate, and last wherever a frame is
// seen as a list of columns. A missing number is NaN in the matrix, a missing
// category is the code [Missing], and a class cell is never missing. Numbers are
// never infinite. Names and levels are not empty and are UTF-8.
//
// Frames are immutable by convention: what they return is shared and read only,
// and they are safe for concurrent use.
//
// # Files
//
// [Read] takes delimited text (.csv, .txt, .tsv, …) and NumPy arrays (.npy, .npz),
// compressed or not, and knows them by their first bytes before their names. The
// packages parquet, xlsx and zstd below this one add what they are called by where they
// are imported, by [RegisterFormat] and [RegisterCompression]. Nothing is guessed
// silently: the type of a column comes from all of its rows, a column that mixes numbers
// and text is an error, the empty cell alone is missing unless [ReadOptions] says more,
// and an option that a format has no use for is an error. [WriteCSV] writes what
// [ReadCSV] reads back, number for number; [WriteAs] goes by the ending of a name.
//
// [ReadSparse] takes rows of which few cells are not 0, from svmlight (.svm,
// .libsvm, .svmlight) and Matrix Market files (.mtx), all also .gz, and gives a
// [Sparse]. Read takes the same files where every cell can be stored.
//
// # golearn
//
// A *Frame implements base.FixedDataGrid, so that golearn's classifiers, filters,
// views and evaluation take it, and [FromGrid] makes a frame of any golearn grid,
// without a copy where the grid's memory permits. Frames made from one another
// (Pick, Subset, …) and from a grid show golearn the same attributes, by address.
//
// # Cost
//
// A frame costs its matrix, 8 bytes a cell, and 4 bytes a categorical cell. Text is read on all processors,
// at some 500 MB/s each, into a matrix that is allocated once if the lines of the file can be counted. A .npy
// file of float64 in C order is read at the speed of the disk. New, WithClass, WithoutClass and Numeric copy
// nothing; Pick and Subset copy what they keep. golearn's side of a frame is made on first use, about 2 µs a
// column; one cell through Get costs some 20 ns, so numbers are better read from Numeric.
//
// A sparse table costs 12 bytes for each entry and 8 for each row; columns and
// their numbered names cost nothing. svmlight is read at some 100 MB/s.
//
// # References
//
// RFC 4180 (CSV); NumPy enhancement proposal 1 (.npy); golearn,
// https://github.com/sjwhitworth/golearn.
package dataset
