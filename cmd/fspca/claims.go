package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/internal/verify"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
)

// verifiedColumns is the largest order of a covariance that verify forms: 200 MB.
const verifiedColumns = 5000

// claims are those of a model, with the covariance that they are about.
type claims struct {
	verify.Claims
	a       *mat.SymDense
	names   []string
	ranges  *verify.Ranges // nil without rows
	rebuilt bool           // the criterion is reconstruction
}

// claims reads the data that a model was fitted on.
func (f *fitFlags) claims(cmd *cobra.Command, path string, m *selector.Model) (*claims, error) {
	o := m.Options()
	f.covariance = f.covariance || m.Rows() == 0
	f.Options.Weight = o.Weight
	c := &claims{rebuilt: m.Criterion() == selector.CriterionReconstruction}
	found, err := c.read(cmd, f, path, o)
	if err != nil {
		return nil, err
	}
	if len(c.names) != m.Columns() {
		return nil, at(path, fmt.Errorf("the model was fitted on %s, but the data have %d: give the flags of the fit, such as --label and --drop", words.Count(m.Columns(), "column"), len(c.names)))
	}
	bound := m.Bound()
	c.Claims = verify.Claims{W: m.Loadings(), Values: m.ExplainedVariance(), Objective: m.Objective(), Total: m.TotalVariance(), UpperBound: bound.Upper, Proved: bound.Proved, Features: o.Features,
		Leading: m.LeadingVariance(), Projection: verify.Projection{Mean: m.Mean(), Scale: m.Scale()}, Data: found}
	if c.Figures, err = figuresOf(m); err != nil {
		return nil, err
	}
	c.Ranges = c.ranges
	c.Normalise(c.a, c.rebuilt)
	for _, name := range m.Features() {
		j := slices.Index(c.names, name)
		if j < 0 {
			return nil, at(path, fmt.Errorf("no column is called %q, which the model has chosen", name))
		}
		c.Support = append(c.Support, j)
	}
	c.Include, _ = pattern.Expand(o.Include, c.names)
	c.Exclude, _ = pattern.Expand(o.Exclude, c.names)
	c.Unmeasured, _ = pattern.Expand(o.Unmeasured, c.names)
	c.Unmeasured = slices.DeleteFunc(c.Unmeasured, func(j int) bool { return slices.Contains(c.Exclude, j) })
	return c, c.limit(o)
}

// figuresOf returns what the file of a model says beside its choice.
func figuresOf(m *selector.Model) (*verify.Figures, error) {
	f := new(verify.Figures)
	b, err := m.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(b, f)
	}
	return f, err
}

// read finds the covariance and the projection of the data.
func (c *claims) read(cmd *cobra.Command, f *fitFlags, path string, o selector.Options) (p verify.Projection, err error) {
	d, err := f.read(cmd, path, 0)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, d.release()) }()
	restore := f.memory.keepIfGiven()
	defer restore()
	c.a, c.names, p, c.ranges, err = d.plain(cmd.Context(), o)
	return p, at(path, err)
}

// limit reads which columns may stand together.
func (c *claims) limit(o selector.Options) error {
	r := &verify.Rules{MaxCorrelation: o.MaxCorrelation}
	for _, p := range slices.Sorted(maps.Keys(o.Groups)) {
		columns, _ := pattern.Expand([]string{p}, c.names)
		r.Groups = append(r.Groups, verify.Group{Columns: columns, Most: o.Groups[p]})
	}
	if o.Cost != nil {
		if c.Features == 0 {
			c.Features = len(c.names)
		}
		r.Budget = o.Cost.Budget
		var err error
		if r.Cost, err = o.Costs(c.names); err != nil {
			return err
		}
	}
	if r.MaxCorrelation != 0 || r.Groups != nil || r.Cost != nil {
		c.Rules = r
	}
	return nil
}

// barred are the columns that may not be chosen.
func (c *claims) barred() []int { return slices.Concat(c.Exclude, c.Unmeasured) }

// states reports what a certificate says of another problem.
func (c *claims) states(proof *verify.Certificate) error {
	k, m := c.W.Dims()
	switch {
	case !slices.Equal(proof.Columns, c.names):
		return errors.New("its columns differ from those of the data")
	case proof.Features != k || proof.Parts != m:
		return fmt.Errorf("it is for k = %d and m = %d, but the model has k = %d and m = %d", proof.Features, proof.Parts, k, m)
	case !slices.Equal(proof.Include, c.Include) || !slices.Equal(proof.Exclude, c.barred()):
		return errors.New("its included and excluded columns differ from the model's")
	case !reflect.DeepEqual(proof.Rules, c.Rules):
		return errors.New("its limits differ from the model's")
	}
	return nil
}

// plain returns the covariance of what was read, its columns, how these are projected, and what its rows are like.
func (d *source) plain(ctx context.Context, o selector.Options) (a *mat.SymDense, names []string, p verify.Projection, ranges *verify.Ranges, err error) {
	if d.covariance != nil {
		a := mat.NewSymDense(len(d.names), nil)
		a.CopySym(d.covariance)
		if o.Standardize {
			for j := range d.names {
				p.Scale = append(p.Scale, math.Sqrt(a.At(j, j)))
			}
			verify.Standardize(a)
		}
		return a, d.names, p, nil, nil
	}
	frame := d.frame
	if d.sparse != nil {
		if frame, err = d.sparse.Dense(); err != nil {
			return nil, nil, p, nil, err
		}
	}
	t := d.tableRows(ctx, frame)
	if len(t.names) > verifiedColumns {
		return nil, nil, p, nil, fmt.Errorf("the table has %d columns, and verify forms the covariance of at most %d", len(t.names), verifiedColumns)
	}
	if names = t.without(o.Weight); len(names) == 0 {
		return new(mat.SymDense), nil, p, nil, nil
	}
	if a, p, err = verify.Moments(t.pass, len(names), o.Uncentered, o.Standardize); err == nil {
		ranges, err = verify.RangesOf(t.pass, len(names))
	}
	return a, names, p, ranges, err
}
