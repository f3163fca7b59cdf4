package report

import (
	"cmp"
	"fmt"
	"math"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
)

// answer says in sentences what was found.
func (p *page) answer() []string {
	var out []string
	out = append(out, p.pathSentence()...)
	if s := p.selection; s != nil {
		out = append(out, s.sentences()...)
	}
	if r := p.run; r != nil && r.Metrics != nil {
		out = append(out, r.sentence())
	}
	if e := p.evaluation; e != nil && e.R2 != nil {
		said := fmt.Sprintf("In %s that the model is compared with, the chosen columns give back %s of the variance of all %s (R² %s).",
			words.Count(e.Rows, "row"), percent(*e.R2), words.Count(len(e.Columns), "column"), fixed(*e.R2, 3))
		if e.Random != nil {
			said += fmt.Sprintf(" As many columns chosen at random give back %s of it.", percent(*e.Random))
		}
		out = append(out, said)
	}
	return out
}

// pathSentence says which k of a path keep the usual shares.
func (p *page) pathSentence() []string {
	if len(p.path) < 2 {
		return nil
	}
	first, last := p.path[0], p.path[len(p.path)-1]
	s := fmt.Sprintf("From k = %d to k = %d the choice keeps %s to %s of the variance that PCA explains", first.K, last.K, percent(first.OfPCA), percent(last.OfPCA))
	for _, share := range []float64{0.8, 0.9, 0.95} {
		for _, at := range p.path {
			if at.OfPCA >= share {
				s += fmt.Sprintf("; %.0f %% first at k = %d", 100*share, at.K)
				break
			}
		}
	}
	return []string{s + ". What follows is of the last k."}
}

func (s *selection) sentences() []string {
	k, d, m := len(s.Features), s.Columns, s.Components
	what := words.Of(k, "It explains", "They explain")
	if s.Criterion == selector.CriterionReconstruction {
		what = words.Of(k, "It rebuilds", "They rebuild") + ", of all columns,"
	}
	out := []string{
		fmt.Sprintf("%d of %s %s chosen, for %s.", k, words.Count(d, "column"), words.Of(k, "is", "are"), words.Count(m, "component")),
		fmt.Sprintf("%s %s of the variance that PCA on all columns explains with as many components, and %s of the total.", what, percent(s.OfPCA), percent(s.OfTotal)),
	}
	if f := s.Figures; f != nil {
		out = append(out, f.sentences(k, m)...)
	}
	if s.Status == "none_found" {
		out = append(out, "These are fewer than were asked for: no more columns were found that the limits permit together.")
	}
	bound := selector.Bound{Upper: s.Upper, Gap: s.Gap, Proved: s.Proved}
	if s.Proved {
		out = append(out, fmt.Sprintf("No permitted choice of %s is better: this is proved.", words.Count(k, "column")))
	} else if s.Upper != 0 {
		out = append(out, fmt.Sprintf("The best permitted choice of %s explains at most %s: a bound, not an estimate.", words.Count(k, "column"), bound.More()))
	}
	return out
}

// sentences say what k columns and m components tell of all columns.
func (f *figures) sentences(k, m int) []string {
	switch {
	case f.R2 != nil:
		s := fmt.Sprintf("The chosen %s %s of the variance of all columns (R² %s by least squares", words.Of(k, "column tells", "columns tell"), percent(*f.R2), fixed(*f.R2, 3))
		for _, other := range []struct {
			v    *float64
			what string
		}{{f.Random, "columns chosen at random"}, {f.PCA, "as many components of PCA"}, {f.Noise, "noise"}} {
			if other.v != nil {
				s += fmt.Sprintf("; %s %s", other.what, fixed(*other.v, 3))
			}
		}
		return []string{s + ")."}
	case f.R2Components != nil:
		return []string{fmt.Sprintf("The %s %s of the variance of all columns (R² %s).", words.Of(m, "component tells", "components tell"), percent(*f.R2Components), fixed(*f.R2Components, 3))}
	}
	return nil
}

