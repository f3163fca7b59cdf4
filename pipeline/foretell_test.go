package pipeline_test

import (
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/transformer"
)

// foreteller is a step of a user's own that foretells what its options say.
type foreteller struct {
	transformer.Center
	says func(columns []string) []string
}

func (f *foreteller) Foretell(columns []string) []string { return f.says(columns) }

type foretellerOptions struct {
	Way string `json:"way,omitempty" doc:"What it says."`
	pipeline.Scope
}

// A check looks behind a registered step that foretells its columns, and behind no other.
func TestCheckLooksBehindForetellers(t *testing.T) {
	says := map[string]func(columns []string) []string{
		"":       func(columns []string) []string { return append([]string{"made"}, columns...) },
		"nil":    func([]string) []string { return nil },
		"panics": func([]string) []string { panic("not today") },
	}
	must.OK(t, pipeline.Register(pipeline.TransformerKind("foretelling", "Foretells.",
		func(o *foretellerOptions) transformer.Transformer { return &foreteller{says: says[o.Way]} })))
	must.OK(t, pipeline.Register(pipeline.TransformerKind("silent", "Foretells nothing.",
		func(*struct{}) transformer.Transformer { return new(transformer.Center) })))
	wine := must.Get(dataset.Builtin("wine"))(t)
	for _, c := range []struct{ steps, want string }{
		{"[foretelling, drop: {columns: [made, ash]}]", ""},
		{"[foretelling, drop: {columns: [maid]}]", `step 2 (drop): columns: no column "maid"`},
		{"[foretelling: {columns: [ash]}, drop: {columns: [made, hue, ash, dust]}]", `no column "dust"`},
		{"[foretelling: {columns: [numeric]}, drop: {columns: [categorical]}, drop: {columns: [ash]}]", ""}, // it may be categorical
		{"[foretelling, onehot, drop: {columns: [maid]}]", ""},                                              // levels are not known
		{"[foretelling, ordinal, drop: {columns: [maid]}]", `no column "maid"`},
		{"[foretelling, dates, drop: {columns: [made_day, maid]}]", `no column "maid"`},
		{"[foretelling: {way: nil}, drop: {columns: [maid]}]", ""},
		{"[foretelling: {way: panics}, drop: {columns: [maid]}]", ""},
		{"[silent, drop: {columns: [maid]}]", ""},
		{"[foretelling, drop: {columns: [maid]}, knn], split: {folds: 2}, search: {grid: {foretelling.way: ['nil']}}", ""},
	} {
		err := must.Get(config.Parse("c.yaml", []byte("{version: 1, data: {source: builtin:wine}, steps: "+c.steps+"}")))(t).CheckColumns(wine)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s\ngot  %v\nwant %s", c.steps, err, c.want)
		}
	}
}
