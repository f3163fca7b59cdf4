package classifier

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golearn"
)

const treeKind = "decision_tree"

// DecisionTree is golearn's ID3 tree without pruning (its pruning splits the
// rows wrongly). At each node the feature with the largest information gain
// splits the rows: a categorical one by level, a numeric one at the midpoint
// between two neighbouring values. As always with ID3, a feature is used at most
// once on the way from the root to a leaf; a tree on few numeric features is
// therefore coarse.
//
// golearn leaves ties to chance. Here a tie between features goes to the earlier
// column, between thresholds to the lower one, and between classes in a leaf to
// the earlier class, so that the same rows give the same tree.
//
// Columns may be numeric or categorical, without missing cells. A level that the
// training column does not have is an error; one that it has, but not among the
// rows of a node, stops there and gets that node's majority.
//
// The zero value is usable.
type DecisionTree struct {
	// MaxDepth is the largest number of splits on the way to a leaf; 0 means no
	// limit but the number of features.
	MaxDepth int

	fit *treeFit
}

var (
	_ Probabilistic = (*DecisionTree)(nil)
	_ Warner        = (*DecisionTree)(nil)
)

// FitFrame grows the tree. When ctx ends, nodes that are not yet split stay
// leaves, and the status is "deadline" or "cancelled"; see Warnings.
func (t *DecisionTree) FitFrame(ctx context.Context, f *dataset.Frame) error {
	if t.MaxDepth < 0 {
		return fmt.Errorf("decision_tree: the largest depth is %d, and must be positive (0 means no limit)", t.MaxDepth)
	}
	rows, err := classTraining(treeKind, f)
	if err != nil {
		return err
	}
	if err := checkLevels(treeKind, f); err != nil {
		return err
	}
	fit, err := growTree(ctx, f, rows, t.MaxDepth)
	if err != nil {
		return err
	}
	t.fit = fit
	return nil
}

// ProbabilitiesFrame gives the class shares of the training rows in the leaf
// that each row comes to.
func (t *DecisionTree) ProbabilitiesFrame(ctx context.Context, f *dataset.Frame) (*mat.Dense, error) {
	if t.fit == nil {
		return nil, notFitted(treeKind)
	}
	input, err := t.fit.input(f)
	if err != nil {
		return nil, err
	}
	out := newProbabilities(f.Rows(), len(t.fit.classes))
	for i := range f.Rows() {
		counts := t.fit.leaf(input, i).Counts
		total := 0
		for _, count := range counts {
			total += count
		}
		for class, count := range counts {
			out.Set(i, class, float64(count)/float64(total))
		}
	}
	return out, ctx.Err()
}

// PredictFrame gives each row the most frequent class of its leaf, the earlier
// class at a tie.
func (t *DecisionTree) PredictFrame(ctx context.Context, f *dataset.Frame) (*dataset.Factor, error) {
	return mostLikely(ctx, t, f)
}

// Status is "converged" for a tree grown to its end, "deadline" or "cancelled"
// for one that the context cut short, and "" before Fit.
func (t *DecisionTree) Status() string {
	if t.fit == nil {
		return ""
	}
	return t.fit.status
}

// Warnings says so if the tree was cut short.
func (t *DecisionTree) Warnings() []string {
	if t.fit == nil || t.fit.status == "converged" {
		return nil
	}
	return []string{fmt.Sprintf("decision_tree stopped growing (%s): some of its leaves would have been split", t.fit.status)}
}

// Classes are the classes of the training rows, in level order.
func (t *DecisionTree) Classes() []string {
	if t.fit == nil {
		return nil
	}
	return append([]string(nil), t.fit.classes...)
}

// Inputs are the names of the training columns.
func (t *DecisionTree) Inputs() []string {
	if t.fit == nil {
		return nil
	}
	return t.fit.names()
}

// treeState is the JSON of a saved DecisionTree.
type treeState struct {
	stateHeader
	MaxDepth int           `json:"max_depth"`
	Features []treeFeature `json:"features"`
	Classes  []string      `json:"classes"`
	Status   string        `json:"status"`
	Root     *treeNode     `json:"root"`
}

// SaveTo writes the tree as nested JSON nodes.
func (t *DecisionTree) SaveTo(w io.Writer) error {
	if t.fit == nil {
		return notFitted(treeKind)
	}
	return writeState(w, treeState{
		stateHeader: stateHeader{stateVersion, treeKind},
		MaxDepth:    t.MaxDepth, Features: t.fit.features, Classes: t.fit.classes,
		Status: t.fit.status, Root: t.fit.root,
	})
}

// LoadFrom reads what SaveTo wrote.
func (t *DecisionTree) LoadFrom(r io.Reader) error {
	var s treeState
	if err := readState(r, treeKind, &s); err != nil {
		return err
	}
	fit := &treeFit{features: s.Features, classes: s.Classes, root: s.Root, status: s.Status}
	err := damaged(treeKind,
		checkNames("features", fit.names(), 1),
		checkNames("classes", s.Classes, 1),
		fit.adopt(s.Root))
	if err != nil {
		return err
	}
	t.MaxDepth, t.fit = s.MaxDepth, fit
	return nil
}

// String names the classifier, its options and, once fitted, its size.
func (t *DecisionTree) String() string {
	var parts []string
	if t.MaxDepth > 0 {
		parts = append(parts, fmt.Sprintf("max_depth=%d", t.MaxDepth))
	}
	if t.fit != nil {
		leaves, depth := t.fit.root.size()
		parts = append(parts, fmt.Sprintf("leaves=%d, depth=%d", leaves, depth))
	}
	return fmt.Sprintf("decision_tree(%s)", strings.Join(parts, ", "))
}

// Fit is FitFrame for any golearn grid.
func (t *DecisionTree) Fit(g base.FixedDataGrid) error { return fitGrid(t, g) }

// Predict is PredictFrame for any golearn grid; see base.Classifier.
func (t *DecisionTree) Predict(g base.FixedDataGrid) (base.FixedDataGrid, error) {
	return predictGrid(t, g)
}

// GetMetadata describes the classifier to golearn.
func (t *DecisionTree) GetMetadata() base.ClassifierMetadataV1 { return golearn.Metadata(treeKind) }

// Save writes a golearn model archive.
func (t *DecisionTree) Save(path string) error { return saveFile(t, path) }

// Load reads a golearn model archive.
func (t *DecisionTree) Load(path string) error { return loadFile(t, path) }

// SaveWithPrefix writes into an archive of several classifiers.
func (t *DecisionTree) SaveWithPrefix(w *base.ClassifierSerializer, prefix string) error {
	return savePrefix(t, w, prefix)
}

// LoadWithPrefix reads from an archive of several classifiers.
func (t *DecisionTree) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(t, r, prefix)
}