// sentence compares the chosen columns with all.
func (r *run) sentence() string {
	m := r.Metrics
	name, value, se := m.main()
	if value == nil {
		return "Nothing was measured: " + m.Error
	}
	s := fmt.Sprintf("On %s the chosen columns reach the %s %s", r.heldOut(), name, uncertain(*value, se))
	if se == nil && m.AccuracySD != nil {
		s += fmt.Sprintf(" (standard deviation over the folds %s)", fixed(*m.AccuracySD, 4))
	}
	if a := r.All; a != nil {
		if _, all, allSE := a.main(); all != nil {
			s += fmt.Sprintf(", all %s %s", words.Count(a.Columns, "column"), uncertain(*all, allSE))
		}
	}
	return s + "." + r.Difference.sentence()
}

// main is the figure that pipelines are compared by, with its standard error; nil where there is none.
func (m *metrics) main() (name string, value, se *float64) {
	if m.Accuracy != nil {
		return "accuracy", m.Accuracy, m.AccuracySE
	}
	return "R²", m.R2, m.R2SE
}

// given reports whether the rows were given for a measurement, and may be those of the fit too.
func (r *run) given() bool { return r.Split != nil && r.Split.Kind == "given" }

// on ends a title: which rows the figures are of.
func (r *run) on() string {
	if r.given() {
		return "on the rows given"
	}
	return "on rows held out"
}

// heldOut says what was measured.
func (r *run) heldOut() string {
	rows := 0
	if r.Split != nil {
		rows = lists.Sum(r.Split.Test)
		if r.Split.Repeats > 1 {
			return fmt.Sprintf("%s, divided %d times, that no part of the pipeline was fitted on,", words.Count(rows/r.Split.Repeats, "row"), r.Split.Repeats)
		}
	}
	if r.given() {
		return "the " + words.Count(rows, "row") + " given"
	}
	return words.Count(rows, "row") + " that no part of the pipeline was fitted on,"
}

// testNames are how two pipelines were compared, by the key test.
var testNames = map[string]string{"mcnemar": "McNemar's exact test", "corrected_t": "corrected resampled t-test", "paired_t": "paired t-test"}

// errorNames are how standard errors were found, by the key se_method.
var errorNames = map[string]string{
	"binomial":         "± is the binomial standard error, which takes the rows to be independent.",
	"independent_rows": "± is the standard error over the rows, which takes them to be independent.",
	"nadeau_bengio":    "± is the standard error over the parts, corrected for the training rows that they share (Nadeau and Bengio, 2003).",
}

func (d *difference) sentence() string {
	if d == nil || d.Accuracy == nil && d.R2 == nil {
		return ""
	}
	value := cmp.Or(d.Accuracy, d.R2)
	s := " The difference is " + uncertain(*value, d.SE)
	if d.P != nil {
		s += ", p = " + num(*d.P)
		if test := testNames[d.Test]; test != "" {
			s += " (" + test + ")"
		}
	}
	return s + "."
}

// uncertain writes a number with its standard error.
func uncertain(v float64, se *float64) string {
	if se == nil || math.IsNaN(*se) {
		return fixed(v, 4)
	}
	return fixed(v, 4) + " ± " + fixed(*se, 4)
}

// warnings are what a reader should know.
func (p *page) warnings() []section {
	var rows []string
	seen := map[string]bool{}
	add := func(list []warning) {
		for _, w := range list {
			text := w.Message
			if w.Code != "" {
				text = w.Code + ": " + text
			}
			if text != "" && !seen[text] {
				rows = append(rows, text)
			}
			seen[text] = true
		}
	}
	if p.run != nil {
		add(p.run.Warnings)
	}
	if p.selection != nil {
		add(p.selection.Warnings)
	}
	if s := p.selection; s != nil && len(s.Constant) > 0 {
		rows = append(rows, "These columns do not vary: "+words.Some(s.Constant, 20)+".")
	}
	if r := p.run; r != nil && len(r.Constant) > 0 {
		rows = append(rows, "A step dropped these columns, which do not vary: "+words.Some(r.Constant, 20)+".")
	}
	return one(section{ID: "warnings", Title: "What to know", Text: rows})
}
