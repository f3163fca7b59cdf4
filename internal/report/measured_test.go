package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestErrorsBehind: standard errors and deviations follow their figures, whatever the order of the keys.
func TestErrorsBehind(t *testing.T) {
	got := errorsBehind([]string{"columns", "mae_se", "r2", "rmse_se", "mae", "lonely_se", "accuracy_sd", "rmse", "accuracy", "accuracy_se"})
	want := []string{"columns", "r2", "mae", "mae_se", "lonely_se", "rmse", "rmse_se", "accuracy", "accuracy_se", "accuracy_sd"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestManyClasses: more classes than are drawn have their most frequent mistakes as a table, and one line
// of the facts.
func TestManyClasses(t *testing.T) {
	labels, counts, classes := make([]string, mostClasses+1), make([][]float64, mostClasses+1), make([]classRows, mostClasses+1)
	for i := range labels {
		labels[i], counts[i] = fmt.Sprintf("c%d", i), make([]float64, len(labels))
		counts[i][i], counts[i][(i+1)%len(labels)] = 9, float64(i%3)
		classes[i] = classRows{labels[i], 9 + i%3}
	}
	counts[3][7] = 8
	c := &confusion{Labels: labels, Counts: counts}
	if c.figure() != nil {
		t.Error("it is drawn")
	}
	tables := c.table()
	if len(tables) != 1 || len(tables[0].Rows) != mostMistakes || !slices.Equal(tables[0].Rows[0], []string{"c3", "c7", "8"}) || !slices.Equal(tables[0].Rows[1], []string{"c2", "c3", "2"}) {
		t.Errorf("the mistakes are %v", tables)
	}
	c.Labels = labels[:3]
	if c.table() != nil {
		t.Error("few classes have a table beside their drawing")
	}
	r := &run{}
	r.Data.Classes = classes
	var facts []string
	add := func(what, value string) { facts = append(facts, what+": "+value) }
	r.addClasses(add)
	r.Data.Classes = classes[:2]
	r.addClasses(add)
	if got, want := strings.Join(facts, "; "), "classes: 41, of 9 to 11 rows; class c0: 9 rows; class c1: 10 rows"; got != want {
		t.Errorf("the facts are %q, want %q", got, want)
	}
}

// TestTextsBeginAtTheLeft: names of columns and classes do, even if these are numbers.
func TestTextsBeginAtTheLeft(t *testing.T) {
	var b strings.Builder
	err := pageTemplate.ExecuteTemplate(&b, "table", table{Caption: "c", Head: []string{"true", "predicted", "rows"}, Texts: []string{"predicted"}, Rows: [][]string{{"1", "2", "3"}}})
	if want := `<th scope="row">1</th><td class="text">2</td><td>3</td>`; err != nil || !strings.Contains(b.String(), want) {
		t.Errorf("%v, %s lacks %s", err, &b, want)
	}
}
