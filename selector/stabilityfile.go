package selector

import (
	"fmt"

	"github.com/fspca/fspca/internal/lists"
)

// fileFrequency is how often a column was chosen, as a line of the model file.
type fileFrequency struct {
	Column int    `json:"column"`
	Name   string `json:"name"`
	Times  int    `json:"times"`
}

// fileStability is a stability without what follows from its fields.
type fileStability struct {
	Replicates int             `json:"replicates"`
	Columns    []fileFrequency `json:"columns"`
}

// file returns the object of the model file; nil for nil.
func (s *Stability) file() *fileStability {
	if s == nil {
		return nil
	}
	return &fileStability{s.Replicates, lists.Map(s.Columns, func(c Frequency) fileFrequency { return fileFrequency{c.Column, c.Name, c.Times} })}
}

// readStability reads what file gives.
func (m *Model) readStability(o *object) {
	m.stability = &Stability{}
	o.get("replicates", &m.stability.Replicates)
	o.elements("columns", func(o *object) {
		var c fileFrequency
		o.read(&c)
		m.stability.Columns = append(m.stability.Columns, Frequency{Name: c.Name, Column: c.Column, Times: c.Times})
	})
}

// checkStability completes a stability that was read and reports what is wrong with it.
func (m *Model) checkStability(bad func(string, ...any)) {
	s := m.stability
	if s == nil {
		return
	}
	if s.Replicates < 0 || s.Replicates > m.options.Bootstrap {
		bad("the field \"stability.replicates\" is %d, want a number from 0 to options.bootstrap = %d", s.Replicates, m.options.Bootstrap)
	}
	place := lists.Index(m.support)
	seen := make(map[int]bool, len(s.Columns))
	for i := range s.Columns {
		c := &s.Columns[i]
		path := fmt.Sprintf("stability.columns[%d]", i)
		if c.Column < 0 || c.Column >= m.columns || seen[c.Column] {
			bad("the field %q is %d, want columns from 0 to below data.columns = %d, each once", path+".column", c.Column, m.columns)
		}
		if c.Times < 0 || c.Times > s.Replicates {
			bad("the field %q is %d, want a number from 0 to stability.replicates = %d", path+".times", c.Times, s.Replicates)
		}
		seen[c.Column] = true
		i, chosen := place[c.Column]
		if c.Chosen = chosen; chosen && m.features[i] != c.Name {
			bad("the field %q is %q, want the name of the chosen column, %q", path+".name", c.Name, m.features[i])
		}
	}
	for _, j := range m.support {
		if !seen[j] {
			bad("the field \"stability.columns\" lacks the chosen column %d", j)
		}
	}
	s.complete()
}
