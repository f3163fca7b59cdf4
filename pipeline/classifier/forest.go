package classifier

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

const forestKind = "random_forest"

// mostTrees is the most trees of a forest.
const mostTrees = 1_000_000

type forestName struct{}

func (forestName) name() string { return forestKind }

// RandomForest averages many CART trees (see DecisionTree), after Breiman, Random
// forests, 2001. Each tree is grown on a bootstrap sample: n rows drawn with
// replacement. Each node considers a few columns that are drawn at random. The
// probabilities of a row are the class shares of its leaves, averaged over the
// trees.
//
// Every tree has its own random number generator, so the result depends on Seed and
// not on the number of processors. The zero value is usable.
type RandomForest struct {
	// Trees is the number of trees, at most a million; 0 means 100.
	Trees int
	// MaxDepth and MinLeaf limit each tree as in DecisionTree; 0 means no limit for
	// MaxDepth and 1 for MinLeaf.
	MaxDepth, MinLeaf int
	// Columns is the number of random columns that a node considers; 0 means the
	// square root of the number of columns, rounded down. If none of these can
	// split the node, it considers more.
	Columns int
	// Seed seeds the random number generators of the trees.
	Seed uint64

	fitted[forestName]
}

var _ Classifier = (*RandomForest)(nil)

func (r *RandomForest) defaults() (RandomForest, error) {
	full := RandomForest{Trees: cmp.Or(r.Trees, 100), MaxDepth: r.MaxDepth, MinLeaf: cmp.Or(r.MinLeaf, 1), Columns: r.Columns, Seed: r.Seed}
	return full, joined(forestKind, atLeast("trees", full.Trees, 1), atMost("trees", full.Trees, mostTrees), atLeast("max_depth", full.MaxDepth, 0),
		atLeast("min_leaf", full.MinLeaf, 1), atLeast("columns", full.Columns, 0))
}

// FitFrame grows the trees.
func (r *RandomForest) FitFrame(ctx context.Context, f *dataset.Frame) error {
	full, err := r.defaults()
	if err != nil {
		return err
	}
	rows, err := levelTraining(forestKind, f)
	if err != nil {
		return err
	}
	p := len(rows.features)
	if full.Columns > p {
		return fmt.Errorf("random_forest: columns is %d, and there are only %d: lower it", full.Columns, p)
	}
	features := featuresOf(f)
	g := &grower{columns: treeColumns(f), codes: rows.codes, classes: len(rows.classes), minLeaf: full.MinLeaf, maxDepth: full.MaxDepth}
	columns := cmp.Or(full.Columns, max(1, int(math.Sqrt(float64(p)))))
	grown, err := g.growForest(ctx, full.Trees, columns, full.Seed, features.rows(f))
	if err != nil {
		return err
	}
	r.learned = &forestFit{treeFit{features, rows.classes}, *grown, full}
	return nil
}

// forestFit is what was learned.
type forestFit struct {
	treeFit
	grownForest
	options RandomForest
}

func (r *forestFit) predict(ctx context.Context, f *dataset.Frame) (*Prediction, error) {
	return r.likely(ctx, forestKind, f, r.predictRow)
}

func (r *forestFit) predictRow(row, to []float64) {
	clear(to)
	for _, t := range r.trees {
		t.addShares(to, row)
	}
	for class := range to {
		to[class] /= float64(len(r.trees))
	}
}

// OutOfBag is the out-of-bag accuracy, an estimate of the accuracy on new rows.
// Each training row is predicted by the trees whose sample does not contain it.
// OutOfBag is NaN before Fit, and if every row is in every sample.
func (r *RandomForest) OutOfBag() float64 {
	fit, ok := r.learned.(*forestFit)
	if !ok || fit.judged == 0 {
		return math.NaN()
	}
	return fit.outOfBag
}

// Importance returns the permutation importance of each column of Inputs. It is the
// mean fall of a tree's accuracy on its out-of-bag rows when the column's values
// are shuffled among these rows. A column that is not used has 0. Columns with the
// same information share their importance. Importance is nil before Fit.
func (r *RandomForest) Importance() []float64 {
	fit, ok := r.learned.(*forestFit)
	if !ok {
		return nil
	}
	return slices.Clone(fit.importance)
}

// forestState is the JSON of a saved RandomForest.
type forestState struct {
	stateHeader
	Trees      int          `json:"trees"`
	MaxDepth   int          `json:"max_depth"`
	MinLeaf    int          `json:"min_leaf"`
	Columns    int          `json:"columns"`
	Seed       uint64       `json:"seed"`
	Features   treeFeatures `json:"features"`
	Classes    []string     `json:"classes"`
	OutOfBag   float64      `json:"out_of_bag"`
	Judged     int          `json:"out_of_bag_rows"`
	Importance []float64    `json:"importance"`
	Forest     []savedTree  `json:"forest"`
}

func (r *forestFit) state() any {
	o := r.options
	return forestState{stateHeader{stateVersion, forestKind}, o.Trees, o.MaxDepth, o.MinLeaf, o.Columns, o.Seed,
		r.features, r.classes, r.outOfBag, r.judged, r.importance, lists.Map(r.trees, (*cartTree).saved)}
}

// LoadFrom reads what SaveTo wrote.
func (r *RandomForest) LoadFrom(from io.Reader) error {
	s, err := readState[forestState](from, forestKind, stateVersion)
	if err != nil {
		return err
	}
	loaded := RandomForest{Trees: s.Trees, MaxDepth: s.MaxDepth, MinLeaf: s.MinLeaf, Columns: s.Columns, Seed: s.Seed}
	full, bad := loaded.defaults()
	if bad == nil && len(s.Forest) != full.Trees {
		bad = fmt.Errorf("%d trees, %d wanted", len(s.Forest), full.Trees)
	}
	err = damaged(forestKind, bad, checkNames("features", s.Features.names(), 1), checkNames("classes", s.Classes, 1),
		checkTable("importance", [][]float64{s.Importance}, 1, len(s.Features)), checkTable("out_of_bag", [][]float64{{s.OutOfBag}}, 1, 1))
	if err != nil {
		return err
	}
	fit := &forestFit{treeFit{s.Features, s.Classes}, grownForest{outOfBag: s.OutOfBag, judged: s.Judged, importance: s.Importance}, full}
	for i := range s.Forest {
		tree, err := s.Forest[i].read(s.Features, len(s.Classes))
		if err != nil {
			return damaged(forestKind, fmt.Errorf("tree %d: %w", i+1, err))
		}
		fit.trees = append(fit.trees, tree)
	}
	loaded.learned = fit
	*r = loaded
	return nil
}

// String names the classifier, its options and, once fitted, its out-of-bag
// accuracy.
func (r *RandomForest) String() string {
	parts := []string{fmt.Sprintf("trees=%d", cmp.Or(r.Trees, 100))}
	if v := r.OutOfBag(); !math.IsNaN(v) {
		parts = append(parts, fmt.Sprintf("out_of_bag=%.4f", v))
	}
	return fmt.Sprintf("random_forest(%s)", strings.Join(parts, ", "))
}

// Fit is FitFrame for any golearn grid.
func (r *RandomForest) Fit(g base.FixedDataGrid) error { return fitGrid(r, g) }

// Load reads a golearn model archive.
func (r *RandomForest) Load(path string) error { return loadFile(r, path) }

// LoadWithPrefix reads from an archive of several classifiers.
func (r *RandomForest) LoadWithPrefix(from *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(r, from, prefix)
}
