package delimited

import (
	"bytes"
	"io"
	"sync"

	"github.com/fspca/fspca/internal/bounded"
)

// text is what is left in a reader that can be read twice.
type text struct {
	at         io.ReaderAt
	from, size int64
}

// Lines are counted in samples all over a long text, which is nearly exact and
// takes no time. Where that is too little, they are counted.
const (
	samples      = 64
	sampleSize   = 32 << 10
	enoughLines  = 2000 // in all samples
	sampleMargin = 1.01
)

// expectedLines returns about how many lines there are, rather too many; 0 if that
// cannot be known.
func (t text) expectedLines() int {
	if t.at == nil || t.size <= 0 {
		return 0
	}
	if t.size < 4*samples*sampleSize {
		return t.countLines()
	}
	buf := make([]byte, sampleSize)
	lines, bytesRead := 0, 0
	for i := range int64(samples) {
		n, _ := t.at.ReadAt(buf, t.from+i*(t.size-sampleSize)/(samples-1))
		lines += bytes.Count(buf[:n], []byte{'\n'})
		bytesRead += n
	}
	if lines < enoughLines {
		return t.countLines()
	}
	return int(float64(lines) / float64(bytesRead) * float64(t.size) * sampleMargin)
}

// countLines returns the line ends, and one more if the last line has none, which is an upper
// bound of the rows.
func (t text) countLines() int {
	at, from, size := t.at, t.from, t.size
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
	total := 0
	var last [1]byte
	if _, err := at.ReadAt(last[:], from+size-1); err != nil || last[0] != '\n' {
		total++
	}
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
func rereadable(r io.Reader) text {
	at, twice := r.(io.ReaderAt)
	if from, size, ok := bounded.Left(r); ok && twice {
		return text{at, from, size}
	}
	return text{}
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
	if s.lines > 0 {
		if s.lines < need { // the samples were not like the rest
			s.lines = s.whole.countLines()
		}
		return max(0, s.lines-s.line+1)
	}
	if share > 0 {
		return max(need+need/64, int(float64(need)/share*1.03)+64)
	}
	return need + need/2
}
