package selector

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/saved"
	"github.com/fspca/fspca/solver/reconstruction"
)

// rebuilt is what gives all columns (but the excluded) from the components.
type rebuilt struct {
	names []string
	mean  []float64  // nil if none is subtracted
	scale []float64  // nil if they are not divided
	d     *mat.Dense // a row of m for each column

	chances []chance // nil if none are kept
}

// rebuilder computes the decoder of m, also after ctx has ended.
func (o Options) rebuilder(ctx context.Context, t *table, m *Model) (*rebuilt, error) {
	_, exclude, err := o.lists(t.names)
	if err != nil {
		return nil, err
	}
	d, err := reconstruction.Decoder(context.WithoutCancel(ctx), t.a, m.support, m.loadings, exclude, o.Ridge)
	if err != nil {
		return nil, fmt.Errorf("fspca: decoder: %w", err)
	}
	kept := lists.Places(len(t.names), func(j int) bool { return !slices.Contains(exclude, j) })
	r := &rebuilt{names: lists.At(t.names, kept), mean: lists.Pick(t.mean, kept), scale: lists.Pick(t.scale, kept), d: mat.NewDense(len(kept), len(m.variances), nil)}
	for p, j := range kept {
		r.d.SetRow(p, d.RawRowView(j))
	}
	r.chances, err = o.chances(ctx, t, m, kept)
	return r, err
}

// ErrNoDecoder is returned by a model that was fitted without Options.Decoder.
var ErrNoDecoder = errors.New("the model holds no decoder: fit it with the option decoder (--decoder)")

// Rebuilt returns the names of the columns that ReconstructAll gives: all d in the order of the fit,
// except Options.Exclude. Nil without Options.Decoder.
func (m *Model) Rebuilt() []string {
	if m.rebuilt == nil {
		return nil
	}
	return slices.Clone(m.rebuilt.names)
}

// decodes returns an error for a model without a decoder.
func (m *Model) decodes() error {
	if err := m.fitted(); err != nil {
		return err
	}
	if m.rebuilt == nil {
		return fmt.Errorf("fspca: %w", ErrNoDecoder)
	}
	return nil
}

// ReconstructAll returns all columns (see Rebuilt) rebuilt from the components z (n×m) by least squares,
// in the units of the table: z·Dᵀ·scale + mean. A column that did not vary gives its mean. Errors:
// ErrNoDecoder, another number of components.
func (m *Model) ReconstructAll(z *mat.Dense) (*mat.Dense, error) {
	if err := m.decodes(); err != nil {
		return nil, err
	}
	r := m.rebuilt
	if z == nil || z.IsEmpty() {
		return nil, errors.New("fspca: the matrix is nil or empty: want rows to reconstruct")
	}
	n, p := z.Dims()
	if c := len(m.variances); p != c {
		return nil, fmt.Errorf("fspca: cannot reconstruct from a %d×%d matrix: want rows of the m = %d components", n, p, c)
	}
	return rebuild(z, r.d, r.scale, r.mean), nil
}

// Rebuild reconstructs all columns from the chosen ones of grid, and adds its class: ReconstructAll of its
// components. See Transform for what grid must hold.
func (m *Model) Rebuild(grid base.FixedDataGrid) (*dataset.Frame, error) {
	if err := m.decodes(); err != nil {
		return nil, err
	}
	z, err := m.Transform(grid, Projection)
	if err != nil {
		return nil, err
	}
	x, err := m.ReconstructAll(z.Numeric())
	if err != nil {
		return nil, err
	}
	return assembled(x, m.rebuilt.names, z.ClassName(), z.Class())
}

// Evaluation is how well a model rebuilds other rows.
type Evaluation struct {
	Rows int `json:"rows"`

	// R2 is 1 − (sum of squared errors)/(sum of squares about the means of the fit) over all columns. With
	// Options.Standardize each column is divided by its scale. It is negative if the means alone predict
	// better, and nil if no column differs from its mean.
	R2 *float64 `json:"r2,omitempty"`

	Columns []ColumnEvaluation `json:"columns"` // as Model.Rebuilt

	// Residuals holds the root mean squared error of each row over the columns; with Options.Standardize
	// each column is divided by its scale.
	Residuals []float64 `json:"residuals"`

	// Random is what R2 compares with: the mean R² on these rows of 10 random choices of as many
	// columns. Each has as many components, and a decoder from the rows of the fit. Nil where
	// the model keeps none, since they would take much.
	Random *float64 `json:"random,omitempty"`

	// RandomInFit and Noise are the figures of the fit, of least squares on k columns; see Reconstruction.
	RandomInFit *float64 `json:"random_in_fit,omitempty"`
	Noise       *float64 `json:"noise,omitempty"`
}

