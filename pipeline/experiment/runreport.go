package experiment

import (
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// report puts together what the run found out.
func (r *run) report() (*Report, error) {
	c := r.config
	out := &Report{
		Version: ReportVersion, Type: reportType, Name: c.Name, Config: c.Resolve(), Seed: c.Split.Seed,
		Versions: versions(), Data: dataInfo(c.Data.Source, r.data), Split: r.parts(),
		Inputs: r.final.Inputs(), Warnings: r.warnings, Pipeline: r.final,
	}
	out.addConstant(r.final)
	if s := r.final.Selector(); s != nil {
		out.Selection = selectionOf(s.Model())
	}
	var err error
	if out.Metrics, err = evaluationOf(r.chosen); err != nil {
		return nil, err
	}
	if out.AllColumns, err = evaluationOf(r.all); err != nil {
		return nil, err
	}
	if out.Selection != nil && c.Split.Folds > 0 {
		var chosen [][]string
		for _, t := range r.chosen {
			chosen = append(chosen, t.pipeline.Selector().Model().Features())
		}
		out.Stability = stability(chosen)
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
	seen := make(map[string]bool)
	r.Flat = slices.DeleteFunc(r.Flat, func(name string) bool {
		twice := seen[name]
		seen[name] = true
		return twice
	})
}

func (r *run) parts() *Parts {
	if r.splits == nil {
		return nil
	}
	p := &Parts{Kind: "test"}
	if r.config.Split.Folds > 0 {
		p.Kind = "folds"
	}
	for _, s := range r.splits {
		p.Train, p.Test = append(p.Train, len(s.Train)), append(p.Test, len(s.Test))
	}
	return p
}

func dataInfo(source string, f *dataset.Frame) DataInfo {
	names := f.Names()
	d := DataInfo{Source: source, Hash: dataset.Hash(f), Rows: f.Rows(),
		Columns: len(names), Categorical: len(names) - len(f.NumericNames())}
	class := f.Class()
	if class == nil {
		return d
	}
	d.Class = f.ClassName()
	if class.Numbers != nil {
		return d
	}
	counts := make([]int, len(class.Levels))
	for _, code := range class.Codes {
		if code >= 0 {
			counts[code]++
		}
	}
	for i, level := range class.Levels {
		d.Classes = append(d.Classes, ClassCount{level, counts[i]})
	}
	return d
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
