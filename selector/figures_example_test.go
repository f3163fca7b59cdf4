package selector_test

import (
	"context"
	"fmt"
	"log"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/selector"
)

// wines is the embedded table and a model of it.
func wines(o selector.Options) (*selector.Model, *dataset.Frame) {
	f, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	o.Standardize = true
	s := selector.New(o)
	if err := s.Fit(f); err != nil {
		log.Fatal(err)
	}
	return s.Model(), f
}

// How much better another choice can be at most, and whether none is.
func ExampleBound() {
	for _, effort := range []string{"ipu", "exact"} {
		m, _ := wines(selector.Options{Features: 5, Components: 3, Effort: effort})
		var b selector.Bound = m.Bound()
		fmt.Println(effort, m.Features()[0], b.Proved, b)
	}
	// Output:
	// ipu ash false the best choice explains at most 2.2 % more
	// exact alcohol true no choice explains more: proved
}

// Why a column is in or out.
func ExampleLedgerEntry() {
	m, _ := wines(selector.Options{Features: 4, Components: 2, Ledger: true})
	var ledger []selector.LedgerEntry = m.Ledger()
	for _, e := range ledger[:5] {
		fmt.Println(e.Name, e.Chosen, "rank", e.Rank, "nearest", e.Nearest)
	}
	// Output:
	// alcohol false rank 8 nearest color_intensity
	// malic_acid false rank 10 nearest flavanoids
	// ash false rank 13 nearest color_intensity
	// alcalinity_of_ash false rank 11 nearest flavanoids
	// magnesium false rank 12 nearest total_phenols
}

// How often each column is chosen from other draws of the rows.
func ExampleStability() {
	m, _ := wines(selector.Options{Features: 4, Components: 2, Bootstrap: 20, Seed: 1})
	var s *selector.Stability = m.Stability()
	for _, c := range s.Columns[:4] {
		var f selector.Frequency = c
		fmt.Println(f.Name, f.Times, "of", s.Replicates)
	}
	// Output:
	// total_phenols 20 of 20
	// flavanoids 20 of 20
	// color_intensity 20 of 20
	// od280/od315_of_diluted_wines 20 of 20
}

// What the chosen columns tell of the others.
func ExampleReconstruction() {
	m, _ := wines(selector.Options{Features: 4, Components: 4, Criterion: selector.CriterionReconstruction, Reconstruction: true})
	var r *selector.Reconstruction = m.Reconstruction()
	fmt.Printf("R² of all columns %.3f, by random choices %.3f\n", *r.R2, *r.Random)
	var c selector.ColumnFigure = r.Columns[0]
	fmt.Printf("%s %.2f, nearest %s\n", c.Name, *c.R2, c.Nearest)
	// Output:
	// R² of all columns 0.646, by random choices 0.566
	// alcohol 0.47, nearest color_intensity
}

// How well other rows come back from the chosen columns. HeldOut needs no decoder.
func ExampleEvaluation() {
	m, f := wines(selector.Options{Features: 5, Components: 5, Criterion: selector.CriterionReconstruction, Decoder: true})
	var e *selector.Evaluation
	e, err := m.Evaluate(f.Subset([]int{0, 60, 150}))
	if err != nil {
		log.Fatal(err)
	}
	var c selector.ColumnEvaluation = e.Columns[0]
	fmt.Printf("%d rows, R² %.2f, %s %.2f\n", e.Rows, *e.R2, c.Name, *c.R2)
	var h *selector.HeldOut
	if h, err = m.HeldOut(context.Background(), f, f); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("on all rows %.2f\n", *h.R2)
	// Output:
	// 3 rows, R² 0.66, alcohol 0.84
	// on all rows 0.71
}

