package pipeline

import (
	"github.com/fspca/fspca/transformer"
)

// steps are the preprocessing steps that a config may hold. A new one is an entry
// here, with its options, and its type in package transformer.
var steps = []Kind{
	TransformerKind("center", "Takes each numeric column's mean off.",
		func(*PlainStep) transformer.Transformer { return new(transformer.Center) }, "centre"),
	TransformerKind("standardize", "Takes each numeric column's mean off and divides by its standard deviation.",
		func(*PlainStep) transformer.Transformer { return new(transformer.Standardize) }, "standardise", "scale", "scaler", "zscore", "normalize"),
	TransformerKind("minmax", "Maps each numeric column to the range from 0 to 1.",
		func(*PlainStep) transformer.Transformer { return new(transformer.MinMax) }, "min_max", "range"),
	TransformerKind("impute", "Fills missing cells.", newImpute, "imputer", "fill", "fillna"),
	TransformerKind("constant", "Drops columns that do not vary.",
		func(s *ConstantStep) transformer.Transformer { return &transformer.Constant{Tolerance: s.Tolerance} }, "drop_constant", "variance", "zv"),
	TransformerKind("onehot", "Turns each category of the categorical columns into a column of 0 and 1.", newOneHot, "one_hot", "one-hot", "dummies", "encode"),
}

// PlainStep has no options: center, standardize and minmax.
type PlainStep struct{}

// ImputeStep fills missing cells; see transformer.Impute.
type ImputeStep struct {
	Strategy string   `json:"strategy,omitempty" rule:"one=mean|median|most_frequent|constant" default:"mean" aka:"method" doc:"What a missing cell becomes. mean and median fill numeric columns, most_frequent fills all, constant fills numeric columns with value and categorical ones with level."`
	Value    *float64 `json:"value,omitempty" aka:"fill|fill_value" doc:"The number that strategy: constant fills numeric columns with."`
	Level    string   `json:"level,omitempty" rule:"written" aka:"category" doc:"The category that strategy: constant fills categorical columns with."`
}

func newImpute(s *ImputeStep) transformer.Transformer {
	t := &transformer.Impute{Strategy: s.Strategy, Level: s.Level}
	if s.Value != nil {
		t.Value = *s.Value
	}
	return t
}

// ConstantStep drops columns that do not vary; see transformer.Constant.
type ConstantStep struct {
	Tolerance float64 `json:"tolerance,omitempty" rule:"above=0,below=1" doc:"Spread, relative to the largest absolute value, up to which a column counts as constant; without it a few units of rounding."`
}

// OneHotStep turns each category into a column of 0 and 1; see transformer.OneHot.
type OneHotStep struct {
	Unseen  string `json:"unseen,omitempty" rule:"one=error|ignore" default:"error" aka:"unknown|handle_unknown" doc:"What a category does that was not there in training: an error, or ignore, where all columns of its feature are 0."`
	Missing string `json:"missing,omitempty" rule:"one=error|ignore" default:"error" aka:"na" doc:"What a missing cell does: an error, or ignore, where all columns of its feature are 0."`
}

func newOneHot(s *OneHotStep) transformer.Transformer {
	return &transformer.OneHot{IgnoreUnseen: s.Unseen == "ignore", IgnoreMissing: s.Missing == "ignore"}
}
