// Package dataset holds tables and reads and writes their files. A [Frame] is a
// golearn grid: a set of named columns over one dense matrix, with or without a
// class column. The package changes no values: steps that do are in package
// transformer.
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
// compressed or not. It detects the format by the first bytes, then by the name.
// Importing the subpackages parquet, xlsx and zstd adds these formats, by
// [RegisterFormat] and [RegisterCompression]. Nothing is guessed silently. The type of a
// column comes from all of its rows, and a column that mixes numbers and text is an
// error. Only the empty cell is missing, unless [ReadOptions] says more. An option that
// does not apply to the format is an error. [WriteCSV] writes numbers so that [ReadCSV]
// reads the same ones; [WriteAs] chooses the format by the ending of the name.
//
// [ReadSparse] reads rows with few non-zero cells from svmlight (.svm, .libsvm,
// .svmlight) and Matrix Market files (.mtx), compressed or not, into a
// [Sparse]. Read takes the same files if every cell can be stored.
//
// # golearn
//
// A *Frame implements base.FixedDataGrid, so golearn's classifiers, filters,
// views and evaluation accept it. [FromGrid] makes a frame of any golearn grid,
// without a copy if the grid's memory permits. A frame made from another one
// (Pick, Subset, …) or from a grid has the same golearn attributes, by address.
//
// # Cost
//
// A frame costs its matrix, 8 bytes a cell, and 4 bytes a categorical cell. Text is read on all processors,
// at some 500 MB/s each. Its matrix is allocated once if the lines of the file can be counted. A .npy
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
