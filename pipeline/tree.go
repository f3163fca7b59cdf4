package pipeline

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
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

// treeFit is what was learned. It is never changed.
type treeFit struct {
	features []treeFeature
	classes  []string
	root     *treeNode
	status   string // "converged", "deadline" or "cancelled"
}

// treeFeature is a training column; Levels is nil where it is numeric.
type treeFeature struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels,omitempty"`
}

// treeNode is a leaf where Column is "". Otherwise it splits on that feature.
type treeNode struct {
	// Counts are the training rows of each class that came here.
	Counts []int  `json:"counts"`
	Column string `json:"column,omitempty"`
	// Threshold parts a numeric feature: Low takes what is not above it.
	Threshold *float64  `json:"threshold,omitempty"`
	Low       *treeNode `json:"low,omitempty"`
	High      *treeNode `json:"high,omitempty"`
	// Levels are the branches of a categorical feature.
	Levels map[string]*treeNode `json:"levels,omitempty"`

	feature int // index of Column among the features
}

var (
	_ ProbabilityClassifier = (*DecisionTree)(nil)
	_ Warner                = (*DecisionTree)(nil)
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
	if err := checkLevels(f); err != nil {
		return err
	}
	fit, err := growTree(ctx, f, rows, t.MaxDepth)
	if err != nil {
		return err
	}
	t.fit = fit
	return nil
}

// checkLevels refuses missing cells in categorical columns.
func checkLevels(f *dataset.Frame) error {
	for _, column := range f.Columns() {
		if column.Factor == nil {
			continue
		}
		for i, code := range column.Factor.Codes {
			if code < 0 {
				return fmt.Errorf("decision_tree: row %d has no value in column %q: put an impute step before it, or drop the column",
					i+1, column.Name)
			}
		}
	}
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

// treeInput is a frame's columns, in the order of the training features.
type treeInput struct {
	x       *mat.Dense
	numeric []int             // column of x, where the feature is numeric
	factors []*dataset.Factor // nil where it is numeric
}

// input finds the features in f by name and checks their kinds and levels.
func (t *treeFit) input(f *dataset.Frame) (*treeInput, error) {
	picked, err := f.Pick(t.names())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", treeKind, err)
	}
	if err := picked.CheckComplete(treeKind); err != nil {
		return nil, err
	}
	if err := checkLevels(picked); err != nil {
		return nil, err
	}
	in := &treeInput{x: picked.Numeric(), numeric: make([]int, len(t.features)), factors: make([]*dataset.Factor, len(t.features))}
	next := 0
	for j, column := range picked.Columns() {
		if err := t.features[j].check(column.Factor); err != nil {
			return nil, err
		}
		in.factors[j] = column.Factor
		if column.Factor == nil {
			in.numeric[j] = next
			next++
		}
	}
	return in, nil
}

// check holds a new column to what the feature was in training.
func (t *treeFeature) check(column *dataset.Factor) error {
	if (column == nil) != (t.Levels == nil) {
		was, is := "numeric", "categorical"
		if column == nil {
			was, is = is, was
		}
		return fmt.Errorf("decision_tree: column %q was %s in training, and is %s here", t.Name, was, is)
	}
	if column == nil {
		return nil
	}
	known := make(map[string]bool, len(t.Levels))
	for _, level := range t.Levels {
		known[level] = true
	}
	for i, code := range column.Codes {
		level := column.Levels[code]
		if known[level] {
			continue
		}
		hint := ""
		if near := dataset.Nearest(level, t.Levels); near != "" {
			hint = fmt.Sprintf(" (the nearest is %q)", near)
		}
		return fmt.Errorf("decision_tree: row %d of column %q has the level %q, which the training rows did not have%s",
			i+1, t.Name, level, hint)
	}
	return nil
}

// leaf follows the branches for row i.
func (t *treeFit) leaf(in *treeInput, i int) *treeNode {
	for node := t.root; ; {
		next := node.Low
		switch factor := in.factors[node.feature]; {
		case node.Column == "":
			return node
		case factor != nil:
			next = node.Levels[factor.Levels[factor.Codes[i]]]
		case in.x.At(i, in.numeric[node.feature]) > *node.Threshold:
			next = node.High
		}
		if next == nil {
			return node
		}
		node = next
	}
}

func (t *treeFit) names() []string {
	names := make([]string, len(t.features))
	for j, feature := range t.features {
		names[j] = feature.Name
	}
	return names
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

// adopt checks a node that was read, and those below, and finds its feature.
func (t *treeFit) adopt(node *treeNode) error {
	if node == nil {
		return fmt.Errorf("a node is missing")
	}
	rows := 0
	for _, count := range node.Counts {
		if count < 0 {
			return fmt.Errorf("a node counts %d rows", count)
		}
		rows += count
	}
	if len(node.Counts) != len(t.classes) || rows == 0 {
		return fmt.Errorf("a node counts %d rows of %d classes, and there are %d classes", rows, len(node.Counts), len(t.classes))
	}
	if node.Column == "" {
		return nil
	}
	for j, feature := range t.features {
		if feature.Name == node.Column {
			node.feature = j
			return t.adoptBranches(node, feature)
		}
	}
	return fmt.Errorf("a node splits on %q, which is not a feature", node.Column)
}

func (t *treeFit) adoptBranches(node *treeNode, feature treeFeature) error {
	if feature.Levels == nil {
		if node.Threshold == nil {
			return fmt.Errorf("a node that splits on %q has no threshold", node.Column)
		}
		if err := t.adopt(node.Low); err != nil {
			return err
		}
		return t.adopt(node.High)
	}
	for _, level := range feature.Levels { // in this order, for a fixed message
		if branch := node.Levels[level]; branch != nil {
			if err := t.adopt(branch); err != nil {
				return err
			}
		}
	}
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

// size counts the leaves below a node and the splits down to the deepest one.
func (n *treeNode) size() (leaves, depth int) {
	for _, branch := range n.branches() {
		l, d := branch.size()
		leaves += l
		depth = max(depth, d+1)
	}
	return max(leaves, 1), depth
}

func (n *treeNode) branches() []*treeNode {
	var all []*treeNode
	if n.Low != nil && n.High != nil {
		all = append(all, n.Low, n.High)
	}
	for _, branch := range n.Levels {
		all = append(all, branch)
	}
	return all
}

// Fit is FitFrame for any golearn grid.
func (t *DecisionTree) Fit(g base.FixedDataGrid) error { return fitGrid(t, g) }

// Predict is PredictFrame for any golearn grid; see base.Classifier.
func (t *DecisionTree) Predict(g base.FixedDataGrid) (base.FixedDataGrid, error) {
	return predictGrid(t, g)
}

// GetMetadata describes the classifier to golearn.
func (t *DecisionTree) GetMetadata() base.ClassifierMetadataV1 { return classifierMetadata(treeKind) }

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
