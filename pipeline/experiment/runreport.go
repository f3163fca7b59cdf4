package experiment

import (
	"encoding/json"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// report puts together what the run found out.
func (r *run) report() (*Report, error) {
	c := r.config
	result, err := r.result()
	if err != nil {
		return nil, err
	}
	out := &Report{
		Version: ReportVersion, Type: reportType, Name: c.Name, Config: c.Resolve(), Seed: c.Split.Seed,
		Versions: versions(), Data: dataInfo(c.Data.Source, r.read, r.data), Result: *result,
		Inputs: r.final.Inputs(), Mistakes: r.mistakes, Pipeline: r.final,
	}
	out.Warnings = slices.Concat(lists.Map(r.mistakes, dataset.Warning.String), result.Warnings)
	if c.Split.File != "" {
		out.Split.File, out.Split.Hash = c.Split.File, dataset.Hash(r.tested)
	}
	out.addConstant(r.final)
	if s := r.final.Selector(); s != nil {
		out.Selection = selectionOf(s.Model())
		if f := out.Selection.Reconstruction; f != nil {
			f.HeldOut, out.HeldOut = result.HeldOut, nil
		}
	}
	return out, nil
}

// addConstant lists the columns that do not vary: those that a constant step
// dropped, and those that came to another step.
func (r *Report) addConstant(p *pipeline.Pipeline) {
	for _, s := range p.Fitted() {
		t := s.Transformer
		if on, ok := t.(*transformer.OnColumns); ok {
			t = on.Step()
		}
		switch t := t.(type) {
		case *transformer.Constant:
			r.Constant = append(r.Constant, t.Dropped()...)
		case interface{ Constant() []string }: // the scaling steps
			r.Flat = append(r.Flat, t.Constant()...)
		case *selector.FSPCA:
			r.Flat = append(r.Flat, t.Model().Constant()...)
		}
	}
	r.Flat = lists.Distinct(r.Flat)
}

// dataInfo describes what was read, f being the features and the class of it.
func dataInfo(source string, read, f *dataset.Frame) DataInfo {
	names := f.Names()
	d := DataInfo{Source: source, Hash: dataset.Hash(read), Rows: f.Rows(),
		Columns: len(names), Categorical: len(names) - len(f.NumericNames())}
	class := f.Class()
	if class == nil {
		return d
	}
	d.Class = f.ClassName()
	if class.Numbers != nil {
		return d
	}
	counts := lists.Tally(len(class.Levels), class.Codes)
	d.Classes = lists.Make(len(counts), func(i int) ClassCount { return ClassCount{class.Levels[i], counts[i]} })
	return d
}

// MarshalJSON leaves out upper_bound, gap and proved if no bound was asked for.
func (s Selection) MarshalJSON() ([]byte, error) {
	type plain Selection // without methods
	if s.UpperBound != 0 || s.Proved {
		return json.Marshal(plain(s))
	}
	return json.Marshal(struct {
		plain
		UpperBound *float64 `json:"upper_bound,omitempty"` // hide those of the embedded one
		Gap        *float64 `json:"gap,omitempty"`
		Proved     *bool    `json:"proved,omitempty"`
	}{plain: plain(s)})
}

func selectionOf(m *selector.Model) *Selection {
	bound, components := m.Bound(), m.Options().Components
	return &Selection{
		Features: m.Features(), Support: m.Support(), Of: m.Columns(), Components: components,
		Objective:                   m.Objective(),
		ExplainedVarianceRatio:      m.ExplainedVarianceRatio(),
		NormalizedExplainedVariance: m.NormalizedExplainedVariance(),
		Criterion:                   m.Criterion(),
		Reconstruction:              m.Reconstruction(),
		Warnings:                    m.Warnings(),
		UpperBound:                  bound.Upper,
		Gap:                         bound.Gap,
		Proved:                      bound.Proved,
		Iterations:                  m.Iterations(), Status: string(m.Status()),
		Stability: m.Stability(),
	}
}
