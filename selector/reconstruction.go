package selector

import (
	"context"
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/reconstruction"
)

// Reconstruction says how well the chosen columns predict all columns (except Options.Exclude): R²,
// the share of their total variance, from 0 to 1, on the rows of the fit. A figure that was not
// computed is nil.
type Reconstruction struct {
	// R2 is that of least squares on the k chosen columns, and R2Components on the m components alone.
	R2           *float64 `json:"r2,omitempty"`
	R2Components *float64 `json:"r2_components,omitempty"`

	// Noise is what k of as many columns of independent noise reach in as many rows; PCA what the k
	// leading components of dense PCA reach, more than any k columns, where that costs no more than
	// the fit; Random the mean of 10 random choices of k columns. Columns that do not vary count in
	// neither Noise nor Random.
	Noise  *float64 `json:"noise,omitempty"`
	PCA    *float64 `json:"pca,omitempty"`
	Random *float64 `json:"random,omitempty"`

	// MaxCorrelation is the largest |r| among the chosen columns; nil for one column. Pair names two
	// that have it.
	MaxCorrelation *float64 `json:"max_correlation,omitempty"`
	Pair           []string `json:"pair,omitempty"`

	// HeldOut holds the same figures on rows held out, which fspca run adds; a model has none.
	HeldOut *HeldOut `json:"held_out,omitempty"`

	// Columns has an entry for each column that was not chosen and is not excluded, in the order of
	// the table. It is nil for more than 10000 columns.
	Columns []ColumnFigure `json:"columns,omitempty"`
}

// ColumnFigure says how well the chosen columns predict another column.
type ColumnFigure struct {
	Name string `json:"name"`

	// R2 is that of least squares on the chosen columns; nil for a column that does not vary. Nearest is
	// the chosen column with the largest |correlation|, and Correlation is that correlation.
	R2          *float64 `json:"r2,omitempty"`
	Nearest     string   `json:"nearest,omitempty"`
	Correlation *float64 `json:"correlation,omitempty"`
}

const (
	// figureColumns is the number of columns up to which each has its figures.
	figureColumns = 10000

	// randomChoices is the number of random choices whose mean R² stands beside.
	randomChoices = 10

	// figureWork bounds the multiplications for the random choices (rows × columns × k ×
	// choices). figureOrder and figureRows bound the columns or rows for dense PCA's figure. So
	// all figures cost no more than a fit.
	figureWork  = 1 << 27
	figureOrder = 1000
	figureRows  = 200

	// nearCopy is |r| from which two columns count as copies or near-copies.
	nearCopy = 0.95

	// tied is |r| from which a column can stand for another.
	tied = 1 - 1e-9
)

// Reconstruction returns how well the choice predicts all columns: R2Components and MaxCorrelation, and
// with Options.Reconstruction all figures. It is nil in a model from an older file.
func (m *Model) Reconstruction() *Reconstruction {
	if m.figures == nil {
		return nil
	}
	f := *m.figures
	for _, figure := range f.figures() {
		*figure.at = copied(*figure.at)
	}
	f.Pair, f.Columns = slices.Clone(f.Pair), slices.Clone(f.Columns)
	for i := range f.Columns {
		c := &f.Columns[i]
		c.R2, c.Correlation = copied(c.R2), copied(c.Correlation)
	}
	return &f
}

// copied returns a number of its own.
func copied(v *float64) *float64 {
	if v == nil {
		return nil
	}
	w := *v
	return &w
}

// describe computes the figures of m, also after ctx has ended: without those that cost much then.
func (o Options) describe(ctx context.Context, t *table, m *Model, solution *solver.Solution) error {
	params, err := o.params(t.names)
	if err != nil {
		return err
	}
	q := o.question(ctx, t, params)
	q.Told, q.Block = solution.Told, solution.Block
	if cost := params.Limits.Cost; cost != nil {
		m.spent = lists.Sum(lists.At(cost, m.support))
	}
	f, err := reconstruction.Describe(context.WithoutCancel(ctx), t.a, m.support, m.loadings, q)
	if err != nil {
		return fmt.Errorf("fspca: reconstruction: %w", err)
	}
	if m.scree = t.scree; m.scree == nil && f.Variances != nil {
		m.scree = &Scree{Variances: f.Variances}
	}
	m.figures = &Reconstruction{R2: known(f.R2), R2Components: known(f.R2Components), Noise: known(f.Noise), PCA: known(f.PCA), Random: known(f.Random)}
	if f.Pair != nil {
		m.figures.MaxCorrelation, m.figures.Pair = known(f.MaxCorrelation), lists.At(t.names, f.Pair)
	}
	if q.Columns {
		m.figures.Columns = columnFigures(t, m, f, params.Exclude)
	}
	return nil
}

// question says which figures are computed, k being what the parameters say: also after ctx has ended, but
// then only those that cost next to nothing.
func (o Options) question(ctx context.Context, t *table, p solver.Params) reconstruction.Question {
	q := reconstruction.Question{Rows: t.count(), Rank: o.rank(t), Exclude: p.Exclude, Unmeasured: p.Limits.Unmeasured, Seed: o.Seed}
	if o.Reconstruction && ctx.Err() == nil && !t.costly {
		n, d, k := max(1, t.rows), len(t.names), p.Features
		q.R2, q.Columns, q.PCA = true, d <= figureColumns, o.affordsPCA(t)
		if float64(n)*float64(d)*float64(k)*randomChoices <= figureWork {
			q.Random = randomChoices
		}
	}
	return q
}

