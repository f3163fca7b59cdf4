package selector

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/fspca/fspca/solver"
)

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
