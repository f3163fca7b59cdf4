package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/letters"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
)

// describeModel writes what a person wants to know of a fitted selection, s being its summary.
func describeModel(w io.Writer, m *selector.Model, s selector.Summary) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %s, %s (%s)\n",
		len(s.Features), words.Count(s.Columns, "column"), words.Count(s.Components, "component"), ending(s))
	if s.Rows > 0 {
		fmt.Fprintf(&b, "table               %s × %s\n", words.Count(s.Rows, "row"), words.Count(s.Columns, "column"))
	}
	what := "explained variance "
	if s.Criterion == selector.CriterionReconstruction {
		what = "explained of all   "
	}
	fmt.Fprintf(&b, what+" %.4g = %.2f%% of the total, %.2f%% of what PCA on all columns explains\n",
		s.Objective, 100*s.ExplainedVarianceRatio, 100*s.NormalizedExplainedVariance)
	if !s.Proved && m.Bound() != (selector.Bound{}) {
		fmt.Fprintf(&b, "upper bound         %.4g: %v\n", s.UpperBound, m.Bound())
	}
	describeTable(&b, s)
	describeAlignment(&b, s.Alignment)
	describeReconstruction(&b, s)
	describeScree(&b, s.Scree)
	b.WriteString("\n")
	describeColumns(&b, m, s, roomOf(w))
	describeStability(&b, s.Stability)
	describeRunnersUp(&b, s.Ledger, roomOf(w))
	_, err := io.WriteString(w, b.String())
	return err
}

// describeTable writes which columns do not vary, and what the chosen ones cost.
func describeTable(b *strings.Builder, s selector.Summary) {
	if names := s.ConstantColumns; len(names) > 0 {
		fmt.Fprintf(b, "do not vary         %s\n", words.Some(names, 10))
	}
	if s.Cost != nil {
		fmt.Fprintf(b, "cost                %.6g of %.6g\n", s.Cost.Spent, s.Cost.Budget)
	}
}

// describeAlignment writes how the model stands to the one that it follows.
func describeAlignment(b *strings.Builder, a *selector.Alignment) {
	if a == nil {
		return
	}
	fmt.Fprintf(b, "beside the old one  %v\n", a)
	for _, change := range []struct {
		what  string
		names []string
	}{{"came", a.Added}, {"went", a.Removed}} {
		if len(change.names) > 0 {
			fmt.Fprintf(b, "%-20s%s\n", change.what, abbreviated(change.names, 10))
		}
	}
}

// describeReconstruction writes what the choice tells of all columns, and what
// a reader should know.
func describeReconstruction(b *strings.Builder, s selector.Summary) {
	f := s.Reconstruction
	if f == nil {
		return
	}
	var parts []string
	for _, figure := range []struct {
		what string
		v    *float64
	}{{"by the chosen columns", f.R2}, {"by the components", f.R2Components}, {"random choices", f.Random}, {"noise", f.Noise}, {"PCA", f.PCA}} {
		if figure.v != nil {
			parts = append(parts, fmt.Sprintf("%.3f %s", *figure.v, figure.what))
		}
	}
	fmt.Fprintf(b, "R² of all columns   %s\n", strings.Join(parts, ", "))
	columns := lists.Map(f.Columns, func(c selector.ColumnFigure) selector.ColumnEvaluation {
		return selector.ColumnEvaluation{Name: c.Name, R2: c.R2}
	})
	describeToldLeast(b, columns, 5)
	for _, w := range s.Warnings {
		fmt.Fprintf(b, "note                %s\n", w)
	}
}

// describeToldLeast lists the columns of smallest R², so many at most; nothing where none has one.
func describeToldLeast(b *strings.Builder, columns []selector.ColumnEvaluation, most int) {
	told := lists.Where(columns, func(c selector.ColumnEvaluation) bool { return c.R2 != nil })
	slices.SortStableFunc(told, func(x, y selector.ColumnEvaluation) int { return cmp.Compare(*x.R2, *y.R2) })
	worst := lists.Map(told[:min(most, len(told))], func(c selector.ColumnEvaluation) string { return fmt.Sprintf("%s %.2f", c.Name, *c.R2) })
	if len(worst) > 0 {
		fmt.Fprintf(b, "told least of       %s\n", letters.Plain(strings.Join(worst, ", ")))
	}
}

// describeScree writes what parallel analysis found: the variances of PCA on all columns, beside the
// level of shuffled data, up to the first that is below it.
func describeScree(b *strings.Builder, s *selector.Scree) {
	if s == nil || s.Shuffled == nil {
		return
	}
	const most = 10
	var parts []string
	for j, v := range s.Variances[:min(s.Components+1, most, len(s.Variances))] {
		parts = append(parts, fmt.Sprintf("%.4g (%.4g)", v, s.Shuffled[j]))
	}
	if s.Components >= most {
		parts = append(parts, "…")
	}
	fmt.Fprintf(b, "parallel analysis   %s of PCA %s more than shuffled data (in brackets): %s\n",
		words.Count(s.Components, "component"), words.Of(s.Components, "explains", "explain"), strings.Join(parts, ", "))
}

