package selector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"time"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/saved"
	"github.com/fspca/fspca/solver"
)

// Errors of reading a model file or a saved step, for errors.Is, in addition to those of the
// file system.
var (
	ErrVersion = saved.ErrVersion // a newer program wrote it
	ErrDamaged = saved.ErrDamaged // it is not what was written
)

// modelFile is the subject of the messages.
const modelFile = "the model file"

// memoryUnit is the number of bytes in the unit of memory_limit.
func memoryUnit(version string) float64 {
	if version == "1" {
		return 1
	}
	return 1 << 20
}

// ReadModel reads a model file. If it is not a sound model of a known version, the error names each
// wrong field.
func ReadModel(r io.Reader) (*Model, error) {
	b, err := files.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("cannot read the model: %w", err)
	}
	return parseModel(b)
}

// ReadModelFS reads the model file of that name in a file system, such as one of go:embed; its
// errors begin with the name.
func ReadModelFS(fsys fs.FS, name string) (*Model, error) {
	if files.Absent(fsys) {
		return nil, errors.New("there is no file system to read from")
	}
	b, err := bounded.ReadFS(fsys, name, maxModel, "a model")
	if err != nil {
		return nil, err
	}
	m, err := parseModel(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// maxModel is the most bytes that a model file may have.
const maxModel = 2e9

// LoadModel reads the model file at path; its errors begin with the path.
func LoadModel(path string) (*Model, error) {
	b, err := bounded.ReadFile(path, maxModel, "a model")
	if err != nil {
		return nil, err
	}
	m, err := parseModel(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// IsModelFile reports whether the file at path claims to be a model file, of any version, sound
// or damaged.
func IsModelFile(path string) bool {
	b, err := bounded.ReadFile(path, maxModel, "a model")
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
		return saved.Damaged(modelFile, fmt.Errorf("%w at byte %d of %d", err, syntax.Offset, len(b)))
	case err != nil:
		return errors.New("not a model file: it is not a JSON object")
	case head.Format != nil:
		return fmt.Errorf(`not a model file: its field "format" is %q, want %q`, fmt.Sprint(head.Format), fileFormat)
	case head.Type != nil:
		return fmt.Errorf(`not a model file: it is a saved step of type %q; give the folder that it is in`, fmt.Sprint(head.Type))
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
		return nil, saved.Damaged(modelFile, err)
	}
	var format string
	o.get("format", &format)
	version := o.version()
	if err := saved.Version(modelFile, version, fileVersion); err != nil {
		return nil, err
	}
	m := &Model{}
	m.readParts(o, memoryUnit(version))
	if version != "1" { // fields that are wrong say more than the checksum
		o.has("checksum")
	}
	o.done()
	problems = m.verified(b, version, problems)
	if problems != nil {
		return nil, saved.Damaged(modelFile, problems...)
	}
	m.prepare()
	return m, nil
}

// readParts reads the parts of the file; those that are not in every file where they are there.
func (m *Model) readParts(o *object, unit float64) {
	m.readOptions(o.child("options"), unit)
	m.readData(o.child("data"))
	o.maybe("reading", &m.reading)
	m.readSolution(o.child("solution"))
	m.readFeatures(o)
	if o.has("training") {
		m.readTraining(o.child("training"))
	}
	if o.has("alignment") {
		m.alignment = &Alignment{}
		o.get("alignment", m.alignment)
	}
	if o.has("reconstruction") {
		m.readReconstruction(o.child("reconstruction"))
	}
	if o.has("scree") {
		m.readScree(o.child("scree"))
	}
	if o.has("decoder") {
		m.readDecoder(o)
	}
	if o.has("random_choices") {
		m.readChances(o)
	}
	if o.has("stability") {
		m.readStability(o.child("stability"))
	}
	if o.has("ledger") {
		m.readLedger(o.child("ledger"))
	}
}

// verified returns what is wrong with a model that was read, beside the problems of reading it.
func (m *Model) verified(b []byte, version string, problems []error) []error {
	if problems == nil {
		problems = m.check()
	}
	if err := saved.Verify(b); problems == nil && version != "1" && err != nil {
		problems = []error{err}
	}
	return problems
}

// readOptions reads the options by the tags of their fields: what files leave out where it is not set may
// be missing, as in files of before it existed.
func (m *Model) readOptions(o *object, memoryUnit float64) {
	if o == nil {
		return
	}
	options := reflect.ValueOf(&m.options).Elem()
	for i := range options.NumField() {
		name, optional, _ := strings.Cut(options.Type().Field(i).Tag.Get("json"), ",")
		if name != "-" && (optional == "" || o.has(name)) {
			o.get(name, options.Field(i).Addr().Interface())
		}
	}
	var memory float64
	var err error
	if o.maybe("memory_limit", &memory) {
		if m.options.MemoryLimit, err = bytesOf(memory, memoryUnit); err != nil {
			o.bad("the field %q: %w", o.path+"memory_limit", err)
		}
	}
	var text string
	if o.maybe("deadline", &text) {
		if m.options.Deadline, err = time.ParseDuration(text); err != nil {
			o.bad("the field %q is %q, want a time such as \"30s\"", o.path+"deadline", text)
		}
	}
	o.done()
}

func (m *Model) readData(o *object) {
	if o == nil {
		return
	}
	o.get("rows", &m.rows)
	o.get("columns", &m.columns)
	o.get("constant", &m.constant)
	o.maybe("weight", &m.weight)
	o.maybe("spent", &m.spent)
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
	if m.options.unbounded() {
		o.maybe("upper_bound", &m.bound)
	} else {
		o.get("upper_bound", &m.bound)
	}
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
	var means, scales, rows, back [][]float64
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
		var d []float64
		if f.maybe("d", &d) {
			back = append(back, d)
			if len(d) != m.options.Components {
				f.bad("the field %q has %d numbers, want components = %d", path+"d", len(d), m.options.Components)
			}
		}
		f.done()
		m.features, m.support = append(m.features, name), append(m.support, column)
		rows = append(rows, w)
		if len(w) != m.options.Components {
			f.bad("the field %q has %d numbers, want components = %d", path+"w", len(w), m.options.Components)
		}
	}
	m.mean = together(o, "mean", means)
	m.scale = together(o, "scale", scales)
	m.setLoadings(o, rows, back)
}

// setLoadings takes the loadings, and what rebuilds the columns, a row of each for a chosen column.
func (m *Model) setLoadings(o *object, rows, back [][]float64) {
	if len(*o.problems) > 0 || len(rows) == 0 || m.options.Components < 1 {
		return // check reports the sizes
	}
	m.loadings = denseOf(rows, len(rows), m.options.Components)
	if want := m.options.reconstructs(); want != (len(back) == len(rows)) || !want && len(back) > 0 {
		o.bad("the field \"features[].d\" is given for %d of the %d features: want all with the criterion reconstruction, none otherwise", len(back), len(rows))
	} else if want {
		m.decoder = denseOf(back, len(back), m.options.Components)
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