// How new rows stand to those of the fit.
func ExampleCheck() {
	m, f := wines(selector.Options{Features: 3, Components: 2})
	var check *selector.Check
	check, err := m.Check(f.Subset([]int{130, 140, 150, 160, 170}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d rows, drift %.2f\n", check.Rows, *check.Drift)
	for _, c := range check.Columns {
		var column selector.ColumnCheck = c
		fmt.Println(column.Name)
	}
	fmt.Println(len(check.Components), "components,", len(check.Cells), "rows")
	// Output:
	// 5 rows, drift 1.34
	// total_phenols
	// flavanoids
	// od280/od315_of_diluted_wines
	// 2 components, 5 rows
}

// A budget in place of k.
func ExampleCost() {
	cost := selector.Cost{Each: map[string]float64{}, Budget: 10}
	f, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	for i, name := range f.Names() {
		cost.Each[name] = float64(1 + i%4)
	}
	m, _ := wines(selector.Options{Components: 2, Cost: &cost})
	var spent *selector.SpentSummary = m.Summary().Cost
	fmt.Println(len(m.Features()), "columns for", spent.Spent, "of", spent.Budget)
	// Output:
	// 6 columns for 10 of 10
}

// What each more column buys.
func ExamplePoints() {
	f, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	s := selector.New(selector.Options{Components: 2, Standardize: true})
	models, err := s.Path(context.Background(), f, selector.Points{Features: []int{2, 4, 8}})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range models {
		fmt.Printf("%d columns keep %.1f %%\n", len(m.Features()), 100*m.NormalizedExplainedVariance())
	}
	// Output:
	// 2 columns keep 27.8 %
	// 4 columns keep 51.0 %
	// 8 columns keep 82.5 %
}

// How a model stands to an older one.
func ExampleAlignment() {
	old, f := wines(selector.Options{Features: 4, Components: 2})
	s := selector.New(selector.Options{Features: 5, Components: 2, Standardize: true, Align: old, WarmStart: old})
	if err := s.Fit(f); err != nil {
		log.Fatal(err)
	}
	var a *selector.Alignment = s.Model().Alignment()
	fmt.Println(a.Kept, "kept, added", a.Added)
	// Output:
	// 4 kept, added [alcohol]
}

// How many components explain more than those of shuffled tables.
func ExampleScree() {
	m, f := wines(selector.Options{Features: 4, Components: 2})
	var scree *selector.Scree
	scree, err := m.ParallelAnalysis(context.Background(), f, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d; the first %.2f, shuffled %.2f\n", scree.Components, scree.Variances[0], scree.Shuffled[0])
	// Output:
	// 3; the first 4.71, shuffled 1.58
}

// Dense PCA as a step.
func ExamplePCA() {
	f, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	step := &selector.PCA{Target: 0.95}
	if err := step.Fit(f); err != nil {
		log.Fatal(err)
	}
	fmt.Println(step.Outputs())
	// Output:
	// [pc1 pc2]
}

// Everything that a reader may want, as the command prints it.
func ExampleSummary() {
	m, f := wines(selector.Options{Features: 3, Components: 2})
	var s selector.Summary = m.Summary()
	fmt.Println(s.Features, s.Status, s.Rows, s.Columns)
	for _, output := range []selector.Output{selector.Selected, selector.Projection, selector.Both} {
		made, err := m.Transform(f, output)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(output, len(made.Names()))
	}
	// Output:
	// [total_phenols flavanoids od280/od315_of_diluted_wines] converged 178 13
	// selected 3
	// projection 2
	// both 5
}

// Rows that come table after table are measured as those of one.
func ExampleEvaluator() {
	m, f := wines(selector.Options{Features: 5, Components: 5, Criterion: selector.CriterionReconstruction, Decoder: true})
	var e *selector.Evaluator
	e, err := m.NewEvaluator()
	if err != nil {
		log.Fatal(err)
	}
	for _, rows := range [][]int{{0, 60}, {150}} {
		if err := e.Add(f.Subset(rows), nil); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("%d rows, R² %.2f\n", e.Evaluation().Rows, *e.Evaluation().R2)
	check, err := m.Check(f)
	if err != nil {
		log.Fatal(err)
	}
	var row selector.RowCheck = check.Cells[0]
	var component selector.ComponentCheck = check.Components[0]
	fmt.Println(row.Row, component.Name)
	// Output:
	// 3 rows, R² 0.66
	// 1 pc1
}

// Several k on the same rows: what does not depend on k is worked out once.
func ExampleShared() {
	f, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	var shared selector.Shared
	for _, k := range []int{3, 5} {
		s := selector.New(selector.Options{Features: k, Components: 2, Standardize: true})
		if err := s.FitShared(context.Background(), f, &shared); err != nil {
			log.Fatal(err)
		}
		alone := selector.New(s.Options)
		if err := alone.Fit(f); err != nil {
			log.Fatal(err)
		}
		fmt.Println(k, fmt.Sprint(s.Model().Features()) == fmt.Sprint(alone.Model().Features()))
	}
	// Output:
	// 3 true
	// 5 true
}
