package experiment

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/letters"
	"github.com/fspca/fspca/internal/words"
)

// writeSearch writes the settings, the best first, what was chosen, and what the outer
// splits chose.
func (r *Report) writeSearch(b *strings.Builder) {
	s := r.Search
	if s == nil {
		return
	}
	points, failed := s.ranked()
	fmt.Fprintf(b, "search: %s by %s in %d inner folds of all rows, rule %s:\n", words.Count(len(s.Points), "setting"), s.Metric, s.Folds, s.Rule)
	var t letters.Table
	for _, p := range points[:min(len(points), shown)] {
		format := "  %v\t%.4f ± %.4f\t%s"
		if p.Setting.String() == s.Chosen.String() {
			format += "\tchosen"
		}
		t.Add(format, p.Setting, *p.Score, *p.SE, columnsText(p.Columns))
	}
	_, _ = t.WriteTo(b)
	if n := len(points) - shown; n > 0 {
		fmt.Fprintf(b, "  and %d more\n", n)
	}
	fmt.Fprintf(b, "  chosen: %v\n", s.Chosen)
	if failed > 0 {
		i := slices.IndexFunc(s.Points, func(p Point) bool { return p.Score == nil })
		fmt.Fprintf(b, "  %s could not be tried; the first, %v: %s\n", words.Count(failed, "setting"), s.Points[i].Setting, s.Points[i].Error)
	}
	s.Nested.write(b)
}

// ranked returns the points that were tried, the best first, and how many could not be.
func (s *SearchResult) ranked() (points []Point, failed int) {
	for _, p := range s.Points {
		if p.Score == nil || p.SE == nil {
			failed++
		} else {
			points = append(points, p)
		}
	}
	slices.SortStableFunc(points, func(x, y Point) int {
		if metrics[s.Metric].less {
			return cmp.Compare(*x.Score, *y.Score)
		}
		return cmp.Compare(*y.Score, *x.Score)
	})
	return points, failed
}

// write says what the outer splits chose.
func (n *Nested) write(b *strings.Builder) {
	if n == nil || len(n.Folds) == 0 {
		return
	}
	counts := map[string]int{}
	for _, f := range n.Folds {
		counts[f.String()]++
	}
	names := slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), cmp.Compare(x, y))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s in %d", name, counts[name])
	}
	fmt.Fprintf(b, "  the figures above are of the search and the fit together: searches within %s chose %s\n",
		words.Count(len(n.Folds), "training part"), strings.Join(names[:min(len(names), 3)], "; "))
}

// columnsText is a mean number of columns.
func columnsText(n float64) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%.4g columns", n)
}

// String lists the values in the order of their keys, such as fspca.features 20, knn.k 5.
func (s Setting) String() string {
	parts := make([]string, 0, len(s))
	for _, key := range slices.Sorted(maps.Keys(s)) {
		text, err := json.Marshal(s[key])
		if err != nil {
			text = fmt.Append(nil, s[key])
		}
		parts = append(parts, key+" "+strings.Trim(string(text), `"`))
	}
	return strings.Join(parts, ", ")
}
