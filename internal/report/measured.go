package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/chart"
)

// contender is a pipeline that was measured.
type contender struct {
	name string
	*metrics
}

// contenders are the pipeline with the chosen columns and all that it is compared with.
func (r *run) contenders() []contender {
	all := []contender{{"chosen columns", r.Metrics}, {"all columns", r.All}}
	if r.Selection == nil {
		all[0].name = "the pipeline"
	}
	for _, name := range slices.Sorted(maps.Keys(r.Baselines)) {
		all = append(all, contender{strings.ReplaceAll(strings.ReplaceAll(name, "_", " "), "pca", "PCA"), r.Baselines[name]})
	}
	return slices.DeleteFunc(all, func(c contender) bool { return c.metrics == nil })
}

// measured shows how well the pipeline predicts.
func (p *page) measured() []section {
	if p.run == nil || p.run.Metrics == nil {
		return nil
	}
	r := p.run
	out := section{ID: "measured", Title: "How well it predicts", Text: []string{r.sentence()}}
	if how := errorNames[r.Metrics.SEMethod]; how != "" {
		out.Text = append(out.Text, how)
	}
	all := r.contenders()
	out.Figures = append(out.Figures, r.comparison(all)...)
	out.Tables = append(out.Tables, r.figuresTable(all))
	m := r.Metrics
	out.Figures = append(out.Figures, p.Numbers.figure(r.on())...)
	out.Figures = append(out.Figures, m.folds()...)
	out.Figures = append(out.Figures, m.Confusion.figure()...)
	out.Figures = append(out.Figures, m.Calibration.figure()...)
	out.Tables = append(out.Tables, m.Confusion.table()...)
	if len(m.PerClass) > 0 {
		t := table{Caption: "Each class", Head: []string{"class", "precision", "recall", "F1", "rows"}}
		for _, c := range m.PerClass {
			t.Rows = append(t.Rows, []string{c.Class, fixed(c.Precision, 4), fixed(c.Recall, 4), fixed(c.F1, 4), strconv.Itoa(c.Support)})
		}
		out.Tables = append(out.Tables, t)
	}
	return []section{out}
}

// figuresTable has a column for each pipeline and a row for each figure that any has.
func (r *run) figuresTable(all []contender) table {
	t := table{Caption: "Figures " + r.on(), Head: []string{"figure"}}
	var keys []string
	for _, c := range all {
		t.Head = append(t.Head, c.name)
		for _, n := range c.numbers {
			if !slices.Contains(keys, n.key) {
				keys = append(keys, n.key)
			}
		}
	}
	place := map[string]int{}
	for i, key := range errorsBehind(keys) {
		place[key] = i
		t.Rows = append(t.Rows, append([]string{figureName(key)}, slices.Repeat([]string{"–"}, len(all))...))
	}
	for i, c := range all {
		for _, n := range c.numbers {
			t.Rows[place[n.key]][i+1] = num(n.value)
		}
	}
	return t
}

// errorsBehind puts the standard error of a figure, and its deviation over the parts, behind the figure.
func errorsBehind(keys []string) []string {
	var out []string
	for _, key := range keys {
		if of, _, is := cutError(key); is && slices.Contains(keys, of) {
			continue // comes with its figure
		}
		out = append(out, key)
		for _, ending := range errorEndings {
			if slices.Contains(keys, key+ending.key) {
				out = append(out, key+ending.key)
			}
		}
	}
	return out
}

// errorEndings are the endings of keys that tell how uncertain a figure is.
var errorEndings = []struct{ key, name string }{{"_se", "standard error of "}, {"_sd", "deviation over the parts of "}}

// cutError returns the figure whose uncertainty a key holds, and what it is called.
func cutError(key string) (of, name string, is bool) {
	for _, ending := range errorEndings {
		if of, is = strings.CutSuffix(key, ending.key); is {
			return of, ending.name, true
		}
	}
	return key, "", false
}

// figureNames are the figures whose keys are no words.
var figureNames = map[string]string{"auc": "AUC", "macro_f1": "macro F1", "r2": "R²", "rmse": "RMSE", "mae": "MAE"}

// figureName says in words what a key of the metrics is, and of what the standard errors and deviations are.
func figureName(key string) string {
	if of, name, is := cutError(key); is {
		return name + figureName(of)
	}
	return cmp.Or(figureNames[key], strings.ReplaceAll(key, "_", " "))
}

