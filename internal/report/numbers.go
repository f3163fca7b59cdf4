package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
)

// Numbers are the predicted numbers of a regression beside the true ones, row by row. Both lists have
// the same length.
type Numbers struct {
	True, Predicted []float64
}

// mostGroups is the number of groups of rows in the table beneath the drawing.
const mostGroups = 10

// figure draws a point for each row, at most 1000, and the line on which predictions are exact. On
// says which rows they are.
func (n *Numbers) figure(on string) []figure {
	if n == nil || len(n.True) == 0 {
		return nil
	}
	rows := Sample(len(n.True))
	points := chart.Series{Name: "rows", Style: "first", Loose: true}
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range rows {
		points.X, points.Y = append(points.X, n.True[i]), append(points.Y, n.Predicted[i])
		low, high = min(low, n.True[i]), max(high, n.True[i])
	}
	exact := chart.Series{Name: "exact", Style: "soft", Dashed: true, X: []float64{low, high}, Y: []float64{low, high}}
	lines := chart.Lines{Caption: "Predicted and true numbers", XLabel: "true", YLabel: "predicted", Series: []chart.Series{points, exact}}
	title := "Predicted and true numbers " + on
	if len(rows) < len(n.True) {
		title += fmt.Sprintf(": %d of %s", len(rows), words.Count(len(n.True), "row"))
	}
	return []figure{newFigure("predicted", title,
		"A point for each row. On the dashed line the prediction is exact; a point above it is predicted too high.",
		lines.At, n.table())}
}

// table groups all rows by their true numbers, into groups of about the same size.
func (n *Numbers) table() table {
	t := table{Caption: "Rows in groups by their true number", Head: []string{"true, from", "to", "rows", "mean true", "mean predicted", "mean distance"}}
	order := lists.Upto[int](len(n.True))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(n.True[i], n.True[j]) })
	groups := min(mostGroups, len(order))
	for g := range groups {
		part := order[g*len(order)/groups : (g+1)*len(order)/groups]
		var truth, predicted, distance float64
		for _, i := range part {
			truth, predicted, distance = truth+n.True[i], predicted+n.Predicted[i], distance+math.Abs(n.True[i]-n.Predicted[i])
		}
		size := float64(len(part))
		t.Rows = append(t.Rows, []string{num(n.True[part[0]]), num(n.True[part[len(part)-1]]), strconv.Itoa(len(part)),
			num(truth / size), num(predicted / size), num(distance / size)})
	}
	return t
}
