package experiment

import (
	"cmp"
	"encoding/json"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/report"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/selector"
)

// ReportVersion is the version of report.json that this package writes.
const ReportVersion = 1

const reportType = "fspca.report"

// Report is the result of a run. Its JSON is report.json. The same config and
// data give the same bytes, so it holds no times and no paths of the machine.
type Report struct {
	Version  int            `json:"version"`
	Type     string         `json:"type"`
	Name     string         `json:"name,omitempty"`
	Config   *config.Config `json:"config"` // with the defaults of absent keys
	Seed     uint64         `json:"seed"`   // of the split
	Versions Versions       `json:"versions"`
	Data     DataInfo       `json:"data"`

	Result // what was measured

	Constant  []string   `json:"constant,omitempty"`    // columns that a constant step dropped, in the saved model
	Flat      []string   `json:"do_not_vary,omitempty"` // columns that came to another step of the saved model and do not vary
	Selection *Selection `json:"selection,omitempty"`   // of the saved model; nil without an fspca step
	Inputs    []string   `json:"inputs"`                // columns of new data that the saved model needs

	// ManifestHash is the SHA-256 of model/manifest.json, which holds those of the
	// steps. It shows whether model and report are of the same run. It is "" if
	// nothing was written.
	ManifestHash string `json:"manifest_hash,omitempty"`

	// Mistakes are warnings of probable mistakes in the data or the config. Warnings
	// begins with them too.
	Mistakes []dataset.Warning `json:"-"`

	Dir      string             `json:"-"` // the folder that was written to; "" for none
	Files    []string           `json:"-"` // what was written there
	Pipeline *pipeline.Pipeline `json:"-"` // the fitted pipeline that was saved

	page report.Input // what WriteHTML shows beside the report itself
}

// Versions are those of the program and its modules.
type Versions struct {
	FSPCA   string            `json:"fspca"`
	Go      string            `json:"go"`
	Modules map[string]string `json:"modules,omitempty"` // of the modules that the program was built with
}

// DataInfo describes the rows that were read.
type DataInfo struct {
	Source      string       `json:"source"`
	Hash        string       `json:"hash"` // SHA-256 of the content, see dataset.Hash
	Rows        int          `json:"rows"`
	Columns     int          `json:"columns"`     // without the class
	Categorical int          `json:"categorical"` // of these
	Class       string       `json:"class,omitempty"`
	Classes     []ClassCount `json:"classes,omitempty"`
}

// ClassCount is the number of rows of a class.
type ClassCount struct {
	Class string `json:"class"`
	Rows  int    `json:"rows"`
}

// Parts are the sizes of the parts that the rows were divided into.
type Parts struct {
	Kind    string `json:"kind"`              // test or folds
	Repeats int    `json:"repeats,omitempty"` // how often the rows were divided; 0 is once
	File    string `json:"file,omitempty"`    // with the rows tested
	Hash    string `json:"hash,omitempty"`    // SHA-256 of its content
	Train   []int  `json:"train"`             // training rows of each split
	Test    []int  `json:"test"`              // rows held out from each
}

// Selection is what the fspca step of the saved model chose.
type Selection struct {
	Features                    []string                 `json:"features"` // in column order
	Support                     []int                    `json:"support"`  // their 0-based places among the columns that came to the step
	Of                          int                      `json:"of"`       // number of those columns
	Components                  int                      `json:"components"`
	Objective                   float64                  `json:"objective"`
	ExplainedVarianceRatio      float64                  `json:"explained_variance_ratio"`      // objective over the total variance
	Criterion                   string                   `json:"criterion"`                     // what the choice maximizes: variance or reconstruction
	Reconstruction              *selector.Reconstruction `json:"reconstruction,omitempty"`      // how well it predicts all columns that come to the step
	Warnings                    []string                 `json:"warnings,omitempty"`            // sentences about the choice
	NormalizedExplainedVariance float64                  `json:"normalized_explained_variance"` // of what dense PCA with as many components explains
	UpperBound                  float64                  `json:"upper_bound"`                   // no permitted choice has a larger objective
	Gap                         float64                  `json:"gap"`                           // of objective to it, relative to objective
	Proved                      bool                     `json:"proved"`                        // no permitted choice is better
	Iterations                  int                      `json:"iterations"`
	Status                      string                   `json:"status"`
	Stability                   *selector.Stability      `json:"stability,omitempty"` // with bootstrap
	Scree                       *selector.Scree          `json:"scree,omitempty"`     // the variances of PCA on the columns that come to the step
}

// Stability says how much the selection depends on the rows: it compares the
// choices of the folds or repeats, each made on its own training rows.
type Stability struct {
	Folds       int         `json:"folds"`
	MeanJaccard float64     `json:"mean_jaccard"` // mean |A∩B|/|A∪B| over all pairs of folds; 1 where all agree
	Frequency   []Frequency `json:"frequency"`    // most frequent first
}

// Frequency is the number of folds that chose a column.
type Frequency struct {
	Feature string `json:"feature"`
	Folds   int    `json:"folds"`
}

// WriteJSON writes report.json.
func (r *Report) WriteJSON(w io.Writer) error {
	if files.Absent(w) {
		return files.ErrNoWriter
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// deviation is the sample standard deviation of at least two numbers.
func deviation(x []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(len(x)-1))
}

// stability compares the columns that the folds chose.
func stability(chosen [][]string) *Stability {
	if len(chosen) < 2 {
		return nil
	}
	s := &Stability{Folds: len(chosen)}
	counts := map[string]int{}
	for _, names := range chosen {
		for _, name := range names {
			counts[name]++
		}
	}
	for name, n := range counts {
		s.Frequency = append(s.Frequency, Frequency{name, n})
	}
	slices.SortFunc(s.Frequency, func(a, b Frequency) int {
		return cmp.Or(cmp.Compare(b.Folds, a.Folds), cmp.Compare(a.Feature, b.Feature))
	})
	pairs := 0
	for i, a := range chosen {
		for _, b := range chosen[:i] {
			s.MeanJaccard += jaccard(a, b)
			pairs++
		}
	}
	s.MeanJaccard /= float64(pairs)
	return s
}

func jaccard(a, b []string) float64 {
	both := lists.Count(a, func(name string) bool { return slices.Contains(b, name) })
	return float64(both) / float64(len(a)+len(b)-both)
}

// versions reads what the program was built from.
func versions() Versions {
	v := Versions{FSPCA: "unknown", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	const module = "github.com/fspca/fspca"
	v.Modules = map[string]string{}
	for _, m := range append(info.Deps, &info.Main) {
		version := m.Version
		if m.Replace != nil {
			version = m.Replace.Version
		}
		if m.Path == module {
			v.FSPCA = version
		} else if m.Path != "" {
			v.Modules[m.Path] = version
		}
	}
	return v
}