// comparison shows the main figure of each pipeline.
func (r *run) comparison(all []contender) []figure {
	name := "Accuracy"
	if all[0].Accuracy == nil {
		name = "R²"
	}
	numbers := table{Caption: name, Head: []string{"pipeline", name, "standard error"}}
	var bars []chart.Bar
	for i, c := range all {
		v, se := c.Accuracy, c.AccuracySE
		if name == "R²" {
			v, se = c.R2, c.R2SE
		}
		if v == nil {
			continue
		}
		bars = append(bars, chart.Bar{Name: c.name, Value: *v, Label: uncertain(*v, se), Soft: i > 0})
		numbers.Rows = append(numbers.Rows, []string{c.name, fixed(*v, 4), perhaps(se, 4)})
	}
	if len(bars) < 2 {
		return nil
	}
	title := name + " " + r.on()
	return []figure{newFigure("comparison", title, "A bar for each pipeline, as long as its figure.",
		chart.Bars{Caption: title, Bars: bars, High: 1, Low: -1}.At, numbers)}
}

func (m *metrics) folds() []figure {
	if len(m.FoldAccuracy) < 2 {
		return nil
	}
	numbers := table{Caption: "Accuracy in each part", Head: []string{"part", "accuracy"}}
	var bars []chart.Bar
	for i, v := range m.FoldAccuracy {
		numbers.Rows = append(numbers.Rows, []string{strconv.Itoa(i + 1), fixed(v, 4)})
		bars = append(bars, chart.Bar{Name: strconv.Itoa(i + 1), Value: v, Label: fixed(v, 4)})
	}
	return []figure{barFigure("folds", "Accuracy in each part that was held out", "A bar for each part, as long as its accuracy.",
		chart.Bars{Caption: "Accuracy in each part", Bars: bars, High: 1}, numbers)}
}

// mostClasses is the number of classes up to which the confusion is drawn.
const mostClasses = 40

func (c *confusion) figure() []figure {
	if c == nil || len(c.Labels) == 0 || len(c.Labels) > mostClasses {
		return nil
	}
	heat := chart.Heat{Caption: "Confusion", XLabel: "predicted", Rows: c.Labels, Columns: c.Labels, Values: c.Counts}
	numbers := table{Caption: "True classes (rows) and predicted classes (columns)", Head: append([]string{"true"}, c.Labels...)}
	for i, row := range c.Counts {
		cells, labels := []string{c.Labels[i]}, make([]string, len(row))
		for j, v := range row {
			cells = append(cells, num(v))
			if v > 0 {
				labels[j] = num(v)
			}
		}
		heat.Labels, numbers.Rows = append(heat.Labels, labels), append(numbers.Rows, cells)
	}
	return []figure{newFigure("confusion", "Which classes are taken for which", "A row for each true class and a column for each predicted one; the number of rows is in the cell.",
		heat.At, numbers)}
}

// mostMistakes is the number of mistakes that are listed of more classes than are drawn.
const mostMistakes = 20

// table lists the most frequent mistakes among more classes than are drawn.
func (c *confusion) table() []table {
	if c == nil || len(c.Labels) <= mostClasses {
		return nil
	}
	type mistake struct {
		truth, taken int
		rows         float64
	}
	var all []mistake
	for i, row := range c.Counts {
		for j, v := range row {
			if i != j && v > 0 {
				all = append(all, mistake{i, j, v})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b mistake) int { return cmp.Compare(b.rows, a.rows) })
	t := table{Caption: "Which classes are taken for which: the most frequent mistakes", Head: []string{"true", "predicted", "rows"}, Texts: []string{"predicted"}}
	for _, m := range all[:min(mostMistakes, len(all))] {
		t.Rows = append(t.Rows, []string{c.Labels[m.truth], c.Labels[m.taken], num(m.rows)})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []table{t}
}

func (c *calibration) figure() []figure {
	if c == nil || len(c.Bins) == 0 {
		return nil
	}
	line := chart.Series{Name: "predicted", Style: "first"}
	numbers := table{Caption: "Calibration", Head: []string{"mean probability", "share right", "rows"}}
	for _, b := range c.Bins {
		line.X, line.Y = append(line.X, b.Probability), append(line.Y, b.Right)
		numbers.Rows = append(numbers.Rows, []string{fixed(b.Probability, 3), fixed(b.Right, 3), strconv.Itoa(b.Rows)})
	}
	lines := chart.Lines{Caption: "Calibration", XLabel: "probability of the predicted class", YLabel: "share that is right", Series: []chart.Series{
		{Name: "as it should be", Style: "soft", Dashed: true, X: []float64{0, 1}, Y: []float64{0, 1}}, line}}
	return []figure{newFigure("calibration", fmt.Sprintf("Calibration: how often it is right when it is so sure (mean distance %s)", fixed(c.Error, 3)),
		"A point for each range of probabilities; on the dashed line the share that is right is the probability.",
		lines.At, numbers)}
}
