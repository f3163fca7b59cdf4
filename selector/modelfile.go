package selector

import (
	"fmt"
	"io"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver"
)

const (
	fileFormat = "fspca-model"

	// fileVersion 2 brought the checksum, and memory_limit in MiB instead of bytes.
	fileVersion = 2
)

// fileModel is the model file, which docs/model-format.md describes. A pointer that is nil, and a list that is,
// are of parts that only some models have.
type fileModel struct {
	Format         string           `json:"format"`
	Version        int              `json:"version"`
	Options        Options          `json:"options"`
	Data           fileData         `json:"data"`
	Reading        *dataset.Reading `json:"reading,omitempty"`
	Solution       fileSolution     `json:"solution" file:"lines"`
	Features       []fileFeature    `json:"features"`
	Training       *training        `json:"training,omitempty" file:"lines"`
	Alignment      *Alignment       `json:"alignment,omitempty"`
	Reconstruction *Reconstruction  `json:"reconstruction,omitempty" file:"lines"`
	Scree          *Scree           `json:"scree,omitempty"`
	Decoder        []fileDecoder    `json:"decoder,omitempty"`
	Chances        []fileChance     `json:"random_choices,omitempty"`
	Stability      *fileStability   `json:"stability,omitempty" file:"lines"`
	Ledger         *ledger          `json:"ledger,omitempty" file:"lines"`
}

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
	f := fileModel{
		Format: fileFormat, Version: fileVersion, Options: m.options,
		Data:     fileData{m.rows, m.columns, append([]string{}, m.constant...), m.weight, m.spent},
		Solution: m.solution(), Features: lists.Make(len(m.features), m.feature),
		Training: m.training, Alignment: m.alignment, Reconstruction: m.figures, Scree: m.scree,
		Stability: m.stability.file(), Ledger: m.ledger,
	}
	if !m.reading.IsZero() {
		f.Reading = &m.reading
	}
	if m.rebuilt != nil {
		f.Decoder, f.Chances = m.rebuilt.file()
	}
	text, err := layOutSummed(f)
	if err != nil {
		return nil, fmt.Errorf("fspca: cannot write the model: %w", err)
	}
	return text, nil
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

// feature is chosen column i.
func (m *Model) feature(i int) fileFeature {
	f := fileFeature{Name: m.features[i], Column: m.support[i], Mean: entry(m.mean, i), Scale: entry(m.scale, i), W: m.loadings.RawRowView(i)}
	if m.decoder != nil {
		f.D = m.decoder.RawRowView(i)
	}
	return f
}

// entry points to an element of a list that may be nil.
func entry(list []float64, i int) *float64 {
	if list == nil {
		return nil
	}
	return &list[i]
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
