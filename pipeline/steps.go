package pipeline

import (
	"cmp"
	"slices"

	"github.com/fspca/fspca/internal/clone"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/transformer"
)

// steps are the preprocessing steps that a config may hold. A new one is an entry
// here, with its options, and its type in package transformer.
var steps = []Kind{
	TransformerKind("center", "Subtracts the mean of each numeric column.",
		func(*PlainStep) transformer.Transformer { return new(transformer.Center) }, "centre"),
	TransformerKind("standardize", "Subtracts the mean of each numeric column and divides by its standard deviation.",
		func(*PlainStep) transformer.Transformer { return new(transformer.Standardize) }, "standardise", "scale", "scaler", "zscore", "normalize"),
	TransformerKind("minmax", "Maps each numeric column to the range from 0 to 1.",
		func(*PlainStep) transformer.Transformer { return new(transformer.MinMax) }, "min_max", "range"),
	TransformerKind("robust", "Subtracts the median of each numeric column and divides by its interquartile range.",
		func(*PlainStep) transformer.Transformer { return new(transformer.Robust) }, "robust_scaler", "median", "iqr"),
	TransformerKind("log1p", "Maps each numeric cell x to log(1 + x).",
		func(*PlainStep) transformer.Transformer { return new(transformer.Log1p) }, "log", "logarithm"),
	TransformerKind("power", "Yeo-Johnson power transform: makes each numeric column as close to normal as it can, with mean 0 and variance 1.",
		func(s *PowerStep) transformer.Transformer { return &transformer.Power{Raw: s.Raw} }, "yeo_johnson", "yeojohnson", "box_cox", "power_transformer"),
	TransformerKind("quantile_bins", "Replaces each numeric cell by the number of its quantile bin.",
		func(s *QuantileBinsStep) transformer.Transformer { return &transformer.QuantileBins{Bins: s.Bins} }, "bins", "binning", "discretize", "kbins"),
	TransformerKind("impute", "Fills missing cells.",
		func(s *ImputeStep) transformer.Transformer { return s.build() }, "imputer", "fill", "fillna"),
	TransformerKind("missing_indicator", "Adds, for each column with missing cells, a column of 1 where a cell is missing.",
		func(s *MissingIndicatorStep) transformer.Transformer {
			return &transformer.MissingIndicator{All: s.Features == "all"}
		}, "indicator", "missing_flags"),
	TransformerKind("constant", "Drops columns that do not vary.",
		func(s *ConstantStep) transformer.Transformer { return &transformer.Constant{Tolerance: s.Tolerance} }, "drop_constant", "variance", "zv"),
	TransformerKind("variance_filter", "Drops numeric columns whose variance is not above a threshold.",
		func(s *VarianceFilterStep) transformer.Transformer {
			return &transformer.VarianceFilter{Threshold: s.Threshold}
		}, "variance_threshold", "low_variance"),
	TransformerKind("correlation_filter", "Drops numeric columns that are correlated with one before them.",
		func(s *CorrelationFilterStep) transformer.Transformer {
			return &transformer.CorrelationFilter{Threshold: s.Threshold}
		}, "drop_correlated", "correlation"),
	TransformerKind("select", "Keeps the named columns and drops the others.",
		func(s *ColumnsStep) transformer.Transformer {
			return &transformer.Select{Columns: slices.Clone(s.Columns)}
		}, "keep"),
	TransformerKind("drop", "Drops the named columns.",
		func(s *ColumnsStep) transformer.Transformer {
			return &transformer.Drop{Columns: slices.Clone(s.Columns)}
		}, "remove"),
	TransformerKind("onehot", "Turns each category of the categorical columns into a column of 0 and 1.", newOneHot, "one_hot", "one-hot", "dummies", "encode"),
	TransformerKind("ordinal", "Turns each category of the categorical columns into its number in order.",
		func(s *OrdinalStep) transformer.Transformer {
			return &transformer.Ordinal{IgnoreUnseen: s.Unseen == "ignore"}
		}, "ordinal_encoder", "label_encoder"),
	TransformerKind("dates", "Turns columns of dates into columns of their parts: year, month, day, weekday, …",
		func(s *DatesStep) transformer.Transformer { return s.build() }, "date", "datetime"),
}

// Scope is the option columns: the columns that a step works on. Every step but
// select and drop embeds it. See transformer.OnColumns.
type Scope struct {
	Columns []string `json:"columns,omitempty" rule:"written,unique" aka:"cols|only" doc:"Columns that the step works on, the others pass through: names, patterns such as time_*, numeric or categorical. Without it, all."`
}

func (s Scope) scope() []string { return s.Columns }

// scoped makes a step of the options; on some columns alone if they say so. What build cannot make comes
// out here, and not in each fit.
func scoped[O any](options *O, build func(*O) transformer.Transformer) transformer.Transformer {
	s, ok := any(options).(interface{ scope() []string })
	if !ok || s.scope() == nil {
		return build(options)
	}
	if files.Absent(build(clone.Options(options))) {
		return nil
	}
	return &transformer.OnColumns{Columns: slices.Clone(s.scope()), New: func() transformer.Transformer { return build(clone.Options(options)) }}
}

// PlainStep has no options of its own, and makes of each column one of the same name: center, standardize,
// minmax, robust and log1p.
type PlainStep struct{ Scope }

