package selector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver"
)

// ReadModel reads a model file. Anything but a sound model of a known version is an error that names
// each field that is wrong.
func ReadModel(r io.Reader) (*Model, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("cannot read the model: %w", err)
	}
	return parseModel(b)
}

// LoadModel reads the model file at path; its errors begin with the path.
func LoadModel(path string) (*Model, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := parseModel(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// IsModelFile tells whether the file at path says of itself that it is a model file, of whatever
// version and however sound.
func IsModelFile(path string) bool {
	b, err := os.ReadFile(path)
	return err == nil && checkFormat(b) == nil
}

// checkFormat tells a model file from other files.
func checkFormat(b []byte) error {
	var head struct {
		Format any `json:"format"`
		Type   any `json:"type"`
	}
	err := json.Unmarshal(b, &head)
	var syntax *json.SyntaxError
	switch {
	case head.Format == fileFormat:
		return nil
	case errors.As(err, &syntax) && bytes.Contains(b, []byte(`"`+fileFormat+`"`)):
		return fmt.Errorf("the model file is damaged: %w at byte %d of %d", err, syntax.Offset, len(b))
	case err != nil:
		return errors.New("not a model file: it is not a JSON object")
	case head.Format != nil:
		return fmt.Errorf(`not a model file: its field "format" is %q, want %q`, fmt.Sprint(head.Format), fileFormat)
	case head.Type != nil:
		return fmt.Errorf(`not a model file: it is a JSON object of type %q without the field "format"; a saved step is loaded with Load`, fmt.Sprint(head.Type))
	}
	return errors.New(`not a model file: it is JSON without the field "format"`)
}

func parseModel(b []byte) (*Model, error) {
	if err := checkFormat(b); err != nil {
		return nil, err
	}
	var problems []error
	o, err := parseObject("", b, &problems)
	if err != nil {
		return nil, fmt.Errorf("the model file is damaged: %w", err)
	}
	var format string
	o.get("format", &format)
	if version := o.version(); version != fmt.Sprint(fileVersion) {
		return nil, fmt.Errorf("the model file has version %.40s and this program reads version %d: use the program that wrote it, or a newer one", version, fileVersion)
	}
	m := &Model{}
	m.readOptions(o.child("options"))
	m.readData(o.child("data"))
	m.readSolution(o.child("solution"))
	m.readFeatures(o)
	if o.has("stability") {
		m.readStability(o.child("stability"))
	}
	if o.has("ledger") {
		m.readLedger(o.child("ledger"))
	}
	o.done()
	if problems == nil {
		problems = m.check()
	}
	if problems != nil {
		return nil, fmt.Errorf("the model file is damaged: %w", errors.Join(problems...))
	}
	m.prepare()
	return m, nil
}

func (m *Model) readOptions(o *object) {
	if o == nil {
		return
	}
	p := &m.options
	o.get("features", &p.Features)
	o.get("components", &p.Components)
	o.get("method", &p.Method)
	o.get("init", &p.Init)
	o.get("restarts", &p.Restarts)
	o.get("seed", &p.Seed)
	o.get("max_iterations", &p.MaxIterations)
	o.get("epsilon", &p.Epsilon)
	o.get("uncentered", &p.Uncentered)
	o.get("standardize", &p.Standardize)
	o.get("output", &p.Output)
	m.readSearch(o)
	o.done()
}

// readSearch reads the options that files of before they existed lack, and others leave out where
// they are not set.
func (m *Model) readSearch(o *object) {
	p := &m.options
	o.maybe("effort", &p.Effort)
	o.maybe("sdp_iterations", &p.SDPIterations)
	o.maybe("include", &p.Include)
	o.maybe("exclude", &p.Exclude)
	o.maybe("memory_limit", &p.MemoryLimit)
	o.maybe("bootstrap", &p.Bootstrap)
	o.maybe("ledger", &p.Ledger)
	o.maybe("features_target", &p.FeaturesTarget)
	o.maybe("components_target", &p.ComponentsTarget)
	o.maybe("parallel_analysis", &p.ParallelAnalysis)
	var text string
	if o.maybe("deadline", &text) {
		var err error
		if p.Deadline, err = time.ParseDuration(text); err != nil {
			o.bad("the field %q is %q, want a time such as \"30s\"", o.path+"deadline", text)
		}
	}
}

func (m *Model) readData(o *object) {
	if o == nil {
		return
	}
	o.get("rows", &m.rows)
	o.get("columns", &m.columns)
	o.get("constant", &m.constant)
	o.done()
}

func (m *Model) readSolution(o *object) {
	if o == nil {
		return
	}
	var status string
	o.get("status", &status)
	m.status = solver.Status(status)
	o.get("iterations", &m.iterations)
	o.get("objective", &m.objective)
	o.get("explained_variance", &m.variances)
	o.get("leading_variance", &m.leading)
	o.get("total_variance", &m.total)
	o.get("upper_bound", &m.bound)
	source, route := "", ""
	o.maybe("bound_source", &source)
	o.maybe("route", &route)
	m.source, m.route = solver.BoundSource(source), solver.Route(route)
	if !o.maybe("proved", &m.proved) {
		m.proved = m.status == solver.Proved
	}
	if m.proved && m.Bound().Gap > solver.ProvedGap { // proved by an older tolerance, that of d·λ₁
		m.proved = false
		if m.status == solver.Proved {
			m.status = solver.Converged
		}
	}
	o.maybe("nodes", &m.nodes)
	o.get("trace", &m.trace)
	o.done()
}

// readFeatures reads the chosen columns. A mean and a scale must be given for all or for none.
func (m *Model) readFeatures(o *object) {
	var raws []json.RawMessage
	o.get("features", &raws)
	var means, scales, rows [][]float64
	for i, raw := range raws {
		path := fmt.Sprintf("features[%d].", i)
		f, err := parseObject(path, raw, o.problems)
		if err != nil {
			o.bad("the field %q is not an object: %w", path[:len(path)-1], err)
			continue
		}
		var name string
		var column int
		var w []float64
		f.get("name", &name)
		f.get("column", &column)
		means = append(means, f.optional("mean"))
		scales = append(scales, f.optional("scale"))
		f.get("w", &w)
		f.done()
		m.features, m.support = append(m.features, name), append(m.support, column)
		rows = append(rows, w)
		if len(w) != m.options.Components {
			f.bad("the field %q has %d numbers, want components = %d", path+"w", len(w), m.options.Components)
		}
	}
	m.mean = together(o, "mean", means)
	m.scale = together(o, "scale", scales)
	if len(*o.problems) > 0 || len(rows) == 0 || m.options.Components < 1 {
		return // check reports the sizes
	}
	m.loadings = mat.NewDense(len(rows), m.options.Components, nil)
	for i, row := range rows {
		m.loadings.SetRow(i, row)
	}
}

// optional reads a number that may be absent, as a list of none or one.
func (o *object) optional(name string) []float64 {
	if !o.has(name) {
		return nil
	}
	var v float64
	o.get(name, &v)
	return []float64{v}
}

// together joins optional numbers that are given for every chosen column or for none.
func together(o *object, name string, values [][]float64) []float64 {
	var all []float64
	for _, v := range values {
		all = append(all, v...)
	}
	if len(all) != 0 && len(all) != len(values) {
		o.bad("the field %q is given for %d of the %d features: want all or none", "features[]."+name, len(all), len(values))
	}
	return all
}