// ColumnEvaluation is R² of one column; nil if its rows do not differ from the mean of the fit, but for
// rounding (transformer.WithinRounding).
type ColumnEvaluation struct {
	Name string   `json:"name"`
	R2   *float64 `json:"r2,omitempty"`
}

// Evaluate compares all columns of grid (see Rebuilt) with their reconstruction from the chosen ones. The
// columns may be in any order. They must be numeric and complete.
func (m *Model) Evaluate(grid base.FixedDataGrid) (*Evaluation, error) {
	return m.EvaluateWeighted(grid, nil)
}

// EvaluateWeighted is Evaluate with a weight for each row, as in FSPCA.FitWeighted; nil for 1 each. Any
// sum above 0 will do. The residuals are those of the rows without weights.
func (m *Model) EvaluateWeighted(grid base.FixedDataGrid, weights []float64) (*Evaluation, error) {
	e, err := m.NewEvaluator()
	if err != nil {
		return nil, err
	}
	if err := e.Add(grid, weights); err != nil {
		return nil, err
	}
	if weights != nil {
		if err := checkCounts(weights, "", nil); err != nil {
			return nil, err
		}
	}
	return e.Evaluation(), nil
}

// explained is 1 − miss/all, nil where there is nothing to explain.
func explained(miss, all float64) *float64 {
	if !(all > 0) {
		return nil
	}
	return known(1 - miss/all)
}

type fileDecoder struct {
	Name  string    `json:"name"`
	Mean  *float64  `json:"mean,omitempty"`
	Scale *float64  `json:"scale,omitempty"`
	D     []float64 `json:"d"`
}

// file returns the objects of the model file.
func (r *rebuilt) file() (decoder []fileDecoder, chances []fileChance) {
	decoder = lists.Make(len(r.names), func(j int) fileDecoder {
		return fileDecoder{r.names[j], entry(r.mean, j), entry(r.scale, j), r.d.RawRowView(j)}
	})
	for _, c := range r.chances {
		chances = append(chances, fileChance{c.at, saved.Rows(c.v), saved.Rows(c.d)})
	}
	return decoder, chances
}

// readDecoder reads the decoder.
func (m *Model) readDecoder(o *object) {
	var all []fileDecoder
	o.get("decoder", &all)
	r := &rebuilt{}
	c := m.options.Components
	if len(all) == 0 || c < 1 {
		return
	}
	r.d = mat.NewDense(len(all), c, nil)
	for j, f := range all {
		if len(f.D) != c {
			o.bad("the field \"decoder[%d].d\" has %d numbers, want components = %d", j, len(f.D), c)
			return
		}
		r.names = append(r.names, f.Name)
		r.d.SetRow(j, f.D)
		if f.Mean != nil {
			r.mean = append(r.mean, *f.Mean)
		}
		if f.Scale != nil {
			r.scale = append(r.scale, *f.Scale)
		}
	}
	m.rebuilt = r
}

// checkDecoder reports what is wrong with a decoder that was read.
func (m *Model) checkDecoder(bad func(string, ...any)) {
	r := m.rebuilt
	if (r != nil) != m.options.Decoder {
		bad("the field \"options.decoder\" is %v, but there is a decoder: %v", m.options.Decoder, r != nil)
	}
	if r == nil {
		return
	}
	n := len(r.names)
	if n > m.columns {
		bad("the field \"decoder\" has %d elements, more than data.columns = %d", n, m.columns)
	}
	if (m.mean != nil) != (r.mean != nil) || r.mean != nil && len(r.mean) != n {
		bad("the fields \"decoder[].mean\" are %d of %d, want one in each exactly where features have one", len(r.mean), n)
	}
	if (m.scale != nil) != (r.scale != nil) || r.scale != nil && len(r.scale) != n {
		bad("the fields \"decoder[].scale\" are %d of %d, want one in each exactly where features have one", len(r.scale), n)
	}
	for j, s := range r.scale {
		if !(s > 0) {
			bad("the field \"decoder[%d].scale\" is %v, want a number above 0", j, s)
		}
	}
	m.checkRebuiltNames(bad)
}

// checkRebuiltNames reports chosen columns that are not rebuilt.
func (m *Model) checkRebuiltNames(bad func(string, ...any)) {
	r := m.rebuilt
	have := lists.Set(r.names)
	for _, name := range m.features {
		if !have[name] {
			bad("the field \"decoder\" lacks the chosen column %q", name)
		}
	}
}