// PowerStep makes columns nearly normal; see transformer.Power.
type PowerStep struct {
	Raw bool `json:"raw,omitempty" default:"false" doc:"Whether the mean and the variance stay as they come out of the power."`
	Scope
}

// QuantileBinsStep numbers bins; see transformer.QuantileBins.
type QuantileBinsStep struct {
	Bins int `json:"bins,omitempty" rule:"min=2,max=65536" default:"5" aka:"n_bins|k" doc:"Number of bins of each column."`
	Scope
}

// MissingIndicatorStep marks missing cells; see transformer.MissingIndicator.
type MissingIndicatorStep struct {
	Features string `json:"features,omitempty" rule:"one=missing_only|all" default:"missing_only" doc:"Which columns get an indicator: those with a missing cell in training, or all."`
	Scope
}

// VarianceFilterStep drops columns of little variance; see transformer.VarianceFilter.
type VarianceFilterStep struct {
	Threshold float64 `json:"threshold,omitempty" rule:"min=0" default:"0" doc:"Variance, in the squared unit of the column, up to which a column is dropped; 0 drops those that do not vary."`
	Scope
}

// CorrelationFilterStep drops columns that repeat others; see
// transformer.CorrelationFilter.
type CorrelationFilterStep struct {
	Threshold float64 `json:"threshold,omitempty" rule:"above=0,below=1" default:"0.95" doc:"Absolute correlation above which the later of two columns is dropped."`
	Scope
}

// ColumnsStep names columns: select and drop.
type ColumnsStep struct {
	Columns []string `json:"columns" rule:"required,written,unique" aka:"cols|names|features" doc:"Names of columns, patterns such as time_*, numeric or categorical."`
}

// OrdinalStep numbers categories; see transformer.Ordinal.
type OrdinalStep struct {
	Unseen string `json:"unseen,omitempty" rule:"one=error|ignore" default:"error" aka:"unknown|handle_unknown" doc:"What a category does that was not there in training: an error, or ignore, where the number is missing."`
	Scope
}

// DatesStep takes dates apart; see transformer.Dates.
type DatesStep struct {
	Format string   `json:"format,omitempty" rule:"written" aka:"layout" doc:"How dates are written, in the signs of strftime such as %d.%m.%Y; without it ISO 8601, as 2026-11-28 or 2026-11-28T14:05:09Z."`
	Parts  []string `json:"parts,omitempty" rule:"written,unique" aka:"extract" doc:"Parts to make: year, month, day, weekday (0 is Monday), yearday, quarter, week, weekyear, hour, minute, second, unix. Without it year, month, day and weekday, and hour, minute and second where there are times of day."`
	Scope
}

func (s *DatesStep) build() *transformer.Dates {
	return &transformer.Dates{Format: s.Format, Parts: slices.Clone(s.Parts)}
}

// Check returns what is wrong beyond single keys; see transformer.Dates.Check.
func (s *DatesStep) Check() error { return s.build().Check() }

// ImputeStep fills missing cells; see transformer.Impute.
type ImputeStep struct {
	Strategy string   `json:"strategy,omitempty" rule:"one=mean|median|most_frequent|constant" default:"mean" aka:"method" doc:"What a missing cell becomes. mean and median fill numeric columns, most_frequent fills all, constant fills numeric columns with value and categorical ones with level."`
	Value    *float64 `json:"value,omitempty" aka:"fill|fill_value" doc:"The number that strategy: constant fills numeric columns with."`
	Level    string   `json:"level,omitempty" rule:"written" aka:"category" doc:"The category that strategy: constant fills categorical columns with."`
	Scope
}

func (s *ImputeStep) build() *transformer.Impute {
	t := &transformer.Impute{Strategy: s.Strategy, Level: s.Level}
	if s.Value != nil {
		t.Value = *s.Value
	}
	return t
}

// Check returns what is wrong beyond single keys; see transformer.Impute.Check.
func (s *ImputeStep) Check() error {
	t := s.build()
	if s.Strategy == transformer.Fixed && s.Value == nil && s.Level == "" {
		return param.Plain("Value", nil, "strategy: constant needs a value (for numeric columns) or a level (for categorical ones)")
	}
	if s.Value != nil {
		t.Value = cmp.Or(t.Value, 1) // a 0 that is written is a value, too
	}
	return t.Check()
}

// ConstantStep drops columns that do not vary; see transformer.Constant.
type ConstantStep struct {
	Tolerance float64 `json:"tolerance,omitempty" rule:"above=0,below=1" doc:"Spread, relative to the largest absolute value, up to which a column counts as constant; without it a few units of rounding."`
	Scope
}

// OneHotStep turns each category into a column of 0 and 1; see transformer.OneHot.
type OneHotStep struct {
	Unseen  string `json:"unseen,omitempty" rule:"one=error|ignore" default:"error" aka:"unknown|handle_unknown" doc:"What a category does that was not there in training: an error, or ignore, where all columns of its feature are 0."`
	Missing string `json:"missing,omitempty" rule:"one=error|ignore" default:"error" aka:"na" doc:"What a missing cell does: an error, or ignore, where all columns of its feature are 0."`
	Scope
}

func newOneHot(s *OneHotStep) transformer.Transformer {
	return &transformer.OneHot{IgnoreUnseen: s.Unseen == "ignore", IgnoreMissing: s.Missing == "ignore"}
}
