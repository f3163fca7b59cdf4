package pipeline

// PlainStep has no options: center, standardize and minmax.
type PlainStep struct{}

// ImputeStep fills missing cells; see transformer.Impute.
type ImputeStep struct {
	Strategy string   `json:"strategy,omitempty" rule:"one=mean|median|most_frequent|constant" default:"mean" aka:"method" doc:"What a missing cell becomes. mean and median fill numeric columns, most_frequent fills all, constant fills numeric columns with value and categorical ones with level."`
	Value    *float64 `json:"value,omitempty" aka:"fill|fill_value" doc:"The number that strategy: constant fills numeric columns with."`
	Level    string   `json:"level,omitempty" rule:"written" aka:"category" doc:"The category that strategy: constant fills categorical columns with."`
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

// FSPCAStep chooses columns and components; see selector.Options.
type FSPCAStep struct {
	Features      FeatureCount   `json:"features" rule:"required" aka:"k|n_features|columns" doc:"Number of columns to choose (k), or {target: 0.9}: the smallest number found that keeps this share of the variance that dense PCA explains."`
	Components    ComponentCount `json:"components" rule:"required" aka:"m|n_components|dimensions" doc:"Number of components, shared by the chosen columns (m, at most k), or {target: 0.8}: as many as dense PCA takes to explain this share of the total variance, or {parallel_analysis: true}: as many as explain more than those of permuted columns."`
	Output        string         `json:"output,omitempty" rule:"one=selected|projection|both" default:"selected" doc:"What the next step sees: the chosen columns, their projection (pc1, pc2, …), or both."`
	Method        string         `json:"method,omitempty" rule:"one=ipu|go|soap|srt|cssp|tpower|convex_relaxation|brute_force" default:"ipu" aka:"algorithm|solver" doc:"ipu improves step by step on its start, go chooses once on the low-rank approximation; the others are the methods that these two are compared with."`
	Effort        string         `json:"effort,omitempty" rule:"one=ipu|thorough|exact" default:"ipu" doc:"How much ipu does to find a good choice: ipu is the paper's climb from one start; thorough tries every threshold of the spectrum and exchanges columns; exact searches until the best choice is proved."`
	SDPIterations int            `json:"sdp_iterations,omitempty" rule:"min=1" aka:"sdp|certificate" doc:"Iterations of a semidefinite relaxation that tighten the bound on the best choice; 400 come close to what it can prove. For ipu and go."`
	Include       []string       `json:"include,omitempty" rule:"written,unique" aka:"keep|must_keep|force" doc:"Columns that must be chosen; they count towards features. For ipu and go."`
	Exclude       []string       `json:"exclude,omitempty" rule:"written,unique" aka:"never_keep|forbid" doc:"Columns that may not be chosen. For ipu and go."`
	Deadline      string         `json:"deadline,omitempty" rule:"duration" aka:"timeout|time_limit" doc:"Time that the step may take, such as 30s or 1h30m; the best choice so far is then taken."`
	MemoryLimit   int            `json:"memory_limit,omitempty" rule:"min=1" aka:"memory|max_memory" doc:"MiB that effort: exact may take for the choices that it has yet to rule out; 1024 without it."`
	Bootstrap     int            `json:"bootstrap,omitempty" rule:"min=1" aka:"resamples|stability" doc:"How many times the rows are drawn anew, to see how often each column is chosen; the counts come with the saved model."`
	Ledger        bool           `json:"ledger,omitempty" default:"false" doc:"Whether the saved model keeps why each column was chosen or not, for fspca inspect."`
	Init          string         `json:"init,omitempty" rule:"one=go|random|convex_relaxation" default:"go" aka:"start" doc:"Where ipu, soap and srt start."`
	Restarts      int            `json:"restarts,omitempty" rule:"min=0" aka:"n_init|starts" doc:"Number of random starts of ipu, soap and srt; 20 with init: random, none otherwise."`
	Seed          uint64         `json:"seed,omitempty" default:"0" aka:"random_state" doc:"Seed of the random starts and of the draws of bootstrap."`
	MaxIterations int            `json:"max_iterations,omitempty" rule:"min=1" aka:"max_iter|iterations" doc:"Steps at most, for each start; 100 with ipu, or the method's own number."`
	Epsilon       float64        `json:"epsilon,omitempty" rule:"min=0" default:"0" aka:"eps" doc:"Absolute number added to the covariance's diagonal, as the paper does; only to make its results again."`
	Center        *bool          `json:"center,omitempty" default:"true" doc:"Whether the columns' means are taken off first."`
	Standardize   bool           `json:"standardize,omitempty" default:"false" aka:"scale|normalize" doc:"Whether each column is divided by its standard deviation inside the step; the chosen columns come out as they were."`
}

// LogisticStep is the softmax regression with L2 penalty; see Logistic.
type LogisticStep struct {
	L2            float64 `json:"l2,omitempty" rule:"above=0" default:"1" aka:"c|inverse_l2|alpha|lambda|penalty" doc:"Weight of the penalty ½·l2·‖W‖² beside the summed loss; larger is smoother; 1/C of scikit-learn."`
	MaxIterations int     `json:"max_iterations,omitempty" rule:"min=1" default:"1000" aka:"max_iter|iterations" doc:"Steps of the optimiser at most."`
	Tolerance     float64 `json:"tolerance,omitempty" rule:"above=0" default:"1e-5" aka:"tol" doc:"Largest entry of the gradient of the mean loss, per column scaled to unit size, at which it stops."`
}

// KNNStep votes among the nearest training rows; see KNN.
type KNNStep struct {
	K int `json:"k,omitempty" rule:"min=1" default:"5" aka:"neighbors|neighbours|n_neighbors" doc:"Number of neighbours that vote."`
}

// DecisionTreeStep is golearn's ID3; see DecisionTree.
type DecisionTreeStep struct {
	MaxDepth int `json:"max_depth,omitempty" rule:"min=1" aka:"depth" doc:"Depth at most; without it there is no limit."`
}
