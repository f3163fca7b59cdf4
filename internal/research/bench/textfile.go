//go:build linux

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/files"
)

// textFile is a kind of CSV file that is read.
type textFile struct {
	name       string
	rows, cols int
	cell       func(*rand.Rand, []byte) []byte
	encoding   float64 // how many times as fast as encoding/csv we want to be
	pandas     float64
}

// textFiles are of 100 to 200 MB.
var textFiles = []textFile{
	{"3 decimals", 160_000, 150, func(r *rand.Rand, b []byte) []byte { return strconv.AppendFloat(b, 10*r.NormFloat64(), 'f', 3, 64) }, 7, 5},
	{"17 digits", 150_000, 50, func(r *rand.Rand, b []byte) []byte { return strconv.AppendFloat(b, r.NormFloat64(), 'g', -1, 64) }, 4, 3},
	{"integers", 220_000, 100, func(r *rand.Rand, b []byte) []byte { return strconv.AppendInt(b, r.Int64N(100_000), 10) }, 7, 5},
	{"wide, 17 digits", 60, 100_000, func(r *rand.Rand, b []byte) []byte { return strconv.AppendFloat(b, r.NormFloat64(), 'g', -1, 64) }, 4, 3},
}

func (f textFile) path(dir string) string {
	return filepath.Join(dir, "read-"+strings.NewReplacer(" ", "-", ",", "").Replace(f.name)+".csv")
}

// table is the size of the numbers in memory.
func (f textFile) table() int64 { return int64(f.rows) * int64(f.cols) * 8 }

// write makes the file.
func (f textFile) write(path string) error {
	return files.Write(path, func(w io.Writer) error {
		rng := rand.New(rand.NewPCG(7, uint64(f.cols)))
		var line []byte
		for i := -1; i < f.rows; i++ {
			line = line[:0]
			for j := range f.cols {
				if j > 0 {
					line = append(line, ',')
				}
				if i < 0 {
					line = fmt.Appendf(line, "x%d", j+1)
				} else {
					line = f.cell(rng, line)
				}
			}
			if _, err := w.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		return nil
	})
}
