package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// clip is a transformer. transformertest checks that it keeps the contract.
type clip struct {
	share  float64
	ranges []interval // nil before Fit; replaced as a whole
}

// interval is a column and the range that it is limited to.
type interval struct {
	Name string  `json:"name"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Fit finds the quantiles of each column.
func (c *clip) Fit(grid base.FixedDataGrid) error {
	f, err := dataset.FromGrid(grid)
	if err != nil {
		return err
	}
	if f.Rows() == 0 {
		return errors.New("clip: there are no rows")
	}
	x, err := numbers(f, f.Names())
	if err != nil {
		return err
	}
	var ranges []interval
	for j, name := range f.Names() {
		cells := mat.Col(nil, j, x)
		slices.Sort(cells)
		cut := int(c.share * float64(len(cells)))
		ranges = append(ranges, interval{name, cells[cut], cells[len(cells)-1-cut]})
	}
	c.ranges = ranges
	return nil
}

// numbers gives the named columns, which must be numeric and complete.
func numbers(f *dataset.Frame, names []string) (*mat.Dense, error) {
	picked, err := f.Pick(names)
	if err != nil {
		return nil, err
	}
	for _, column := range picked.Columns() {
		if column.Factor != nil {
			return nil, fmt.Errorf("clip: the column %q is categorical", column.Name)
		}
	}
	return picked.Numeric(), picked.CheckComplete("clip")
}

// Transform limits the columns.
func (c *clip) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	if c.ranges == nil {
		return nil, transformer.ErrNotFitted
	}
	f, err := dataset.FromGrid(grid)
	if err != nil {
		return nil, err
	}
	if f.Rows() == 0 {
		return nil, errors.New("clip: there are no rows")
	}
	x, err := numbers(f, c.Inputs())
	if err != nil {
		return nil, err
	}
	y := mat.DenseCopyOf(x)
	y.Apply(func(_, j int, v float64) float64 { return min(max(v, c.ranges[j].Low), c.ranges[j].High) }, y)
	out, err := dataset.New(c.Inputs(), y)
	if err != nil || f.Class() == nil {
		return out, err
	}
	return out.WithClass(f.ClassName(), f.Class())
}

// Inputs are the columns.
func (c *clip) Inputs() []string {
	var names []string
	for _, r := range c.ranges {
		names = append(names, r.Name)
	}
	return names
}

// Foretell says that the columns keep their names, so that validate looks behind this step.
func (c *clip) Foretell(columns []string) []string { return columns }

// Outputs are the inputs.
func (c *clip) Outputs() []string { return c.Inputs() }

// Narrow leaves columns out.
func (c *clip) Narrow(outputs []string) (transformer.Transformer, error) {
	if c.ranges == nil {
		return nil, transformer.ErrNotFitted
	}
	narrow := &clip{share: c.share}
	var problems []error
	for i, name := range outputs {
		at := slices.Index(c.Inputs(), name)
		if at < 0 || slices.Contains(outputs[:i], name) {
			problems = append(problems, fmt.Errorf("clip: %q is not an output, or given twice", name))
			continue
		}
		narrow.ranges = append(narrow.ranges, c.ranges[at])
	}
	if len(outputs) == 0 {
		problems = append(problems, errors.New("clip: no output is given"))
	}
	if problems != nil {
		return nil, errors.Join(problems...)
	}
	return narrow, nil
}

// state is what Save writes.
type state struct {
	Version int        `json:"version"`
	Type    string     `json:"type"`
	Share   float64    `json:"share"`
	Columns []interval `json:"columns"`
}

// Save writes the fitted step.
func (c *clip) Save(w io.Writer) error {
	if c.ranges == nil {
		return transformer.ErrNotFitted
	}
	return json.NewEncoder(w).Encode(state{1, "clip", c.share, c.ranges})
}

// Load reads what Save wrote.
func (c *clip) Load(r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	var s state
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("clip: the saved step is damaged: %w", err)
	}
	if s.Version != 1 || s.Type != "clip" || len(s.Columns) == 0 {
		return fmt.Errorf("clip: the saved step is of type %q and version %d with %d columns: want clip, 1 and some", s.Type, s.Version, len(s.Columns))
	}
	c.share, c.ranges = s.Share, s.Columns
	return nil
}
