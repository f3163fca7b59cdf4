package delimited

import (
	"bytes"
	"io"
	"os"
	"sync"
)

// countLines returns the line ends that are left in r, and one more, which is an
// upper bound of the rows; 0 if r cannot be read twice.
func countLines(r io.Reader) int {
	at, from, size := rereadable(r)
	if at == nil || size <= 0 {
		return 0
	}
	// Two goroutines, since reading a file that is in memory is a copy of it.
	const parts = 2
	var counts [parts]int
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() {
			start, end := size*int64(i)/parts, size*int64(i+1)/parts
			counts[i] = countIn(io.NewSectionReader(at, from+start, end-start))
		})
	}
	wait.Wait()
	total := 1
	for _, n := range counts {
		total += n
	}
	return total
}

func countIn(r io.Reader) int {
	buf := make([]byte, 256<<10)
	total := 0
	for {
		n, err := r.Read(buf)
		total += bytes.Count(buf[:n], []byte{'\n'})
		if err != nil {
			return total
		}
	}
}

// rereadable returns a way to read what is left in r, from an offset on, without
// moving r; nil if there is none.
func rereadable(r io.Reader) (at io.ReaderAt, from, size int64) {
	switch r := r.(type) {
	case *os.File:
		info, err := r.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return nil, 0, 0
		}
		from, err = r.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, 0, 0
		}
		return r, from, info.Size() - from
	case interface {
		io.ReaderAt
		Len() int
		Size() int64
	}: // bytes.Reader, strings.Reader
		return r, r.Size() - int64(r.Len()), int64(r.Len())
	}
	return nil, 0, 0
}

// firstGuess is how many rows' bytes are read before the rows of the whole are
// estimated: the first rows may be unlike the rest.
const firstGuess = 4 << 20

// share returns how much of the input has been read, 0 when that is not known well.
func (s *Source) share() float64 {
	if s.lent.Share == nil || s.consumed < firstGuess {
		return 0
	}
	return s.lent.Share()
}

// expectedRows returns for how many rows to make room when need came from a share
// of the input.
func (s *Source) expectedRows(need int, share float64) int {
	if s.most > 0 {
		return max(0, s.most-s.line+1)
	}
	if share > 0 {
		return max(need+need/64, int(float64(need)/share*1.03)+64)
	}
	return need + need/2
}