// describeColumns writes a line for each chosen column, that which carries most
// of the variance first.
func describeColumns(b *strings.Builder, m *selector.Model, s selector.Summary, room int) {
	often := map[int]string{}
	head := "\tcolumn\tcontribution\t"
	if t := s.Stability; t != nil && t.Replicates > 0 {
		head += "chosen in\t"
		for _, c := range t.Columns {
			often[c.Column] = percent(c.Frequency) + "%\t" // of a format
		}
	}
	t := letters.Table{Right: true, Room: room, Names: 1}
	t.Add(head + "loadings\t")
	shares := contributions(m)
	for rank, i := range byShare(shares) {
		t.Add("%d\t%s\t%.1f%%\t"+often[s.Support[i]]+"%s\t", rank+1, s.Features[i], 100*shares[i], loadings(m.Loadings().RawRowView(i)))
	}
	_, _ = t.WriteTo(b) // a strings.Builder takes everything
}

// describeStability writes how the choice fares with other rows.
func describeStability(b *strings.Builder, s *selector.Stability) {
	if s == nil {
		return
	}
	fmt.Fprintf(b, "\nstability: %v\n", s)
	others := lists.Where(s.Columns, func(c selector.Frequency) bool { return !c.Chosen })
	if len(others) > 0 {
		often := lists.Map(others, func(c selector.Frequency) string { return c.Name + " " + percent(c.Frequency) })
		fmt.Fprintf(b, "often chosen as well: %s\n", abbreviated(often, 10))
	}
}

// percent writes a share.
func percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// ending says how the search for the columns ended.
func ending(s selector.Summary) string {
	after := words.Count(s.Iterations, "iteration")
	if s.Nodes > 0 {
		after = words.Count(s.Nodes, "subproblem")
	}
	if s.Proved && s.Nodes == 0 {
		return "proved optimal"
	} else if s.Proved {
		return "proved optimal after " + after
	}
	return strings.ReplaceAll(string(s.Status), "_", " ") + " after " + after
}

// contributions returns the share of the explained variance that each chosen
// column carries: Σ_j λ_j w_ij² / Σ_j λ_j. The shares add up to 1; those of
// components that are not orthonormal are divided by their sum.
func contributions(m *selector.Model) []float64 {
	v, values := m.Loadings(), m.ExplainedVariance()
	k, _ := v.Dims()
	shares := make([]float64, k)
	for i := range k {
		for j, x := range v.RawRowView(i) {
			shares[i] += values[j] * x * x / m.Objective()
		}
	}
	if m.Criterion() == selector.CriterionReconstruction {
		sum := lists.Sum(shares)
		for i := range shares {
			shares[i] /= sum
		}
	}
	return shares
}

// byShare returns the indices of shares, largest first.
func byShare(shares []float64) []int {
	order := lists.Upto[int](len(shares))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(shares[j], shares[i]) })
	return order
}

// loadings writes the first few weights of a column.
func loadings(row []float64) string {
	const most = 6
	parts := lists.Map(row[:min(most, len(row))], func(x float64) string { return fmt.Sprintf("%+.2f", x+0) })
	if len(row) > most {
		parts = append(parts, "…")
	}
	return strings.Join(parts, " ")
}

// describePipeline writes the steps of a pipeline with the columns that flow
// between them, and its selection.
func describePipeline(w io.Writer, p *pipeline.Pipeline) error {
	var b strings.Builder
	fmt.Fprintf(&b, "pipeline of %s, needs %s\n", words.Count(len(p.Flow()), "step"), words.Count(len(p.Inputs()), "column"))
	var t letters.Table
	for i, step := range p.Flow() {
		t.Add("%d\t%s\t%d in\t%d out\t%s", i+1, step.Name, len(step.Inputs), len(step.Outputs), abbreviated(step.Outputs, 6))
	}
	_, _ = t.WriteTo(&b)
	if name, levels := p.Classes(); name != "" {
		fmt.Fprintf(&b, "predicts %q: %s\n", name, abbreviated(levels, 12))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	if s := p.Selector(); s != nil {
		fmt.Fprintln(w)
		return describeModel(w, s.Model(), s.Model().Summary())
	}
	return nil
}

// abbreviated joins names and leaves out those after the first few.
func abbreviated(names []string, most int) string {
	text := letters.Plain(strings.Join(names[:min(len(names), most)], ", "))
	if len(names) > most {
		text += ", …"
	}
	return text
}

// holds lists names as the subject of a sentence, with its verb.
func holds(names []string) string {
	const most = 5
	parts := lists.Map(names[:min(most, len(names))], func(n string) string { return fmt.Sprintf("%q", n) })
	if len(names) > most {
		parts = append(parts, fmt.Sprintf("%d more", len(names)-most))
	}
	if len(names) == 1 {
		return "column " + parts[0] + " holds"
	}
	return "columns " + strings.Join(parts, ", ") + " hold"
}
