package selector_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// TestBudget: the choice stays within the budget, costs of 1 and a budget of k choose k columns, a file
// says what a list says, and what is wrong with either is told.
func TestBudget(t *testing.T) {
	f := must.Get(dataset.New(nil, sample(8, 60, 8)))(t)
	each, ones := map[string]float64{}, map[string]float64{}
	path := filepath.Join(t.TempDir(), "costs.csv")
	text := "column,cost\n"
	for j, name := range f.Names() {
		each[name], ones[name] = float64(1+j%3), 1
		text += fmt.Sprintf("%s,%d\n", name, 1+j%3)
	}
	must.OK(t, os.WriteFile(path, []byte(text), 0o666))
	for _, criterion := range []string{"variance", "reconstruction"} {
		o := selector.Options{Components: 2, Criterion: criterion, Effort: "exact", Cost: &selector.Cost{Each: ones, Budget: 4}}
		m := fittedOn(t, o, f, false)
		plain := fittedOn(t, selector.Options{Features: 4, Components: 2, Criterion: criterion, Effort: "exact"}, f, false)
		if m.Objective() < plain.Objective()*(1-1e-10) || len(m.Features()) != 4 {
			t.Errorf("%s: 4 columns of cost 1: %v of %v", criterion, m.Objective(), plain.Objective())
		}
		o.Cost = &selector.Cost{Each: each, Budget: 7}
		m = fittedOn(t, o, f, false)
		sum := 0.0
		for _, name := range m.Features() {
			sum += each[name]
		}
		if spent, budget := m.Spent(); spent != sum || budget != 7 || spent > 7 {
			t.Errorf("%s: spent %v of %v, the columns cost %v", criterion, spent, budget, sum)
		}
		o.Cost = &selector.Cost{File: path, Budget: 7}
		o.Bootstrap = 3
		read := fittedOn(t, o, f, false)
		if !slices.Equal(read.Features(), m.Features()) {
			t.Errorf("%s: %q by a list and %q by a file", criterion, m.Features(), read.Features())
		}
		var b bytes.Buffer
		must.Get(read.WriteTo(&b))(t)
		again := must.Get(selector.ReadModel(&b))(t)
		if spent, _ := again.Spent(); spent != sum {
			t.Errorf("%s: saved and read, %v is spent", criterion, spent)
		}
	}
	delete(ones, "x3")
	ones["x2"] = -1
	for want, cost := range map[string]*selector.Cost{
		`the column "x3"`:      {Each: ones, Budget: 4},
		`"x2" has the cost -1`: {Each: ones, Budget: 4},
		"budget is 0":          {Each: each},
		"a file or a list":     {Budget: 4},
		"nofile":               {File: "nofile.csv", Budget: 4},
	} {
		err := selector.New(selector.Options{Components: 2, Cost: cost}).Fit(f)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: the error is %v, want %q", cost, err, want)
		}
	}
}

// TestTooLittle: a budget or groups that permit fewer columns than components are an error that says so,
// by both criteria.
func TestTooLittle(t *testing.T) {
	f := must.Get(dataset.New([]string{"a", "b", "c"}, sample(8, 20, 3)))(t)
	each := map[string]float64{"a": 2, "b": 2, "c": 2}
	for _, criterion := range []string{"variance", "reconstruction"} {
		for want, o := range map[string]selector.Options{
			"the budget of 1 pays for at most 0 columns":       {Components: 1, Cost: &selector.Cost{Each: each, Budget: 1}},
			"the budget of 3 pays for at most 1 columns":       {Components: 2, Cost: &selector.Cost{Each: each, Budget: 3}},
			"m = 4 is more than features k = 3":                {Components: 4, Cost: &selector.Cost{Each: each, Budget: 9}},
			"the limits were found to permit no column":        {Components: 1, Features: 2, Groups: map[string]int{"*": 0}},
			`permit together only the columns "a", fewer than`: {Components: 2, Features: 3, Groups: map[string]int{"*": 1}, Include: []string{"a"}},
		} {
			o.Criterion = criterion
			if err := selector.New(o).Fit(f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %v, want %q", criterion, err, want)
			}
		}
	}
}

// TestCostFiles: a header may be there or not, and names of columns may be numbers.
func TestCostFiles(t *testing.T) {
	for text, want := range map[string]string{
		"name,cost\na,2\nb,0.5\n":           "a b",
		"a,2\nb,0.5\n":                      "a b",
		"year,cost\n1990,2\n1991,0.5\n":     "1990 1991",
		"1990,2\n1991,0.5\n":                "1990 1991",
		"name,2024,2025\na,2,7\nb,0.5,8\n":  "a b 2024",
		"name,unit,cost\na,m,2\nb,kg,0.5\n": "a b",
		"number,cost\n1,2\n2,0.5\n":         "1 2",
		"number,new,cost\n1,9,2\n2,9,0.5\n": "1 2 cost",
	} {
		path := filepath.Join(t.TempDir(), "costs.csv")
		must.OK(t, os.WriteFile(path, []byte(text), 0o666))
		words := strings.Fields(want)
		o := selector.Options{Cost: &selector.Cost{File: path, Budget: 1}}
		if len(words) > 2 {
			o.Cost.Column = words[2]
		}
		if costs, err := o.Costs(words[:2]); err != nil || !slices.Equal(costs, []float64{2, 0.5}) {
			t.Errorf("%q: %v (%v)", text, costs, err)
		}
	}
}
