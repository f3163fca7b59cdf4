package classifier

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/trees"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// gainRule finds the split with the largest information gain, ID3's measure:
// the entropy of the classes in the node less the mean entropy in its branches.
// Among splits equally good the earliest column and the lowest threshold win. A
// split that gains nothing is still made (x XOR y needs it); one that leaves all
// rows together is not.
type gainRule struct {
	ctx      context.Context
	maxDepth int

	codes    []int // class of each row
	classes  int
	x        *mat.Dense
	features []gainFeature
	columns  map[base.Attribute]int // index of the feature
	number   base.Attribute         // the column of row numbers
	xlogx    []float64              // i·log(i)
}

// gainFeature is a column of x, or a factor.
type gainFeature struct {
	attribute base.Attribute
	numeric   int
	factor    *dataset.Factor
}

func (r *gainRule) add(attribute base.Attribute, factor *dataset.Factor) {
	next := lists.Count(r.features, func(feature gainFeature) bool { return feature.factor == nil })
	r.features = append(r.features, gainFeature{attribute, next, factor})
}

// GenerateSplitRule is golearn's hook: it returns nil where the node stays a
// leaf.
func (r *gainRule) GenerateSplitRule(g base.FixedDataGrid) *trees.DecisionTreeRule {
	var left []int
	for _, attribute := range g.AllAttributes() {
		if column, ok := r.columns[attribute]; ok {
			left = append(left, column)
		}
	}
	depth := len(r.features) - len(left)
	if r.ctx.Err() != nil || (r.maxDepth > 0 && depth >= r.maxDepth) {
		return nil
	}
	slices.Sort(left)
	rows := r.rowsOf(g)
	tie := 1e-12 * r.xlogx[len(rows)] // rounding of the sums below, with room
	best, bestScore := (*trees.DecisionTreeRule)(nil), math.Inf(-1)
	for _, column := range left {
		feature := r.features[column]
		var threshold, score float64
		if feature.factor != nil {
			score = r.levels(rows, feature.factor)
		} else {
			threshold, score = r.threshold(rows, feature.numeric, tie)
		}
		if score > bestScore+tie {
			best, bestScore = &trees.DecisionTreeRule{SplitAttr: feature.attribute, SplitVal: threshold}, score
		}
	}
	return best
}

// rowsOf gives the rows of a node, ascending.
func (r *gainRule) rowsOf(g base.FixedDataGrid) []int {
	spec, err := g.GetAttribute(r.number)
	if err != nil {
		panic(err) // the guard around the fit reports it
	}
	_, n := g.Size()
	rows := lists.Make(n, func(i int) int { return int(base.UnpackBytesToFloat(g.Get(spec, i))) })
	slices.Sort(rows)
	return rows
}

// score is −n times the entropy of the classes in a branch with these counts.
func (r *gainRule) score(counts []int) float64 {
	sum, n := 0.0, 0
	for _, count := range counts {
		sum += r.xlogx[count]
		n += count
	}
	return sum - r.xlogx[n]
}

// levels scores the split by levels, −∞ if all rows have the same.
func (r *gainRule) levels(rows []int, factor *dataset.Factor) float64 {
	counts := make([]int, len(factor.Levels)*r.classes)
	for _, i := range rows {
		counts[int(factor.Codes[i])*r.classes+r.codes[i]]++
	}
	sum, branches := 0.0, 0
	for first := 0; first < len(counts); first += r.classes {
		branch := counts[first : first+r.classes]
		if slices.Max(branch) > 0 {
			sum += r.score(branch)
			branches++
		}
	}
	if branches < 2 {
		return math.Inf(-1)
	}
	return sum
}

// threshold finds the best threshold of a numeric column and its score, −∞ if
// all rows have the same value.
func (r *gainRule) threshold(rows []int, column int, tie float64) (best, bestScore float64) {
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.x.At(a, column), r.x.At(b, column)), a-b)
	})
	low, high := make([]int, r.classes), make([]int, r.classes)
	for _, i := range sorted {
		high[r.codes[i]]++
	}
	bestScore = math.Inf(-1)
	for at, i := range sorted[:len(sorted)-1] {
		low[r.codes[i]]++
		high[r.codes[i]]--
		value, next := r.x.At(i, column), r.x.At(sorted[at+1], column)
		if value == next {
			continue
		}
		if score := r.score(low) + r.score(high); score > bestScore+tie {
			best, bestScore = midpoint(value, next), score
		}
	}
	return best, bestScore
}
