package letters

import (
	"fmt"
	"io"
	"strings"
)

// between is the number of spaces between two columns.
const between = 2

// Table lines up its cells. Its zero value is empty, and has its texts at the left.
type Table struct {
	Right bool // the texts are at the right of their columns

	lines [][]string
}

// Add formats a line. Tabs of the format end its cells; what follows the last one is not lined up.
// Names among args are written plainly, on one line.
func (t *Table) Add(format string, args ...any) {
	told := make([]any, len(args))
	for i, arg := range args {
		if name, ok := arg.(string); ok {
			arg = Plain(name)
		}
		told[i] = arg
	}
	t.lines = append(t.lines, strings.Split(fmt.Sprintf(format, told...), "\t"))
}

// WriteTo writes the lines.
func (t *Table) WriteTo(w io.Writer) (int64, error) {
	var room []int
	for _, line := range t.lines {
		for i, cell := range line[:len(line)-1] {
			if i == len(room) {
				room = append(room, 0)
			}
			room[i] = max(room[i], Width(cell)+between)
		}
	}
	var b strings.Builder
	for _, line := range t.lines {
		last := len(line) - 1
		for i, cell := range line[:last] {
			space := strings.Repeat(" ", room[i]-Width(cell))
			if t.Right {
				b.WriteString(space + cell)
			} else {
				b.WriteString(cell + space)
			}
		}
		b.WriteString(line[last] + "\n")
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}
