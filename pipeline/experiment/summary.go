package experiment

import (
	"fmt"
	"io"
	"strings"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/letters"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
)

// shown is how many names the summary lists before it counts the others.
const shown = 12

// warned is how many warnings it repeats.
const warned = 3

// WriteSummary writes a summary for a terminal: the chosen columns, the figures
// compared with all columns and baselines, the figures of the classes, the search,
// and the files.
func (r *Report) WriteSummary(w io.Writer) error {
	if files.Absent(w) {
		return files.ErrNoWriter
	}
	var b strings.Builder
	r.writeHead(&b)
	r.writeSelection(&b)
	r.writeAccuracy(&b)
	others := r.Warnings[min(len(r.Mistakes), len(r.Warnings)):] // the command tells of mistakes itself
	for _, warning := range others[:min(len(others), warned)] {
		fmt.Fprintf(&b, "warning: %s\n", warning)
	}
	if n := len(others) - warned; n > 0 {
		fmt.Fprintf(&b, "and %s like these\n", words.Count(n, "warning"))
	}
	if r.Dir != "" {
		fmt.Fprintf(&b, "written to %s: %s\n", r.Dir, strings.Join(r.Files, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) writeHead(b *strings.Builder) {
	if r.Name != "" {
		fmt.Fprintf(b, "%s: ", letters.Plain(r.Name))
	}
	fmt.Fprintf(b, "%s, %s, %s", r.Data.Source, words.Count(r.Data.Rows, "row"), words.Count(r.Data.Columns, "column"))
	if r.Data.Categorical > 0 {
		fmt.Fprintf(b, " (%d categorical)", r.Data.Categorical)
	}
	if n := len(r.Data.Classes); n > 0 {
		fmt.Fprintf(b, ", %s of %s", words.Count(n, "class"), letters.Plain(r.Data.Class))
	}
	if len(r.Data.Classes) == 0 && r.Data.Class != "" {
		fmt.Fprintf(b, ", target %s", letters.Plain(r.Data.Class))
	}
	b.WriteString("\n")
}

func (r *Report) writeSelection(b *strings.Builder) {
	if len(r.Constant) > 0 {
		fmt.Fprintf(b, "constant, dropped: %s\n", letters.Plain(words.Some(r.Constant, shown)))
	}
	if len(r.Flat) > 0 {
		fmt.Fprintf(b, "do not vary: %s\n", letters.Plain(words.Some(r.Flat, shown)))
	}
	s := r.Selection
	if s == nil {
		return
	}
	writeChoice(b, s)
	if f := s.Reconstruction; f != nil {
		writeReconstruction(b, f)
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(b, "  note: %s\n", w)
	}
	if s.Stability != nil {
		fmt.Fprintf(b, "  stability: %v\n", s.Stability)
	}
	r.Stability.write(b)
}

// writeChoice says which columns were chosen, and how good the choice is.
func writeChoice(b *strings.Builder, s *Selection) {
	fmt.Fprintf(b, "chosen: %s of %d, %s: %s\n", words.Count(len(s.Features), "column"), s.Of, words.Count(s.Components, "component"), letters.Plain(words.Some(s.Features, shown)))
	ending := strings.ReplaceAll(s.Status, "_", " ")
	if s.Proved {
		ending = "proved to be the best choice of " + words.Count(len(s.Features), "column")
	}
	if s.Iterations > 0 {
		ending += " after " + words.Count(s.Iterations, "iteration")
	}
	what := "variance explained"
	if s.Criterion == selector.CriterionReconstruction {
		what = "explained of all columns"
	}
	fmt.Fprintf(b, "  "+what+": %.1f %% of the total, %.1f %% of what dense PCA explains; %s\n",
		100*s.ExplainedVarianceRatio, 100*s.NormalizedExplainedVariance, ending)
	if !s.Proved && s.UpperBound != 0 {
		fmt.Fprintf(b, "  %v\n", selector.Bound{Upper: s.UpperBound, Gap: s.Gap})
	}
}

// write says how much the folds agree.
func (t *Stability) write(b *strings.Builder) {
	if t == nil {
		return
	}
	always := lists.Count(t.Frequency, func(f Frequency) bool { return f.Folds == t.Folds })
	fmt.Fprintf(b, "  stability: %s chosen in all %d folds, mean overlap of two folds %.2f\n", words.Count(always, "column"), t.Folds, t.MeanJaccard)
}

func (r *Report) writeAccuracy(b *strings.Builder) {
	e := r.Metrics
	if r.Split == nil || len(r.Split.Test) == 0 || len(r.Split.Train) != len(r.Split.Test) || e == nil {
		return // nothing was held out
	}
	if e.Error != "" || e.Metrics == nil && e.RegressionMetrics == nil {
		return
	}
	r.writeHow(b)
	var t letters.Table
	e.addHeader(&t)
	e.addLine(&t, r.chosenText())
	if r.AllColumns != nil && r.AllColumns.Error == "" {
		r.AllColumns.addLine(&t, "all "+words.Count(r.AllColumns.Columns, "column"))
	}
	if r.Baselines != nil {
		r.Baselines.addLines(&t)
	}
	_, _ = t.WriteTo(b)
	r.writeDifference(b)
	e.writeMostConfused(b)
	e.writeClasses(b)
	r.writeSearch(b)
}

// chosenText names the columns that the pipeline predicts from.
func (r *Report) chosenText() string {
	e := r.Metrics
	if s := r.Selection; s == nil {
		return words.Count(e.Columns, "column")
	} else if r.Search != nil && r.Search.Nested != nil {
		return "chosen columns"
	} else if e.Columns == len(s.Features) {
		return words.Count(len(s.Features), "chosen column")
	} else { // their projection, or what further steps made of them
		return fmt.Sprintf("%s (as %d)", words.Count(len(s.Features), "chosen column"), e.Columns)
	}
}

// writeHow says what the figures were measured on, and what stands after their ±.
func (r *Report) writeHow(b *strings.Builder) {
	test, folds := r.Split.Test, len(r.Split.Test)
	repeats := max(r.Split.Repeats, 1)
	times := ""
	if repeats > 1 {
		times = fmt.Sprintf(", %d times", repeats)
	}
	switch {
	case r.Split.File != "":
		fmt.Fprintf(b, "measured on %s of %s", words.Count(test[0], "row"), r.Split.File)
	case r.Split.Kind == "folds":
		fmt.Fprintf(b, "measured on %s, each held out once in %d folds%s (seed %d)", words.Count(lists.Sum(test)/repeats, "row"), folds/repeats, times, r.Seed)
	default:
		fmt.Fprintf(b, "measured on %s held out of %d%s (seed %d)", words.Count(test[0], "row"), test[0]+r.Split.Train[0], times, r.Seed)
	}
	switch r.Metrics.SEMethod {
	case NadeauBengio:
		fmt.Fprintf(b, "; ± is the standard error over the %d parts, corrected for shared training rows:\n", folds)
	default:
		fmt.Fprintf(b, "; ± is the standard error of independent rows:\n")
	}
}

// writeMostConfused tells the most frequent mistake, the first of equals.
func (e *Evaluation) writeMostConfused(b *strings.Builder) {
	if e.Metrics == nil {
		return
	}
	truth, predicted, n := "", "", 0
	for i, row := range e.Confusion.Counts {
		for j, c := range row {
			if i != j && c > n {
				truth, predicted, n = e.Confusion.Labels[i], e.Confusion.Labels[j], c
			}
		}
	}
	if n > 0 {
		fmt.Fprintf(b, "most confused: %s taken for %s, %s\n", letters.Plain(truth), letters.Plain(predicted), words.Count(n, "row"))
	}
}
