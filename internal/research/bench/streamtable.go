//go:build linux

package main

import (
	"bufio"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
)

// bytesRead returns how long reading the bytes of a file takes.
func bytesRead(path string) (float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	start := time.Now()
	_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}, make([]byte, 1<<20)) // of which neither has a way of its own
	return time.Since(start).Seconds(), err
}

// write writes a table of so many rows, a block at a time: the rows of one block of
// 1024 after another, each time in another order, so that no more has to be drawn.
func (c streamCase) write(path string, rows int) error {
	return files.Write(path, func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<20)
		if err := c.writeRows(b, rows); err != nil {
			return err
		}
		return b.Flush()
	})
}

func (c streamCase) writeRows(w io.Writer, rows int) error {
	const block = 1024
	x := spiked(block, c.d, 17)
	if c.ending == ".csv" {
		return c.writeText(w, rows, x)
	}
	out, err := dataset.NewWriter(w, "stream"+c.ending, rows)
	if err != nil {
		return err
	}
	part := mat.NewDense(block, c.d, nil)
	for from := 0; from < rows; from += block {
		n := min(block, rows-from)
		shuffled(part, x, uint64(from))
		f, err := dataset.New(nil, part.Slice(0, n, 0, c.d).(*mat.Dense))
		if err != nil {
			return err
		}
		if err := out.Write(f); err != nil {
			return err
		}
	}
	return out.Close()
}

// shuffled stores the rows of x in dst in an order by chance, times a factor near 1.
func shuffled(dst, x *mat.Dense, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	for i, from := range rng.Perm(x.RawMatrix().Rows) {
		by := 1 + rng.NormFloat64()/8
		to := dst.RawRowView(i)
		for j, v := range x.RawRowView(from) {
			to[j] = v * by
		}
	}
}

// writeText writes numbers of three digits after the point, whose lines are made once
// and come in another order each time.
func (c streamCase) writeText(w io.Writer, rows int, x *mat.Dense) error {
	var line []byte
	for j := range c.d {
		line = append(strconv.AppendInt(append(line, 'x'), int64(j+1), 10), ',')
	}
	line[len(line)-1] = '\n'
	if _, err := w.Write(line); err != nil {
		return err
	}
	lines := make([][]byte, x.RawMatrix().Rows)
	for i := range lines {
		for _, v := range x.RawRowView(i) {
			lines[i] = append(strconv.AppendFloat(lines[i], v, 'f', 3, 64), ',')
		}
		lines[i][len(lines[i])-1] = '\n'
	}
	rng := rand.New(rand.NewPCG(5, 5))
	for range rows {
		if _, err := w.Write(lines[rng.IntN(len(lines))]); err != nil {
			return err
		}
	}
	return nil
}
