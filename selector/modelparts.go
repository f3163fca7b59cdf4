package selector

import (
	"time"

	"github.com/fspca/fspca/solver"
)

// readParts reads the parts of the file; those that are not in every file where they are there.
func (m *Model) readParts(o *object, unit float64) {
	o.part("options", func(o *object) { m.readOptions(o, unit) })
	var data fileData
	o.part("data", func(o *object) { o.read(&data) })
	m.rows, m.columns, m.constant, m.weight, m.spent = data.Rows, data.Columns, data.Constant, data.Weight, data.Spent
	o.maybe("reading", &m.reading)
	o.part("solution", m.readSolution)
	m.readFeatures(o)
	m.training = optional[training](o, "training")
	o.maybe("alignment", &m.alignment)
	if o.has("reconstruction") {
		o.part("reconstruction", m.readReconstruction)
	}
	m.scree = optional[Scree](o, "scree")
	if o.has("decoder") {
		m.readDecoder(o)
	}
	if o.has("random_choices") {
		m.readChances(o)
	}
	if o.has("stability") {
		o.part("stability", m.readStability)
	}
	m.ledger = optional[ledger](o, "ledger")
}

// readOptions reads the options: what files leave out where it is not set may be missing, as in files of
// before it existed.
func (m *Model) readOptions(o *object, memoryUnit float64) {
	o.read(&m.options)
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
}

func (m *Model) readSolution(o *object) {
	var f fileSolution
	o.read(&f)
	m.status, m.iterations, m.objective, m.variances = f.Status, f.Iterations, f.Objective, f.Variances
	m.leading, m.total, m.source, m.nodes, m.route, m.trace = f.Leading, f.Total, f.Source, f.Nodes, f.Route, f.Trace
	switch {
	case f.Bound != nil:
		m.bound = *f.Bound
	case !m.options.unbounded():
		o.get("upper_bound", &m.bound) // says that it is missing
	}
	m.proved = m.status == solver.Proved
	if f.Proved != nil {
		m.proved = *f.Proved
	}
	if m.proved && m.Bound().Gap > solver.ProvedGap { // proved by an older tolerance, that of d·λ₁
		m.proved = false
		if m.status == solver.Proved {
			m.status = solver.Converged
		}
	}
}

// readFeatures reads the chosen columns. A mean and a scale must be given for all or for none.
func (m *Model) readFeatures(o *object) {
	var rows, back [][]float64
	o.elements("features", func(o *object) {
		var f fileFeature
		o.read(&f)
		m.features, m.support = append(m.features, f.Name), append(m.support, f.Column)
		m.mean, m.scale = appended(m.mean, f.Mean), appended(m.scale, f.Scale)
		if rows = append(rows, f.W); len(f.W) != m.options.Components {
			o.bad("the field %q has %d numbers, want components = %d", o.path+"w", len(f.W), m.options.Components)
		}
		if f.D == nil {
			return
		}
		if back = append(back, f.D); len(f.D) != m.options.Components {
			o.bad("the field %q has %d numbers, want components = %d", o.path+"d", len(f.D), m.options.Components)
		}
	})
	o.together("mean", m.mean, len(rows))
	o.together("scale", m.scale, len(rows))
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

// appended appends a number that may be absent.
func appended(all []float64, v *float64) []float64 {
	if v == nil {
		return all
	}
	return append(all, *v)
}

// together reports numbers that are given for some of the chosen columns, but not for all.
func (o *object) together(name string, given []float64, columns int) {
	if len(given) != 0 && len(given) != columns {
		o.bad("the field %q is given for %d of the %d features: want all or none", "features[]."+name, len(given), columns)
	}
}
