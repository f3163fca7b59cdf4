package classifier

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
)

const golearnKind = "golearn"

type golearnName struct{}

func (golearnName) name() string { return golearnKind }

// ID3 is golearn's ID3 tree without pruning (its pruning splits the rows wrongly),
// guarded against its panics. At each node the feature with the largest information
// gain splits the rows: a categorical one by level, a numeric one at the midpoint
// between two neighbouring values. As always with ID3, a feature is used at most
// once between the root and a leaf. A tree on few numeric features is therefore
// coarse, and DecisionTree is usually better.
//
// golearn decides ties at random. Here a tie between features goes to the earlier
// column, between thresholds to the lower, and between classes in a leaf to the
// earlier. The same rows therefore give the same tree.
//
// Columns may be numeric or categorical, without missing cells. A level that the
// training column does not have is an error. A level that does not occur among the
// training rows of a node gets that node's majority class.
//
// The zero value is usable. For other classifiers of golearn see Golearn.
type ID3 struct {
	// MaxDepth is the largest number of splits between the root and a leaf; 0 means
	// that only the number of features limits it.
	MaxDepth int

	fitted[golearnName]
}

var _ Classifier = (*ID3)(nil)

// FitFrame grows the tree.
func (g *ID3) FitFrame(ctx context.Context, f *dataset.Frame) error {
	if err := joined(golearnKind, atLeast("max_depth", g.MaxDepth, 0)); err != nil {
		return err
	}
	rows, err := levelTraining(golearnKind, f)
	if err != nil {
		return err
	}
	fit, err := growID3(ctx, f, rows, g.MaxDepth)
	if err == nil {
		g.learned = fit
	}
	return err
}

// predict gives the class shares of the training rows in the leaf of each row.
func (t *id3Fit) predict(ctx context.Context, f *dataset.Frame) (*Prediction, error) {
	return t.likely(ctx, t.kind, f, func(row, to []float64) {
		addShares(to, t.leaf(row).Counts)
	})
}

// id3State is the JSON of a saved tree of ID3; Name is absent in that of an old
// decision_tree.
type id3State struct {
	stateHeader
	Name     string       `json:"name,omitempty"`
	MaxDepth int          `json:"max_depth"`
	Features treeFeatures `json:"features"`
	Classes  []string     `json:"classes"`
	Status   string       `json:"status"`
	Root     *treeNode    `json:"root"`
}

func (t *id3Fit) state() any {
	s := id3State{stateHeader: stateHeader{1, t.kind}, MaxDepth: t.maxDepth, Features: t.features, Classes: t.classes, Status: "converged", Root: t.root}
	if t.kind == golearnKind {
		s.Name = "id3"
	}
	return s
}

// read checks what was saved.
func (s *id3State) read(kind string) (*id3Fit, error) {
	fit := &id3Fit{treeFit{s.Features, s.Classes}, kind, s.Root, s.MaxDepth}
	return fit, damaged(kind,
		checkNames("features", fit.features.names(), 1),
		checkNames("classes", s.Classes, 1),
		fit.adopt(s.Root))
}

// LoadFrom reads what SaveTo wrote.
func (g *ID3) LoadFrom(r io.Reader) error {
	s, err := readState[id3State](r, golearnKind, stateVersion)
	if err != nil {
		return err
	}
	fit, err := s.read(golearnKind)
	if err == nil {
		err = damaged(golearnKind, oneOf("name", s.Name, "id3"), atLeast("max_depth", s.MaxDepth, 0))
	}
	if err == nil {
		*g = ID3{s.MaxDepth, fitted[golearnName]{fit}}
	}
	return err
}

// String names the classifier, its options and, once fitted, its size.
func (g *ID3) String() string {
	parts := []string{"id3"}
	if g.MaxDepth > 0 {
		parts = append(parts, fmt.Sprintf("max_depth=%d", g.MaxDepth))
	}
	if fit, ok := g.learned.(*id3Fit); ok {
		leaves, depth := fit.root.size()
		parts = append(parts, fmt.Sprintf("leaves=%d, depth=%d", leaves, depth))
	}
	return fmt.Sprintf("golearn(%s)", strings.Join(parts, ", "))
}

// Fit is FitFrame for any golearn grid.
func (g *ID3) Fit(grid base.FixedDataGrid) error { return fitGrid(g, grid) }

// Load reads a golearn model archive.
func (g *ID3) Load(path string) error { return loadFile(g, path) }

// LoadWithPrefix reads from an archive of several classifiers.
func (g *ID3) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(g, r, prefix)
}
