package pipeline

import (
	"encoding/json"
	"time"

	"github.com/fspca/fspca/internal/saved"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// selection is the fspca step. A new option is a field here, in selector.Options
// and what uses it.
var selection = TransformerKind("fspca", "Chooses columns and components by feature sparse PCA.", newFSPCA, "selector", "spca", "feature_selection")

// FSPCAStep chooses columns and components; see selector.Options.
type FSPCAStep struct {
	Features       FeatureCount   `json:"features,omitzero" aka:"k|n_features" doc:"Number of columns to choose (k), or {target: 0.9}: the smallest number found that keeps this share of the variance that dense PCA explains. Needed unless there is a cost; then the most that are chosen."`
	Components     ComponentCount `json:"components" rule:"required" aka:"m|n_components|dimensions" doc:"Number of components, shared by the chosen columns (m, at most k), or {target: 0.8}: as many as dense PCA takes to explain this share of the total variance, or {parallel_analysis: true}: chosen by parallel analysis (those that explain more than the 95th percentile of shuffled data)."`
	Output         string         `json:"output,omitempty" rule:"one=selected|projection|both" default:"selected" doc:"What the next step sees: the chosen columns, their projection (pc1, pc2, …), or both."`
	Criterion      string         `json:"criterion,omitempty" rule:"one=variance|reconstruction" default:"variance" aka:"objective" doc:"What the choice maximizes: variance, the variance of the components; or reconstruction, how well the chosen columns predict all other columns. Reconstruction has its own algorithm and reads effort, include, exclude, restarts and seed."`
	MaxCorrelation float64        `json:"max_correlation,omitempty" rule:"above=0,below=1" aka:"max_corr|rho" doc:"Largest |r| that two chosen columns may have, below 1."`
	Unmeasured     []string       `json:"unmeasured,omitempty" rule:"written,unique" doc:"Columns, or patterns of columns, that may not be chosen but still count as columns to predict, unlike those of exclude."`
	Groups         GroupLimits    `json:"groups,omitzero" doc:"The largest number of columns chosen among those that match a name or pattern, such as {'temp_*': 2}."`
	Cost           CostLimit      `json:"cost,omitzero" doc:"A limit on the total cost of the chosen columns, in place of features: {file: costs.csv, budget: 100}."`
	Decoder        bool           `json:"decoder,omitempty" default:"false" doc:"Whether the saved model can reconstruct all columns of the step from the components."`
	Ridge          float64        `json:"ridge,omitempty" rule:"min=0" default:"0" doc:"Ridge penalty on the coefficients of the decoder; 0.1 to 1 helps when there are few rows."`
	Reconstruction *bool          `json:"reconstruction,omitempty" default:"true" doc:"Whether the saved model holds how well the chosen columns predict each other column, for fspca inspect."`
	Method         string         `json:"method,omitempty" rule:"one=ipu|go|soap|srt|cssp|tpower|convex_relaxation|brute_force" default:"ipu" aka:"algorithm|solver" doc:"ipu improves a start step by step; go chooses once, on the low-rank approximation; the others are methods for comparison."`
	Effort         string         `json:"effort,omitempty" rule:"one=ipu|quick|thorough|exact" default:"quick" doc:"How hard ipu searches: ipu is the paper's ascent from one start; quick adds what costs little beside it, a few more starts and a round of exchanges; thorough tries every threshold of the spectrum and exchanges columns; exact searches until the best choice is proved."`
	Bound          string         `json:"bound,omitempty" rule:"one=quick|tight|none" default:"quick" doc:"How much is done for the upper bound of the best choice: quick uses what the fit finds, tight more eigenpairs and a dual bound, none claims nothing."`
	SDPIterations  int            `json:"sdp_iterations,omitempty" rule:"min=1" aka:"sdp|certificate" doc:"Iterations of a semidefinite relaxation that tighten the bound on the best choice; 400 come close to what it can prove. For ipu and go."`
	Include        []string       `json:"include,omitempty" rule:"written,unique" aka:"keep|must_keep|force" doc:"Columns that must be chosen; they count towards features. For ipu and go."`
	Exclude        []string       `json:"exclude,omitempty" rule:"written,unique" aka:"never_keep|forbid" doc:"Columns that may not be chosen. For ipu and go."`
	Deadline       string         `json:"deadline,omitempty" rule:"duration" aka:"timeout|time_limit" doc:"Time that the step may take, such as 30s or 1h30m; the best choice so far is then taken."`
	MemoryLimit    int            `json:"memory_limit,omitempty" rule:"min=1,max=1000000000" aka:"memory|max_memory" doc:"Memory in MiB for the open subproblems of effort: exact; 1024 by default."`
	Weight         string         `json:"weight,omitempty" aka:"weights|sample_weight" doc:"Column with the weight of each row: weight 2 counts the row twice. It is not a feature. Earlier steps must not change it."`
	Bootstrap      int            `json:"bootstrap,omitempty" rule:"min=1" aka:"resamples|stability" doc:"Number of bootstrap samples of the rows, to see how often each column is chosen; the counts are saved with the model."`
	Ledger         bool           `json:"ledger,omitempty" default:"false" doc:"Whether the saved model records why each column was chosen or not, for fspca inspect."`
	Init           string         `json:"init,omitempty" rule:"one=go|random|convex_relaxation" default:"go" aka:"start" doc:"Where ipu, soap and srt start."`
	Restarts       int            `json:"restarts,omitempty" rule:"min=0" aka:"n_init|starts" doc:"Number of random starts of ipu, soap and srt; 20 with init: random, none otherwise."`
	Seed           uint64         `json:"seed,omitempty" default:"0" aka:"random_state" doc:"Seed of the random starts and of the draws of bootstrap."`
	MaxIterations  int            `json:"max_iterations,omitempty" rule:"min=1" aka:"max_iter|iterations" doc:"Steps at most, for each start; 100 with ipu, or the method's own number."`
	Epsilon        float64        `json:"epsilon,omitempty" rule:"min=0" default:"0" aka:"eps" doc:"Absolute number added to the diagonal of the covariance, as in the paper; only for reproducing its results."`
	Center         *bool          `json:"center,omitempty" default:"true" doc:"Whether the mean of each column is subtracted first."`
	Standardize    bool           `json:"standardize,omitempty" default:"false" aka:"scale|normalize" doc:"Whether the step divides each column by its standard deviation internally; the chosen columns come out unchanged."`
	Scope
}

// components is the pca step.
var components = TransformerKind("pca", "Replaces numeric columns by their principal components, pc1, pc2, …", func(s *PCAStep) transformer.Transformer {
	return &selector.PCA{Components: s.Components.Number, Target: s.Components.Target, ParallelAnalysis: s.Components.ParallelAnalysis, Whiten: s.Whiten}
}, "principal_components", "svd")

// PCAStep makes principal components; see selector.PCA.
type PCAStep struct {
	Components ComponentCount `json:"components" rule:"required" aka:"m|n_components|dimensions|k" doc:"Number of components, or {target: 0.9}: as many as explain this share of the total variance, or {parallel_analysis: true}: chosen by parallel analysis (those that explain more than the 95th percentile of shuffled data)."`
	Whiten     bool           `json:"whiten,omitempty" default:"false" doc:"Whether each component is divided by its standard deviation."`
	Scope
}

func newFSPCA(s *FSPCAStep) transformer.Transformer { return selector.New(s.Selection()) }

// Selection returns the options of the selector that the step describes.
func (s *FSPCAStep) Selection() selector.Options {
	deadline, _ := time.ParseDuration(s.Deadline) // checked with the config; absent means none
	return selector.Options{
		Features: s.Features.Number, FeaturesTarget: s.Features.Target, Components: s.Components.Number,
		ComponentsTarget: s.Components.Target, ParallelAnalysis: s.Components.ParallelAnalysis, Ledger: s.Ledger,
		Method: s.Method, Init: s.Init, Effort: s.Effort, Bound: s.Bound, SDPIterations: s.SDPIterations, Restarts: s.Restarts, Seed: s.Seed,
		Include: s.Include, Exclude: s.Exclude, Deadline: deadline, MemoryLimit: int64(s.MemoryLimit) << 20, Bootstrap: s.Bootstrap,
		MaxIterations: s.MaxIterations, Epsilon: s.Epsilon,
		Criterion: s.Criterion, MaxCorrelation: s.MaxCorrelation, Unmeasured: s.Unmeasured, Reconstruction: s.Reconstruction == nil || *s.Reconstruction,
		Weight: s.Weight, Cost: s.Cost.limit(), Groups: s.Groups.Most, Decoder: s.Decoder, Ridge: s.Ridge,
		Uncentered: s.Center != nil && !*s.Center, Standardize: s.Standardize,
		Output: selector.Output(s.Output),
	}
}

// FeatureCount is k, or how to find it; set one of the two fields. In a config
// it is a whole number or {target: 0.9}.
type FeatureCount struct {
	Number int     `json:"-"`
	Target float64 `json:"target,omitempty" rule:"above=0,max=1" doc:"Share of the variance that dense PCA with as many components explains; see selector.Options.FeaturesTarget."`
}

// ComponentCount is m, or how to find it; set one of the three fields. In a
// config it is a whole number, {target: 0.8} or {parallel_analysis: true}.
type ComponentCount struct {
	Number           int     `json:"-"`
	Target           float64 `json:"target,omitempty" rule:"above=0,max=1" doc:"Share of the total variance that dense PCA with as many components explains."`
	ParallelAnalysis bool    `json:"parallel_analysis,omitempty" aka:"parallel|horn" doc:"Choose the number by parallel analysis: components count that explain more than the 95th percentile of shuffled data."`
}

// MarshalJSON writes the count as a config holds it.
func (c FeatureCount) MarshalJSON() ([]byte, error) {
	if c.Target == 0 {
		return json.Marshal(c.Number)
	}
	type plain FeatureCount // without this method
	return json.Marshal(plain(c))
}

// MarshalJSON writes the count as a config holds it.
func (c ComponentCount) MarshalJSON() ([]byte, error) {
	if c.Target == 0 && !c.ParallelAnalysis {
		return json.Marshal(c.Number)
	}
	type plain ComponentCount // without this method
	return json.Marshal(plain(c))
}

// UnmarshalJSON reads what MarshalJSON wrote: a number, or an object.
func (c *FeatureCount) UnmarshalJSON(b []byte) error {
	type plain FeatureCount // without this method
	return unmarshalCount(b, func(n int) { *c = FeatureCount{Number: n} }, (*plain)(c))
}

// UnmarshalJSON reads what MarshalJSON wrote: a number, or an object.
func (c *ComponentCount) UnmarshalJSON(b []byte) error {
	type plain ComponentCount // without this method
	return unmarshalCount(b, func(n int) { *c = ComponentCount{Number: n} }, (*plain)(c))
}

func unmarshalCount(b []byte, set func(int), into any) error {
	if n := 0; json.Unmarshal(b, &n) == nil {
		set(n)
		return nil
	}
	return saved.Strict(b, into)
}

// CostLimit is a budget for the chosen columns; see selector.Cost.
type CostLimit struct {
	File   string  `json:"file" rule:"required" aka:"costs|path" doc:"Table with the name of each column and its cost, relative to the config."`
	Column string  `json:"column,omitempty" doc:"Column of the file with the costs, where several hold numbers."`
	Budget float64 `json:"budget" rule:"required,above=0" aka:"max|limit" doc:"The largest total cost of the chosen columns."`
}

// limit returns the budget as the selector takes it, nil for none.
func (c CostLimit) limit() *selector.Cost {
	if c == (CostLimit{}) {
		return nil
	}
	return &selector.Cost{File: c.File, Column: c.Column, Budget: c.Budget}
}

// GroupLimits limits how many columns are chosen among those that match a name
// or pattern. In a config it is a mapping from patterns to whole numbers.
type GroupLimits struct {
	Most map[string]int `json:"-"`
}

// IsZero reports whether there is no limit.
func (g GroupLimits) IsZero() bool { return len(g.Most) == 0 }

// MarshalJSON writes the limits as a config holds them.
func (g GroupLimits) MarshalJSON() ([]byte, error) { return json.Marshal(g.Most) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (g *GroupLimits) UnmarshalJSON(b []byte) error {
	var most map[string]int
	err := json.Unmarshal(b, &most)
	if err == nil {
		g.Most = most
	}
	return err
}
