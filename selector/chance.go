package selector

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/saved"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/reconstruction"
)

// chance is a random choice of as many columns, with what rebuilds all columns from as many components of
// them, for Model.Evaluate to compare with. Places are among those of the decoder.
type chance struct {
	at []int
	v  *mat.Dense // k×m
	d  *mat.Dense // a row of m for each column
}

// chanceNumbers bounds how many numbers the random choices of a model take, ten times those of its decoder:
// 5 MB of a file.
const chanceNumbers = 1 << 18

// chances draws what is kept of random choices beside a decoder of kept columns; nil where it takes much,
// and where ctx ends before.
func (o Options) chances(ctx context.Context, t *table, m *Model, kept []int) ([]chance, error) {
	n, d, k, c := max(1, t.rows), len(t.names), len(m.support), len(m.variances)
	if t.costly || ctx.Err() != nil || float64(n)*float64(d)*float64(k)*randomChoices > figureWork ||
		randomChoices*float64(c)*float64(len(kept)+k) > chanceNumbers {
		return nil, nil
	}
	params, err := o.params(t.names)
	if err != nil {
		return nil, err
	}
	drawn, err := reconstruction.Chances(ctx, t.a, o.chanceParams(k, c, params))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, nil // the choice is there without them
	case err != nil:
		return nil, fmt.Errorf("fspca: decoder: random choices: %w", err)
	}
	all := make([]chance, len(drawn))
	for i, from := range drawn {
		all[i] = chance{v: from.Loadings, d: mat.NewDense(len(kept), c, nil)}
		for p, j := range kept {
			all[i].d.SetRow(p, from.Decoder.RawRowView(j))
		}
		for _, j := range from.Support {
			p, _ := slices.BinarySearch(kept, j)
			all[i].at = append(all[i].at, p)
		}
	}
	return all, nil
}

// chanceParams are those of random choices of k columns with m components.
func (o Options) chanceParams(k, m int, p solver.Params) reconstruction.ChanceParams {
	return reconstruction.ChanceParams{
		Count: randomChoices, Features: k, Components: m, Exclude: p.Exclude, Unmeasured: p.Limits.Unmeasured,
		Seed: o.Seed, Rebuild: o.reconstructs(), Ridge: o.Ridge,
	}
}

// misses returns the sum of squares that a choice leaves of a row, centred and scaled; z is room for m.
func (c *chance) misses(row, z []float64) float64 {
	clear(z)
	for p, j := range c.at {
		for t, w := range c.v.RawRowView(p) {
			z[t] += w * row[j]
		}
	}
	var sum float64
	for j, v := range row {
		for t, w := range c.d.RawRowView(j) {
			v -= w * z[t]
		}
		sum += v * v
	}
	return sum
}

// fileChance is an object of the model file.
type fileChance struct {
	Columns []int       `json:"columns"` // places in the decoder
	W       [][]float64 `json:"w"`       // of each of them
	D       [][]float64 `json:"d"`       // of each element of the decoder
}

// readChances reads them, after the decoder.
func (m *Model) readChances(o *object) {
	var all []fileChance
	o.get("random_choices", &all)
	r, k, c := m.rebuilt, len(m.features), m.options.Components
	if r == nil {
		return // said by checkDecoder
	}
	d := len(r.names)
	for i, f := range all {
		size := len(f.Columns) // below k where fewer columns vary
		one := chance{at: f.Columns, v: denseOf(f.W, size, c), d: denseOf(f.D, d, c)}
		if size < 1 || size > k || one.v == nil || one.d == nil {
			o.bad("the field \"random_choices[%d]\" has %d columns, %d rows of w and %d of d: want 1 to %d, as many and %d, each of %d numbers",
				i, size, len(f.W), len(f.D), k, d, c)
			return
		}
		for p, j := range f.Columns {
			if j < 0 || j >= d || p > 0 && j <= f.Columns[p-1] {
				o.bad("the field \"random_choices[%d].columns\" is not an ascending list of places 0 to %d", i, d-1)
				return
			}
		}
		r.chances = append(r.chances, one)
	}
}

// denseOf returns the n×c matrix of rows, nil where it is none.
func denseOf(rows [][]float64, n, c int) *mat.Dense {
	if len(rows) != n || n == 0 || c < 1 || slices.ContainsFunc(rows, func(row []float64) bool { return len(row) != c }) {
		return nil
	}
	return saved.Dense(rows)
}
