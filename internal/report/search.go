package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
)

// search shows the settings that were tried.
func (p *page) search() []section {
	if p.run == nil || p.run.Search == nil {
		return nil
	}
	s := p.run.Search
	out := section{ID: "search", Title: "The settings that were tried", Text: []string{fmt.Sprintf(
		"The metric is %s, its mean over %s within the training rows; the rule %s takes %s.", figureName(s.Metric), words.Count(s.Folds, "inner fold"), s.Rule, settingText(s.Chosen))}}
	if s.Nested != nil {
		out.Text = append(out.Text, fmt.Sprintf("On rows that no setting was chosen on, the search reaches %s.", fixed(s.Nested.Score, 4)))
	}
	t := table{Caption: "Settings", Head: []string{"setting", figureName(s.Metric), "standard error", "columns", ""}, Texts: []string{""}}
	for _, at := range s.Points {
		note := at.Error
		if string(at.Setting) == string(s.Chosen) {
			note = "chosen"
		}
		t.Rows = append(t.Rows, []string{settingText(at.Setting), perhaps(at.Score, 4), perhaps(at.SE, 4), num(at.Columns), note})
	}
	lines := s.curves()
	if len(lines.Series) == 0 {
		out.Tables = []table{t}
		return []section{out}
	}
	out.Figures = []figure{newFigure("settings", "The metric of each setting, over its number of columns",
		"A line for each setting of the other options, over the number of columns; the setting that was chosen is marked.",
		lines.At, t)}
	return []section{out}
}

// mostCurves is the number of lines up to which they have names of their own.
const mostCurves = 8

// sizeOptions are those that decide the number of columns, which is drawn along x.
var sizeOptions = []string{"features", "budget"}

// curves are the scores over the number of columns, a line for each setting of the other options.
func (s *search) curves() chart.Lines {
	lines := chart.Lines{Caption: "Settings", WholeX: true, XLabel: "columns", YLabel: figureName(s.Metric)}
	place, scores := map[string]int{}, 0
	chosen := chart.Series{Name: "chosen", Style: "ink", Loose: true, Mark: true}
	for i, at := range s.Points {
		if at.Score == nil || math.IsNaN(*at.Score) {
			continue
		}
		scores++
		x := at.Columns
		if x == 0 {
			x = float64(i + 1)
		}
		others := otherOptions(at.Setting)
		j, there := place[others]
		if !there {
			j = len(lines.Series)
			place[others] = j
			lines.Series = append(lines.Series, chart.Series{Name: others, Style: fmt.Sprintf("c%d", j%10)})
		}
		lines.Series[j].X, lines.Series[j].Y = append(lines.Series[j].X, x), append(lines.Series[j].Y, *at.Score)
		if string(at.Setting) == string(s.Chosen) {
			chosen.X, chosen.Y = []float64{x}, []float64{*at.Score}
		}
	}
	if scores < 2 {
		return chart.Lines{}
	}
	return s.drawn(lines, chosen)
}

// drawn puts many lines into one, and the chosen point on top.
func (s *search) drawn(lines chart.Lines, chosen chart.Series) chart.Lines {
	if len(lines.Series) > mostCurves {
		all := chart.Series{Name: figureName(s.Metric), Style: "soft", Loose: true}
		for _, line := range lines.Series {
			all.X, all.Y = append(all.X, line.X...), append(all.Y, line.Y...)
		}
		lines.Series = []chart.Series{all}
	}
	for i := range lines.Series {
		lines.Series[i].Sort()
	}
	if len(chosen.X) > 0 {
		lines.Series = append(lines.Series, chosen)
	}
	return lines
}

// otherOptions writes a setting without the options that decide the number of columns.
func otherOptions(setting []byte) string {
	fields, _ := fieldsOf(setting)
	var parts []string
	for _, f := range fields {
		name := f.key[strings.LastIndexByte(f.key, '.')+1:]
		if name != sizeOptions[0] && name != sizeOptions[1] {
			parts = append(parts, name+" "+strings.Trim(string(f.value), `"`))
		}
	}
	if len(parts) == 0 {
		return "all settings"
	}
	return strings.Join(parts, ", ")
}

// settingText writes a setting as key = value.
func settingText(setting []byte) string {
	fields, _ := fieldsOf(setting)
	parts := lists.Map(fields, func(f field) string { return f.key + " = " + strings.Trim(string(f.value), `"`) })
	return strings.Join(parts, ", ")
}
