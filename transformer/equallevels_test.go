package transformer

import (
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// TestEqualLevels: a level of new data that is the same number is the same level.
func TestEqualLevels(t *testing.T) {
	read := func(text string) *dataset.Frame {
		return must.Get(dataset.ReadCSV(strings.NewReader(text), "t.csv", dataset.ReadOptions{Categorical: []string{"a"}}))(t)
	}
	train, fresh := read("a,b\n1,1\n2,2\n05,3\n"), read("a,b\n2.0,1\n+1,2\n05,3\n")
	for name, step := range map[string]interface {
		Fit(base.FixedDataGrid) error
		Transform(base.FixedDataGrid) (base.FixedDataGrid, error)
	}{"onehot": new(OneHot), "ordinal": new(Ordinal)} {
		must.OK(t, step.Fit(train))
		want := must.Get(step.Transform(train.Subset([]int{1, 0, 2})))(t)
		got, err := step.Transform(fresh)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		a, _ := dataset.FromGrid(want)
		b, _ := dataset.FromGrid(got)
		for _, column := range a.NumericNames() {
			x, _ := a.Pick([]string{column})
			y, _ := b.Pick([]string{column})
			for i := range 3 {
				if column != "b" && x.Numeric().At(i, 0) != y.Numeric().At(i, 0) {
					t.Errorf("%s: column %s, row %d: got %v, want %v", name, column, i+1, y.Numeric().At(i, 0), x.Numeric().At(i, 0))
				}
			}
		}
	}
}