// rank returns the largest number of columns of the rows that can be independent, 0 where that is not known.
func (o Options) rank(t *table) int {
	if t.rows > 1 && !o.Uncentered {
		return t.rows - 1
	}
	return t.rows
}

// affordsPCA reports whether dense PCA's figure costs no more than the fit. For rows that the fit works
// with as they are it takes the matrix that the fit does without.
func (o Options) affordsPCA(t *table) bool {
	if t.rows > 0 && t.rows <= figureRows {
		return true
	}
	if rows, ok := t.a.(*solver.Data); ok {
		switch route := rows.Route(); {
		case route == solver.RouteGram && len(o.Exclude) == 0:
			return true
		case route == solver.RouteImplicit && !o.forms():
			return false
		}
	}
	return len(t.names) <= figureOrder
}

// forms reports whether the fit forms a covariance of moderate order whatever its route.
func (o Options) forms() bool {
	return o.reconstructs() || o.Effort == string(solver.EffortThorough) || o.Effort == string(solver.EffortExact)
}

// known returns a figure unless it is NaN.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// columnFigures returns an entry for each column that was neither chosen nor excluded.
func columnFigures(t *table, m *Model, f *reconstruction.Figures, exclude []int) []ColumnFigure {
	var all []ColumnFigure
	for j, c := range f.Columns {
		if _, chosen := slices.BinarySearch(m.support, j); chosen || slices.Contains(exclude, j) {
			continue
		}
		entry := ColumnFigure{Name: t.names[j], R2: known(c.R2)}
		if c.Nearest >= 0 {
			r := math.Round(1e6*c.Correlation)/1e6 + 0
			if math.Abs(c.Correlation) >= tied { // what rounding would hide
				r = c.Correlation
			}
			entry.Nearest, entry.Correlation = t.names[c.Nearest], &r
		}
		all = append(all, entry)
	}
	return all
}

// Warnings returns sentences about the choice: copies among the chosen columns, columns that could replace a
// chosen one, and, with Options.Reconstruction or Options.Decoder, few rows.
func (m *Model) Warnings() []string {
	f := m.figures
	if f == nil {
		return nil
	}
	var all []string
	if r := f.MaxCorrelation; r != nil && *r > nearCopy {
		what := "near-copies"
		if *r >= tied {
			what = "copies"
		}
		all = append(all, fmt.Sprintf("%q and %q are %s of each other (|r| = %.4g): max_correlation (--max-correlation) keeps such columns apart", f.Pair[0], f.Pair[1], what, *r))
	}
	barred := m.unmeasured()
	for _, c := range f.Columns {
		if c.Correlation != nil && math.Abs(*c.Correlation) >= tied && !slices.Contains(barred, c.Name) {
			all = append(all, fmt.Sprintf("the choice is a tie: %q has the same information as the chosen %q", c.Name, c.Nearest))
			break
		}
	}
	if note := m.noiseNote(); note != "" {
		all = append(all, note)
	}
	return all
}

// noiseNote compares R² with that of noise. It is empty where that is small, where R² is not known, and where
// all columns that vary are chosen: then R² is 1, whatever they are.
func (m *Model) noiseNote() string {
	f := m.figures
	if f.Noise == nil || *f.Noise <= noisy || f.R2 == nil && m.rebuilt == nil {
		return ""
	}
	of, few, rows := words.Count(len(m.support), "column"), true, m.count()
	if k := float64(len(m.support)); k < rows-1 {
		rest := k / (rows - 1)
		share := (*f.Noise - rest) / (1 - rest) // k of d columns: see reconstruction.Figures.Noise
		if share > 1-1e-9 {
			return ""
		}
		of, few = fmt.Sprintf("%.0f of %.0f columns", k, k/share), *f.Noise-share > fewRows
	}
	advice := "compare R² with that, not with 0"
	if few {
		advice = "R² on other rows can be far lower"
	}
	return fmt.Sprintf("noise alone would reach R² = %.2f with %s in %.6g rows: %s", *f.Noise, of, rows, advice)
}

// unmeasured returns the columns left out that Options.Unmeasured names.
func (m *Model) unmeasured() []string {
	names := lists.Map(m.figures.Columns, func(c ColumnFigure) string { return c.Name })
	at, _ := pattern.Expand(m.options.Unmeasured, names)
	return lists.At(names, at)
}

const (
	noisy   = 0.3  // the R² by noise alone that is worth a note
	fewRows = 0.05 // the part of it that other rows lack, since it comes from few rows and not from many columns
)

// decoderOf returns the k×m block of the decoder D = A_·S·V on the chosen columns.
func decoderOf(ctx context.Context, t *table, support []int, loadings *mat.Dense) (*mat.Dense, error) {
	block, err := t.a.Block(context.WithoutCancel(ctx), support)
	if err != nil {
		return nil, err
	}
	var d mat.Dense
	d.Mul(block, loadings)
	return &d, nil
}
