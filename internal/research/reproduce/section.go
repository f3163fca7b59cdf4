package reproduce

import "github.com/fspca/fspca/internal/chart"

// Section is what one experiment found, before it takes the form of a file.
type Section struct {
	ID, Title string
	Text      []string // paragraphs
	Charts    []chart.Lines
	Tables    []Table
	Data      []Data // one CSV file each
	Checks    []Check
	Notes     []string // what was left out
}

// Table is a table for readers: its numbers are rounded.
type Table struct {
	Caption string
	Note    string // below the table
	Groups  []Group
	Header  []string // one per column
	Rows    [][]Cell
}

// Group is a heading over several columns.
type Group struct {
	Title string
	Span  int
}

// Cell is an entry of a Table.
type Cell struct {
	Text string
	Sub  string // a second line: the figure of the paper
	Mark Mark
	Tip  string // shown on demand where the medium can
}

// Mark says how an entry stands out.
type Mark string

// The marks.
const (
	Plain   Mark = ""
	Heading Mark = "heading" // names its row
	Best    Mark = "best"    // the best of its kind
	Off     Mark = "off"     // differs from the paper by more than chance
	Begin   Mark = "begin"   // names the first row of a group
)

// Data is a table for programs: numbers in full, for CSV.
type Data struct {
	Name    string // of the file, without extension
	Columns []string
	Rows    [][]string
}

// text is a cell without a mark.
func text(s string) Cell { return Cell{Text: s} }
