package experiment

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/letters"
	"github.com/fspca/fspca/internal/words"
)

// WriteSummary writes the figures for a terminal, with those of each class.
func (e *Evaluation) WriteSummary(w io.Writer) error {
	switch {
	case files.Absent(w):
		return files.ErrNoWriter
	case e == nil || e.Metrics == nil && e.RegressionMetrics == nil:
		return errors.New("there are no figures to write")
	}
	var b strings.Builder
	var t letters.Table
	e.addHeader(&t)
	e.addLine(&t, "")
	_, _ = t.WriteTo(&b) // a strings.Builder takes everything
	e.writeMostConfused(&b)
	e.writeClasses(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// addHeader names the figures of addLine.
func (e *Evaluation) addHeader(t *letters.Table) {
	if e.RegressionMetrics != nil {
		t.Add("  \tR²\tRMSE\tMAE")
	} else {
		t.Add("  \taccuracy\tbalanced\tmacro F1\tlog loss\tAUC")
	}
}

// writeClasses writes the figures of each class, unless there are many.
func (e *Evaluation) writeClasses(b *strings.Builder) {
	m := e.Metrics
	if m == nil || len(m.PerClass) > shown {
		return
	}
	var t letters.Table
	t.Add("  class\tprecision\trecall\tF1\trows")
	for _, c := range m.PerClass {
		t.Add("  %s\t%.4f\t%.4f\t%.4f\t%d", c.Class, c.Precision, c.Recall, c.F1, c.Support)
	}
	_, _ = t.WriteTo(b)
	if c := m.Calibration; c != nil {
		fmt.Fprintf(b, "calibration: predicted probabilities are off by %.3f on average\n", c.Error)
	}
}

func (e *Evaluation) addLine(t *letters.Table, name string) {
	if m := e.RegressionMetrics; m != nil {
		t.Add("  %s\t%.4f ± %.4f\t%.4g ± %.2g\t%.4g ± %.2g", name, m.R2, m.R2SE, m.RMSE, m.RMSESE, m.MAE, m.MAESE)
		return
	}
	t.Add("  %s\t%.4f ± %.4f\t%.4f\t%.4f\t%s\t%s", name, e.Accuracy, e.AccuracySE, e.BalancedAccuracy, e.MacroF1, figure(e.LogLoss), figure(e.AUC))
}

// figure is a number that may be absent.
func figure(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.4f", *v)
}

func (b *Baselines) addLines(t *letters.Table) {
	if b.RandomColumns != nil {
		b.RandomColumns.addLine(t, fmt.Sprintf("%s at random", words.Count(b.RandomColumns.Columns, "column")))
	}
	if b.PCA != nil {
		b.PCA.addLine(t, fmt.Sprintf("PCA, %s", words.Count(b.PCA.Columns, "component")))
	}
	if b.Dummy != nil {
		b.Dummy.addLine(t, "dummy")
	}
}

func (b *Baseline) addLine(t *letters.Table, name string) {
	switch {
	case b.Error != "":
		name, _, _ = strings.Cut(name, ",")
		t.Add("  %s\tfailed: %s", strings.TrimPrefix(name, "0 "), b.Error)
	case b.R2 != nil && b.R2SE != nil:
		t.Add("  %s\t%.4f ± %.4f\t%.4g\t%.4g", name, *b.R2, *b.R2SE, *b.RMSE, *b.MAE)
	case b.Accuracy != nil && b.AccuracySE != nil:
		t.Add("  %s\t%.4f ± %.4f\t%s\t%s\t%s\t%s", name, *b.Accuracy, *b.AccuracySE, figure(b.BalancedAccuracy), figure(b.MacroF1), figure(b.LogLoss), figure(b.AUC))
	}
}

// tests are the names of the comparisons.
var tests = map[string]string{McNemar: "exact McNemar test", CorrectedT: "corrected resampled t-test", PairedT: "paired t-test"}

func (r *Report) writeDifference(b *strings.Builder) {
	d := r.Difference
	if d == nil || d.Accuracy == nil && d.R2 == nil {
		return
	}
	what, by := "accuracy", d.Accuracy
	if by == nil {
		what, by = "R²", d.R2
	}
	p := "p unknown: every fold differs by the same"
	if d.P != nil {
		p = fmt.Sprintf("p = %.2g", *d.P)
	}
	fmt.Fprintf(b, "chosen less all columns: %s %+.4f ± %.4f, %s (%s)\n", what, *by, d.SE, p, tests[d.Test])
}
