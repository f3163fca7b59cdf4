package selector

import (
	"fmt"
	"io"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/solver"
)

const (
	fileFormat = "fspca-model"

	// fileVersion 2 brought the checksum, and memory_limit in MiB instead of bytes.
	fileVersion = 2
)

// The model file is described in docs/model-format.md. The types below are its objects, each
// written on one line.

type fileData struct {
	Rows     int      `json:"rows"`
	Columns  int      `json:"columns"`
	Constant []string `json:"constant"`
	Weight   float64  `json:"weight,omitempty"` // the sum of the weights
	Spent    float64  `json:"spent,omitempty"`  // what the chosen columns cost
}

type fileFeature struct {
	Name   string    `json:"name"`
	Column int       `json:"column"`
	Mean   *float64  `json:"mean,omitempty"`
	Scale  *float64  `json:"scale,omitempty"`
	W      []float64 `json:"w"`
	D      []float64 `json:"d,omitempty"` // with the criterion reconstruction
}

// WriteTo writes the model file: JSON, with a line for each chosen column, in which numbers read
// back exactly. It implements io.WriterTo.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	text, err := m.text()
	if err != nil {
		return 0, err
	}
	if files.Absent(w) {
		return 0, files.ErrNoWriter
	}
	n, err := w.Write(text)
	return int64(n), err
}

// Save writes the model file at path, whole or not at all: it writes a temporary file, syncs and
// renames it.
func (m *Model) Save(path string) error {
	return files.Write(path, func(w io.Writer) error {
		_, err := m.WriteTo(w)
		return err
	})
}

// text returns the model file.
func (m *Model) text() ([]byte, error) {
	if err := m.fitted(); err != nil {
		return nil, err
	}
	t := &writer{}
	t.open()
	t.field("format", fileFormat)
	t.field("version", fileVersion)
	t.field("options", m.options)
	t.field("data", fileData{m.rows, m.columns, append([]string{}, m.constant...), m.weight, m.spent})
	if !m.reading.IsZero() {
		t.field("reading", m.reading)
	}
	t.object("solution", func() { t.fields(m.solution()) })
	t.list("features", m.elements())
	m.writeExtras(t)
	t.closeWithChecksum()
	if t.err != nil {
		return nil, fmt.Errorf("fspca: cannot write the model: %w", t.err)
	}
	return t.b.Bytes(), nil
}

// fileSolution is the object solution.
type fileSolution struct {
	Status     solver.Status      `json:"status"`
	Iterations int                `json:"iterations"`
	Objective  float64            `json:"objective"`
	Variances  []float64          `json:"explained_variance"`
	Leading    float64            `json:"leading_variance"`
	Total      float64            `json:"total_variance"`
	Bound      *float64           `json:"upper_bound,omitempty"` // unless no bound was asked for
	Source     solver.BoundSource `json:"bound_source,omitempty"`
	Proved     *bool              `json:"proved,omitempty"` // unless the status says it: a method of the comparison has one of its own
	Nodes      int                `json:"nodes,omitempty"`
	Route      solver.Route       `json:"route,omitempty"`
	Trace      []float64          `json:"trace"`
}

// solution returns what the file says of the solution.
func (m *Model) solution() fileSolution {
	f := fileSolution{Status: m.status, Iterations: m.iterations, Objective: m.objective, Variances: m.variances,
		Leading: m.leading, Total: m.total, Source: m.source, Nodes: m.nodes, Route: m.route, Trace: m.trace}
	if !m.options.unbounded() {
		f.Bound = &m.bound
	}
	if m.proved != (m.status == solver.Proved) {
		f.Proved = &m.proved
	}
	return f
}

// elements are the chosen columns.
func (m *Model) elements() []any {
	features := make([]any, len(m.features))
	for i, name := range m.features {
		f := fileFeature{Name: name, Column: m.support[i], W: m.loadings.RawRowView(i)}
		if m.mean != nil {
			f.Mean = &m.mean[i]
		}
		if m.scale != nil {
			f.Scale = &m.scale[i]
		}
		if m.decoder != nil {
			f.D = m.decoder.RawRowView(i)
		}
		features[i] = f
	}
	return features
}

// writeExtras writes what only some models have.
func (m *Model) writeExtras(t *writer) {
	if m.training != nil {
		t.object("training", func() { t.fields(*m.training) })
	}
	if m.alignment != nil {
		t.field("alignment", m.alignment)
	}
	if m.figures != nil {
		t.object("reconstruction", func() { m.figures.write(t) })
	}
	if m.scree != nil {
		t.field("scree", m.scree)
	}
	if m.rebuilt != nil {
		t.list("decoder", m.rebuilt.elements())
		if m.rebuilt.chances != nil {
			t.list("random_choices", m.rebuilt.chanceElements())
		}
	}
	if m.stability != nil {
		t.object("stability", func() { m.stability.write(t) })
	}
	if m.ledger != nil {
		t.object("ledger", func() { t.fields(*m.ledger) })
	}
}

// MarshalJSON returns the model file, so that a Model can be a field of another document.
func (m *Model) MarshalJSON() ([]byte, error) { return m.text() }

// UnmarshalJSON reads what MarshalJSON returned, as ReadModel does. After an error m is as it was.
func (m *Model) UnmarshalJSON(b []byte) error {
	read, err := parseModel(b)
	if err != nil {
		return err
	}
	*m = *read
	return nil
}
