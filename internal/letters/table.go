package letters

import (
	"fmt"
	"io"
	"strings"

	"github.com/fspca/fspca/internal/lists"
)

// between is the number of spaces between two columns.
const between = 2

// Table lines up its cells. Its zero value is empty, and has its texts at the left.
type Table struct {
	Right bool // the texts are at the right of their columns
	// Room is how many cells of a terminal the columns may take, 0 for any number. If they take more, the
	// texts of the column Names are cut, but not to less than leastName.
	Room, Names int

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

// leastName is what a name is not cut below: of less it is of no use.
const leastName = 16

// WriteTo writes the lines.
func (t *Table) WriteTo(w io.Writer) (int64, error) {
	t.cutNames()
	room := t.measure()
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

// measure returns how many cells each column takes.
func (t *Table) measure() (room []int) {
	for _, line := range t.lines {
		for i, cell := range line[:len(line)-1] {
			if i == len(room) {
				room = append(room, 0)
			}
			room[i] = max(room[i], Width(cell)+between)
		}
	}
	return room
}

// cutNames shortens the names if the columns take more than the room there is.
func (t *Table) cutNames() {
	room := t.measure()
	over := lists.Sum(room) - t.Room
	if t.Room == 0 || over <= 0 || t.Names >= len(room) {
		return
	}
	left := max(leastName, room[t.Names]-between-over)
	var names []string
	for _, line := range t.lines {
		if t.Names < len(line) {
			names = append(names, line[t.Names])
		}
	}
	short := Ruler(Cells).FitAll(names, float64(left))
	for _, line := range t.lines {
		if t.Names < len(line) {
			line[t.Names], short = short[0], short[1:]
		}
	}
}
