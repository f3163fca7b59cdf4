package report

import (
	"fmt"
	"strings"
	"testing"
)

// TestNumbers: a regression's page draws at most 1000 rows, and its table has the means of all of
// them in ten groups of about the same size.
func TestNumbers(t *testing.T) {
	n := &Numbers{}
	for i := range 2500 {
		y := float64(i % 50)
		n.True, n.Predicted = append(n.True, y), append(n.Predicted, y+1)
	}
	figures := n.figure("on rows held out")
	if len(figures) != 1 {
		t.Fatalf("%d figures, want 1", len(figures))
	}
	f := figures[0]
	if points := strings.Count(string(f.Wide), `<title>rows: `); points < 800 || points > 1000 {
		t.Errorf("%d points are drawn of 2500 rows", points)
	}
	if want := "Predicted and true numbers on rows held out: 834 of 2500 rows"; f.Title != want {
		t.Errorf("the title is %q, want %q", f.Title, want)
	}
	if len(f.Numbers.Rows) != 10 {
		t.Fatalf("%d groups, want 10", len(f.Numbers.Rows))
	}
	for g, row := range f.Numbers.Rows {
		if want := fmt.Sprint([]string{fmt.Sprint(5 * g), fmt.Sprint(5*g + 4), "250", fmt.Sprint(5*g + 2), fmt.Sprint(5*g + 3), "1"}); fmt.Sprint(row) != want {
			t.Errorf("group %d is %v, want %s", g, row, want)
		}
	}
	for _, few := range []*Numbers{nil, {}} {
		if got := few.figure("x"); got != nil {
			t.Errorf("%v is drawn", few)
		}
	}
	if got := (&Numbers{True: []float64{3}, Predicted: []float64{3}}).figure("x"); len(got) != 1 || len(got[0].Numbers.Rows) != 1 {
		t.Error("one row is not drawn")
	}
}
