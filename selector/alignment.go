package selector

import (
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/spelling"
)

// Alignment compares a model with the older one whose components it follows (Options.Align). Columns are
// compared by name.
type Alignment struct {
	// Kept is the number of columns that both models chose. Overlap is their share of all columns that
	// either chose. Added are those of this model alone, Removed those of the older one alone.
	Kept    int      `json:"kept"`
	Overlap float64  `json:"overlap"`
	Added   []string `json:"added"`
	Removed []string `json:"removed"`

	// Angle is the largest principal angle between the spaces of the components, in degrees. It is 0 if
	// one space lies in the other, and 90 if a direction of one is orthogonal to the other.
	Angle float64 `json:"angle"`

	// Cosines holds |cos| of the angle between each component and the one of the older model that it
	// follows.
	Cosines []float64 `json:"cosines"`
}

// Alignment compares the model with that of Options.Align; nil without one.
func (m *Model) Alignment() *Alignment {
	if m.alignment == nil {
		return nil
	}
	a := *m.alignment
	a.Added, a.Removed, a.Cosines = slices.Clone(a.Added), slices.Clone(a.Removed), slices.Clone(a.Cosines)
	return &a
}

// String describes it in words.
func (a *Alignment) String() string {
	return fmt.Sprintf("%d of %d columns kept (overlap %.2f), components turned by up to %.1f°", a.Kept, a.Kept+len(a.Added), a.Overlap, a.Angle)
}

// warm returns the support that WarmStart stands for among columns of these names.
func (o Options) warm(names []string) ([][]int, error) {
	if o.WarmStart == nil {
		return nil, nil
	}
	older := lists.Set(o.WarmStart.features)
	support := lists.Places(len(names), func(j int) bool { return older[names[j]] })
	if support == nil {
		hint, first := "", o.WarmStart.features[0]
		if near := spelling.Nearest(first, names); near != "" {
			hint = fmt.Sprintf(" (the nearest to %q is %q)", first, near)
		}
		return nil, fmt.Errorf("fspca: warm start: none of the %s of the older model is among the %d here%s", words.Count(len(o.WarmStart.features), "column"), len(names), hint)
	}
	return [][]int{support}, nil
}

// follow puts the components into the order of those of old that they are nearest to in all, with their signs.
// It notes how the two stand to each other. Components that follow none come last.
func (m *Model) follow(old *Model) {
	mine, theirs := onUnion(m, old)
	var c mat.Dense // cosines: a row for each component of old
	c.Mul(unitColumns(theirs).T(), unitColumns(mine))
	order, signs, cosines := matched(&c)
	m.arrange(order, signs)
	a := &Alignment{Added: lists.Without(m.features, old.features), Removed: lists.Without(old.features, m.features), Cosines: cosines, Angle: largestAngle(mine, theirs)}
	a.Kept = len(m.features) - len(a.Added)
	a.Overlap = float64(a.Kept) / float64(a.Kept+len(a.Added)+len(a.Removed))
	m.alignment = a
}

// onUnion returns the loadings of both on all columns that either has.
func onUnion(a, b *Model) (x, y *mat.Dense) {
	place := lists.Index(slices.Concat(a.features, lists.Without(b.features, a.features)))
	on := func(m *Model) *mat.Dense {
		w := mat.NewDense(len(place), len(m.variances), nil)
		for i, name := range m.features {
			w.SetRow(place[name], m.loadings.RawRowView(i))
		}
		return w
	}
	return on(a), on(b)
}

// unitColumns returns w with columns of norm 1; what is 0 stays.
func unitColumns(w *mat.Dense) *mat.Dense {
	u := mat.DenseCopyOf(w)
	_, m := u.Dims()
	for j := range m {
		column := u.ColView(j)
		if norm := mat.Norm(column, 2); norm > 0 {
			column.(*mat.VecDense).ScaleVec(1/norm, column)
		}
	}
	return u
}

// matched pairs the rows and columns of c, so that the pairs have the largest magnitudes in sum. It returns the
// columns in the order of the rows, then those without, and their signs.
func matched(c *mat.Dense) (order []int, signs, cosines []float64) {
	of, taken := assigned(c)
	for i, j := range of {
		if j < 0 {
			continue
		}
		sign := 1.0
		if c.At(i, j) < 0 {
			sign = -1
		}
		order, signs, cosines = append(order, j), append(signs, sign), append(cosines, min(1, math.Abs(c.At(i, j))))
	}
	for j, t := range taken {
		if !t {
			order, signs = append(order, j), append(signs, 1)
		}
	}
	return order, signs, cosines
}

// arrange puts component order[j] with signs[j] in place j.
func (m *Model) arrange(order []int, signs []float64) {
	k, c := m.loadings.Dims()
	w := mat.NewDense(k, c, nil)
	for i := range k {
		for j, from := range order {
			w.Set(i, j, signs[j]*m.loadings.At(i, from)+0)
		}
	}
	m.loadings, m.variances = w, lists.At(m.variances, order)
}

// largestAngle returns the largest principal angle between the spaces of the columns, in degrees. Small
// angles come from the sines, which cosines near 1 cannot tell apart.
func largestAngle(x, y *mat.Dense) float64 {
	u, v := basis(x), basis(y)
	if u == nil || v == nil {
		return 0
	}
	_, p := u.Dims()
	_, q := v.Dims()
	if p > q { // components beyond the rank are 0, and count in neither space
		u, v = v, u
	}
	var c, rest mat.Dense
	c.Mul(v.T(), u)
	rest.Mul(v, &c)
	rest.Sub(u, &rest) // what of u lies outside of v
	var svd mat.SVD
	if !svd.Factorize(&rest, mat.SVDNone) {
		return 0
	}
	sine := min(1, svd.Values(nil)[0])
	return math.Asin(sine) * 180 / math.Pi
}

// basis returns orthonormal columns that span those of w, nil for none.
func basis(w *mat.Dense) *mat.Dense {
	var svd mat.SVD
	if !svd.Factorize(unitColumns(w), mat.SVDThinU) {
		return nil
	}
	values := svd.Values(nil) // descending
	rank := lists.Count(values, func(v float64) bool { return v > 1e-10*values[0] })
	if rank == 0 {
		return nil
	}
	var u mat.Dense
	svd.UTo(&u)
	n, _ := u.Dims()
	return mat.DenseCopyOf(u.Slice(0, n, 0, rank))
}

// checkAlignment reports what is wrong with an alignment that was read.
func (m *Model) checkAlignment(bad func(string, ...any)) {
	a := m.alignment
	if a == nil {
		return
	}
	if a.Kept < 0 || a.Kept+len(a.Added) != len(m.features) {
		bad("the field \"alignment.kept\" is %d and \"alignment.added\" has %d names, want the %d features together", a.Kept, len(a.Added), len(m.features))
	}
	if !(a.Overlap >= 0 && a.Overlap <= 1) {
		bad("the field \"alignment.overlap\" is %v, want a share from 0 to 1", a.Overlap)
	}
	if !(a.Angle >= 0 && a.Angle <= 90) {
		bad("the field \"alignment.angle\" is %v, want degrees from 0 to 90", a.Angle)
	}
	if len(a.Cosines) > len(m.variances) {
		bad("the field \"alignment.cosines\" has %d numbers, more than options.components = %d", len(a.Cosines), len(m.variances))
	}
}
