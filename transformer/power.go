package transformer

import (
	"fmt"
	"io"
	"math"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

const powerStep = "power"

// Power makes numeric columns more nearly normal: the transformation of Yeo and Johnson with the
// maximum-likelihood λ of each column, then mean 0 and variance 1 (over n, like scikit-learn's
// PowerTransformer).
//
// If cells are so similar, or so large, that their powers are equal in float64, λ is limited to
// values where they differ; or 1. A column that does not vary (WithinRounding) has λ = 1 and is
// only centred. Missing cells are errors as in Center. Categorical columns pass through. The zero
// value is ready for Fit.
//
// I. Yeo, R. Johnson: A new family of power transformations to improve normality or symmetry,
// Biometrika 87, 2000.
type Power struct {
	// Raw leaves out the standardisation to mean 0 and variance 1.
	Raw bool

	derived[powerOptions, powerMap]
}

var _ Transformer = (*Power)(nil)

type powerOptions struct {
	Raw bool `json:"raw"`
}

// powerMap maps x ↦ (ψ(x, Lambda) − Shift)/Scale. Where the column did not vary, what differs from
// Shift by rounding alone maps to 0.
type powerMap struct {
	Lambda   float64 `json:"lambda"`
	Shift    float64 `json:"shift"`
	Scale    float64 `json:"scale"`
	Constant bool    `json:"constant,omitempty"`
}

var powerRecipe = &recipe[powerOptions, powerMap]{
	step:     powerStep,
	complete: true,
	outside:  "is too far outside of what the step was fitted on: its power is not finite",
	number: func(m *powerMap, _ string) func(float64) float64 {
		scale := affineMap{m.Shift, m.Scale, m.Constant}
		lambda := m.Lambda
		return func(v float64) float64 { return scale.of(yeoJohnson(v, lambda)) }
	},
	check: func(_ powerOptions, c derivedColumn[powerMap], part string) error {
		if err := needsKind(c, numeric, part); err != nil {
			return err
		}
		if !(c.Learned.Scale > 0) {
			return fmt.Errorf(`column %q: the field "scale" is %v, want a number above 0`, c.Name, c.Learned.Scale)
		}
		return nil
	},
}

// Fit finds λ of each numeric column, and the mean and the standard deviation of the result.
func (p *Power) Fit(grid base.FixedDataGrid) error {
	return p.fit(powerRecipe, powerOptions{p.Raw}, grid, func(f *dataset.Frame) ([]derivedColumn[powerMap], []derivedOutput, error) {
		ms, err := measured(powerStep, f)
		if err != nil {
			return nil, nil, err
		}
		return learnEach(f, numeric, func(_, j int) *powerMap {
			return learnPower(mat.Col(nil, j, f.Numeric()), ms[j], p.Raw)
		})
	})
}

// learnPower learns the map of a column with cells v and moments m. It overwrites v.
func learnPower(v []float64, m moments, raw bool) *powerMap {
	if m.constant() {
		if raw {
			return &powerMap{Lambda: 1, Scale: 1}
		}
		return &powerMap{Lambda: 1, Shift: m.mean, Scale: 1, Constant: true}
	}
	out := &powerMap{Lambda: likeliestPower(v, m), Scale: 1}
	if raw {
		return out
	}
	for i, x := range v {
		v[i] = yeoJohnson(x, out.Lambda)
	}
	t := measureColumn(v)
	out.Shift, out.Scale = t.mean, t.sd*math.Sqrt(float64(t.count-1)/float64(t.count))
	return out
}

// Transform yields the columns Outputs and passes the class through.
func (p *Power) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return p.transform(powerStep, grid)
}

// Narrow returns a copy for the named columns alone.
func (p *Power) Narrow(outputs []string) (Transformer, error) {
	return narrowed(p, powerStep, outputs)
}

// Lambdas returns λ of each numeric column, by name; nil before Fit.
func (p *Power) Lambdas() map[string]float64 {
	if p.state == nil {
		return nil
	}
	out := make(map[string]float64)
	for _, c := range p.state.columns {
		if c.Learned != nil {
			out[c.Name] = c.Learned.Lambda
		}
	}
	return out
}

// Save writes the fitted step as JSON of type "power".
func (p *Power) Save(w io.Writer) error { return p.save(w, powerStep) }

// Load reads what Save wrote, with the option. After an error the step is unchanged.
func (p *Power) Load(r io.Reader) error {
	return p.load(r, powerRecipe, func(o powerOptions) { p.Raw = o.Raw })
}

// Filter returns the mapping as golearn's Filter; see Center.Filter for its use.
func (p *Power) Filter() base.Filter { return p.filter(powerStep) }
