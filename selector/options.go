package selector

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/saved"
	"github.com/fspca/fspca/solver"
)

// Output says which columns a fitted selector yields.
type Output string

// The outputs.
const (
	Selected   Output = "selected"   // the k chosen columns, cells unchanged; the default
	Projection Output = "projection" // the m components, named pc1…pcm
	Both       Output = "both"       // the chosen columns, then the components
)

// Options says what to fit and how. The zero value of every field but Features and Components is
// usable. The JSON tags are the names in model files and summaries.
type Options struct {
	// Features is k, the number of columns to choose, and Components m, the number of components on
	// them: 1 ≤ m ≤ k ≤ d.
	Features   int `json:"features"`
	Components int `json:"components"`

	// FeaturesTarget, if not 0, lets Fit find k: the smallest number of columns found that keeps this
	// share, at most 1, of the variance that dense PCA with m components explains. Features is then
	// not read; the model's options hold the k that was found. Methods "ipu" and "go" only.
	FeaturesTarget float64 `json:"features_target,omitempty"`

	// ComponentsTarget, if not 0, lets Fit find m: the smallest number of components with which dense
	// PCA explains this share, at most 1, of the total variance. ParallelAnalysis lets Fit choose m by
	// parallel analysis (Horn, 1965): it counts the components that explain more than the 95th
	// percentile of shuffled data. It calls solver.ParallelAnalysis with its defaults and Seed; m is
	// from 1 to 20. Set at most one of the two; Components is then not read.
	ComponentsTarget float64 `json:"components_target,omitempty"`
	ParallelAnalysis bool    `json:"parallel_analysis,omitempty"`

	// Criterion is what a choice maximizes: "variance", the variance of the m components (Feature Sparse
	// PCA; the default), or "reconstruction", how well m combinations of the chosen columns predict all
	// columns (package solver/reconstruction). Reconstruction has its own algorithm, efforts and bounds.
	// Its components have variance 1 and are not orthonormal.
	Criterion string `json:"criterion,omitempty"`

	// MaxCorrelation, if not 0, is the largest |r| that two chosen columns may have, above 0 and below 1. Groups
	// maps a name or pattern (* and ?) to the largest number of its columns that are chosen. Unmeasured lists
	// names or patterns of columns that may not be chosen; unlike those of Exclude they count among the columns
	// to be reconstructed. Cost, if not nil, limits the total cost of the chosen columns; Features is then the
	// largest number of them, or 0 for no limit. Only "ipu" takes MaxCorrelation, Groups and Cost.
	MaxCorrelation float64        `json:"max_correlation,omitempty"`
	Groups         map[string]int `json:"groups,omitempty"`
	Cost           *Cost          `json:"cost,omitempty"`
	Unmeasured     []string       `json:"unmeasured,omitempty"`

	// Method is "ipu" (the paper's Algorithm 2), "go" (Algorithm 1) or a method for comparison (see
	// baseline.Methods); "" is "ipu". Init is the start of a method that has one: "go", "random" or
	// "convex_relaxation" (baseline.Starts); "" is "go".
	Method string `json:"method"`
	Init   string `json:"init"`

	// Effort is how hard "ipu" searches, and what it guarantees: "ipu" (the paper's algorithms), "quick"
	// (the default), "thorough" or "exact"; see solver.Effort. It is an error with other methods.
	Effort string `json:"effort,omitempty"`

	// Bound is the effort for the upper bound: "quick" (the default), "tight" or "none" (no bound);
	// see solver.BoundEffort. Only "ipu" and "go" take it.
	Bound string `json:"bound,omitempty"`

	// SDPIterations, if not 0, is the number of iterations of a semidefinite relaxation that
	// tightens the bound (see solver.Params). Only "ipu" and "go" take it.
	SDPIterations int `json:"sdp_iterations,omitempty"`

	// Include names columns that must be chosen; they count towards k. Exclude names columns that may
	// not be. Only "ipu" and "go" take them.
	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`

	// Deadline, if not 0, is the time that Fit may take. When it passes, the best choice so far
	// becomes the model, with the status solver.Deadline.
	Deadline time.Duration `json:"-"`

	// MemoryLimit is the number of bytes that the effort "exact" may take for its open
	// subproblems; 0 means solver.DefaultMemoryLimit.
	MemoryLimit int64 `json:"-"`

	// Restarts is the number of random starts; the best is kept. 0 means 20 with Init "random"
	// and none otherwise. Seed is the seed of random starts, of Bootstrap and of
	// ParallelAnalysis.
	Restarts int    `json:"restarts"`
	Seed     uint64 `json:"seed"`

	// MaxIterations limits the steps from one start; 0 means 100 for "ipu", and the default of another method.
	MaxIterations int `json:"max_iterations"`

	// Epsilon is the paper's ε, added to the diagonal of A. It is absolute, in squared units of the
	// data: leave it 0 except to reproduce the paper.
	Epsilon float64 `json:"epsilon"`

	// Uncentered leaves the columns as they are: A = XᵀX/(n−1). Components are then taken around 0
	// and the model has no mean.
	Uncentered bool `json:"uncentered"`

	// Standardize divides each column by its standard deviation or, if Uncentered, by the root of its
	// second moment. A then has a unit diagonal: of centred columns it is the correlation matrix.
	// Transform returns the chosen columns undivided.
	Standardize bool `json:"standardize"`

	// Weight, if not "", names the column with the weight of each row; it is then not a feature. A row
	// of weight 2 counts as two equal rows, one of weight 0 not at all. See FSPCA.FitWeighted.
	Weight string `json:"weight,omitempty"`

	// WarmStart, if not nil, is an older model whose chosen columns are another start, as far as the table
	// has columns of these names. Align, if not nil, is an older model; the new components follow its
	// components in order and sign (Model.Alignment). Neither is saved.
	WarmStart *Model `json:"-"`
	Align     *Model `json:"-"`

	// Bootstrap is the number of times that the rows are drawn again, with replacement, to count how
	// often each column is chosen (Model.Stability); 0 for none. Draw b uses the generator
	// rand.NewPCG(Seed, b). Each draw is fitted like the model, but with the effort "thorough"
	// instead of "exact", on a copy of its rows. Draws run on all processors, as long as their copies
	// take at most 256 MiB together.
	Bootstrap int `json:"bootstrap,omitempty"`

	// Ledger stores in the model why each of the d columns was chosen or not (Model.Ledger). It costs
	// about one product of A with k columns, and some 50 bytes of the model file for each column.
	Ledger bool `json:"ledger,omitempty"`

	// Reconstruction computes all figures of Model.Reconstruction: how well the chosen columns
	// predict each other column, and what dense PCA and random choices reach. It costs up to about a
	// fit.
	Reconstruction bool `json:"reconstruction,omitempty"`

	// Decoder stores in the model what Model.ReconstructAll needs to rebuild all columns (except those of
	// Exclude) from the components. It takes about 8·(m+2) bytes for each column, and up to 2 MB for the
	// random choices of columns that Model.Evaluate compares with. Ridge, if not 0, shrinks the coefficients
	// of the chosen columns in it (solver/reconstruction.Decoder); with few rows 0.1 to 1 helps.
	Decoder bool    `json:"decoder,omitempty"`
	Ridge   float64 `json:"ridge,omitempty"`

	// Output is what FSPCA.Transform yields; "" is Selected.
	Output Output `json:"output"`

	// Progress, if not nil, is called after each step of the solver. It is not saved.
	Progress func(solver.Progress) `json:"-"`
}

// ParseOutput returns the Output of that name; "" is Selected.
func ParseOutput(name string) (Output, error) {
	switch o := Output(name); o {
	case "":
		return Selected, nil
	case Selected, Projection, Both:
		return o, nil
	}
	return "", param.OneOf("Output", "output", Output(name), Selected, Projection, Both)
}

// Resolved returns the options with defaults spelled out, as a model keeps them: without Progress and
// older models.
func (o Options) Resolved() Options {
	o.Output, o.Progress, o.WarmStart, o.Align = o.output(), nil, nil, nil
	o.Include, o.Exclude = slices.Clone(o.Include), slices.Clone(o.Exclude)
	o.Groups, o.Unmeasured = maps.Clone(o.Groups), slices.Clone(o.Unmeasured)
	if o.Cost != nil {
		cost := *o.Cost
		cost.Each = maps.Clone(cost.Each)
		o.Cost = &cost
	}
	if o.Criterion == CriterionVariance {
		o.Criterion = ""
	}
	o.Method = cmp.Or(o.Method, string(solver.MethodIPU))
	p := solver.Params{Start: solver.Start(o.Init), Restarts: o.Restarts}
	o.Restarts = p.RandomStarts()
	if o.Method != string(solver.MethodIPU) {
		return o
	}
	o.Effort = cmp.Or(o.Effort, string(solver.EffortQuick))
	o.Init = cmp.Or(o.Init, string(solver.StartGo))
	o.MaxIterations = cmp.Or(o.MaxIterations, solver.DefaultMaxIterations)
	return o
}

// unbounded reports whether no bound was asked for.
func (o Options) unbounded() bool { return o.Bound == string(solver.BoundNone) }

func (o Options) output() Output {
	return cmp.Or(o.Output, Selected)
}

// optionsFile is the JSON of Options: as their tags say, but for two fields.
type optionsFile struct {
	plainOptions
	Deadline    string  `json:"deadline,omitempty"`     // such as "30s"
	MemoryLimit float64 `json:"memory_limit,omitempty"` // MiB
}

type plainOptions Options // without methods

// MarshalJSON writes the options as in a model file: the deadline as text such as "30s", the memory
// limit in MiB, and optional fields only if they are set. Progress is left out.
func (o Options) MarshalJSON() ([]byte, error) {
	file := optionsFile{plainOptions: plainOptions(o), MemoryLimit: float64(o.MemoryLimit) / (1 << 20)}
	if o.Deadline != 0 {
		file.Deadline = o.Deadline.String()
	}
	return json.Marshal(file)
}

// UnmarshalJSON reads what MarshalJSON wrote. A field that is absent becomes its zero value, and an
// unknown one is an error; Progress stays.
func (o *Options) UnmarshalJSON(b []byte) error {
	var file optionsFile
	if err := saved.Strict(b, &file); err != nil {
		return fmt.Errorf("fspca: options: %w", err)
	}
	read := Options(file.plainOptions)
	var err error
	if file.Deadline != "" {
		if read.Deadline, err = time.ParseDuration(file.Deadline); err != nil {
			return fmt.Errorf("fspca: options: the deadline is %q: want a time such as 30s", file.Deadline)
		}
	}
	if read.MemoryLimit, err = bytesOf(file.MemoryLimit, 1<<20); err != nil {
		return fmt.Errorf("fspca: options: %w", err)
	}
	read.Progress, read.WarmStart, read.Align = o.Progress, o.WarmStart, o.Align
	*o = read
	return nil
}

// bytesOf gives a memory limit of a file in bytes; unit is the number of bytes that it counts.
func bytesOf(limit, unit float64) (int64, error) {
	if !(limit >= 0 && limit*unit < 1<<62) {
		return 0, fmt.Errorf("memory_limit is %v: want a number from 0, of less than 2⁶² bytes", limit)
	}
	return int64(limit * unit), nil
}

// params is what the solver is asked for, for columns of these names, without what is not read. The
// error names all columns of Include and Exclude that are not there, or that contradict each other or k.
func (o Options) params(names []string) (solver.Params, error) {
	o = o.without(o.unreadByMethod())
	include, exclude, err := o.lists(names)
	limits, wrong := o.limits(names)
	warm, cold := o.warm(names)
	return solver.Params{
		Features:      o.Features,
		Components:    o.Components,
		Method:        solver.Method(o.Method),
		Effort:        solver.Effort(o.Effort),
		Start:         solver.Start(o.Init),
		Restarts:      o.Restarts,
		Seed:          o.Seed,
		Bound:         solver.BoundEffort(o.Bound),
		SDPIterations: o.SDPIterations,
		Include:       include,
		Exclude:       exclude,
		Limits:        limits,
		Warm:          warm,
		MemoryLimit:   o.MemoryLimit,
		MaxIterations: o.MaxIterations,
		Epsilon:       o.Epsilon,
		Tell:          !o.Reconstruction, // where that is computed, it serves
		Progress:      o.Progress,
	}, errors.Join(err, wrong, cold)
}
