package classifier

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
)

const treeKind = "decision_tree"

type treeName struct{}

func (treeName) name() string { return treeKind }

// DecisionTree is a classification tree as in CART (Breiman, Friedman, Olshen and
// Stone, 1984). Each node splits the rows in two by one column, so that the
// impurity of the parts is least. A numeric column is split at the midpoint between
// two neighbouring values, a categorical one by a set of its levels. A column may
// be used again further down. Among equally good splits the earliest column and the
// lowest threshold win, so the same rows give the same tree.
//
// Columns must have no missing cells. A level that the training column does not
// have is an error. A level that does not occur among the training rows of a node
// goes to the side with more of those rows. With more than two classes, the levels
// are sorted by their share of one of the classes and then divided. This usually
// finds the best split, but not always.
//
// The zero value is usable. A fit costs about p·n·depth operations; the columns of
// a node are shared out among the processors.
type DecisionTree struct {
	// Criterion is "gini" (also "") or "entropy".
	Criterion string
	// MaxDepth is the largest number of splits between the root and a leaf; 0 means
	// no limit.
	MaxDepth int
	// MinLeaf is the smallest number of training rows in a leaf; 0 means 1.
	MinLeaf int
	// Prune is the penalty for each leaf, in units of the impurity of the training
	// rows. The fit keeps the smallest subtree that minimises impurity +
	// Prune·leaves (minimal cost-complexity pruning, ccp_alpha in scikit-learn). 0
	// means no pruning.
	Prune float64

	fitted[treeName]
}

var _ Classifier = (*DecisionTree)(nil)

func (t *DecisionTree) defaults() (DecisionTree, error) {
	full := DecisionTree{Criterion: cmp.Or(t.Criterion, "gini"), MaxDepth: t.MaxDepth, MinLeaf: cmp.Or(t.MinLeaf, 1), Prune: t.Prune}
	var prune error
	if !(t.Prune >= 0) || math.IsInf(t.Prune, 1) {
		prune = fmt.Errorf("prune is %v, and must be a positive number (0 means no pruning)", t.Prune)
	}
	return full, joined(treeKind, oneOf("criterion", full.Criterion, "gini", "entropy"),
		atLeast("max_depth", full.MaxDepth, 0), atLeast("min_leaf", full.MinLeaf, 1), prune)
}

// FitFrame grows and prunes the tree.
func (t *DecisionTree) FitFrame(ctx context.Context, f *dataset.Frame) error {
	full, err := t.defaults()
	if err != nil {
		return err
	}
	rows, err := levelTraining(treeKind, f)
	if err != nil {
		return err
	}
	g := &grower{columns: treeColumns(f), codes: rows.codes, classes: len(rows.classes), minLeaf: full.MinLeaf, maxDepth: full.MaxDepth}
	if full.Criterion == "entropy" {
		g.xlogx = tabulateXLogX(f.Rows())
	}
	tree := g.grow(ctx, g.allRows(), nil)
	if tree == nil {
		return ctx.Err()
	}
	if full.Prune > 0 {
		tree = tree.prune(full.Prune, full.Criterion == "entropy")
	}
	t.learned = &cartFit{treeFit{featuresOf(f), rows.classes}, tree, full}
	return nil
}

// cartFit is what was learned.
type cartFit struct {
	treeFit
	tree    *cartTree
	options DecisionTree
}

func (t *cartFit) predict(ctx context.Context, f *dataset.Frame) (*Prediction, error) {
	return t.likely(ctx, treeKind, f, t.predictRow)
}

func (t *cartFit) predictRow(row, to []float64) {
	clear(to)
	t.tree.addShares(to, row)
}

// treeVersion is 2 since the tree is CART's; version 1 was golearn's ID3.
const treeVersion = 2

// cartState is the JSON of a saved DecisionTree.
type cartState struct {
	stateHeader
	Criterion string       `json:"criterion"`
	MaxDepth  int          `json:"max_depth"`
	MinLeaf   int          `json:"min_leaf"`
	Prune     float64      `json:"prune"`
	Features  treeFeatures `json:"features"`
	Classes   []string     `json:"classes"`
	Tree      savedTree    `json:"tree"`
}

func (t *cartFit) state() any {
	o := t.options
	return cartState{stateHeader{treeVersion, treeKind}, o.Criterion, o.MaxDepth, o.MinLeaf, o.Prune, t.features, t.classes, t.tree.saved()}
}

// LoadFrom reads what SaveTo wrote. A file of version 1 holds a tree of golearn's
// ID3. Its predictions are the same as then, and saving writes it unchanged. The
// next fit grows a CART tree.
func (t *DecisionTree) LoadFrom(r io.Reader) error {
	var s cartState
	var old id3State
	err := readInto(r, treeKind, treeVersion, func(version int) any {
		if version == 1 {
			return &old
		}
		return &s
	})
	if err != nil {
		return err
	}
	if old.Version == 0 {
		return t.load(&s)
	}
	fit, err := old.read(treeKind)
	if err == nil {
		*t = DecisionTree{MaxDepth: old.MaxDepth, fitted: fitted[treeName]{fit}}
	}
	return err
}

// load takes what a file of this version holds.
func (t *DecisionTree) load(s *cartState) error {
	loaded := DecisionTree{Criterion: s.Criterion, MaxDepth: s.MaxDepth, MinLeaf: s.MinLeaf, Prune: s.Prune}
	full, bad := loaded.defaults()
	err := damaged(treeKind, bad, checkNames("features", s.Features.names(), 1), checkNames("classes", s.Classes, 1))
	if err != nil {
		return err
	}
	tree, err := s.Tree.read(s.Features, len(s.Classes))
	if err != nil {
		return damaged(treeKind, err)
	}
	loaded.learned = &cartFit{treeFit{s.Features, s.Classes}, tree, full}
	*t = loaded
	return nil
}

// String names the classifier, its options and, once fitted, its size.
func (t *DecisionTree) String() string {
	var parts []string
	if t.Criterion == "entropy" {
		parts = append(parts, "criterion=entropy")
	}
	if t.MaxDepth > 0 {
		parts = append(parts, fmt.Sprintf("max_depth=%d", t.MaxDepth))
	}
	if t.MinLeaf > 1 {
		parts = append(parts, fmt.Sprintf("min_leaf=%d", t.MinLeaf))
	}
	if t.Prune > 0 {
		parts = append(parts, fmt.Sprintf("prune=%v", t.Prune))
	}
	if fit, ok := t.learned.(*cartFit); ok {
		leaves, depth := fit.tree.size()
		parts = append(parts, fmt.Sprintf("leaves=%d, depth=%d", leaves, depth))
	}
	return fmt.Sprintf("decision_tree(%s)", strings.Join(parts, ", "))
}

// Fit is FitFrame for any golearn grid.
func (t *DecisionTree) Fit(g base.FixedDataGrid) error { return fitGrid(t, g) }

// Load reads a golearn model archive.
func (t *DecisionTree) Load(path string) error { return loadFile(t, path) }

// LoadWithPrefix reads from an archive of several classifiers.
func (t *DecisionTree) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(t, r, prefix)
}
