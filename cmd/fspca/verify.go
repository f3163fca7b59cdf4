package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/internal/verify"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
)

// verifiedColumns is the largest order of a covariance that verify forms: 200 MB.
const verifiedColumns = 5000

// maxCertificate is the most bytes that a certificate may have.
const maxCertificate = 4e9

// verification is what verify prints as JSON.
type verification struct {
	Holds    bool             `json:"holds"`
	Findings []verify.Finding `json:"findings"`
}

// verifyCommand checks what a model claims.
type verifyCommand struct {
	flags       fitFlags
	certificate string
	asJSON      bool
}

func newVerify() *cobra.Command {
	return command(&verifyCommand{}, &cobra.Command{
		Use:   "verify MODEL DATA",
		Short: "Check a model's claims by independent code",
		Long: `Compute again, from the data of the fit, what a model states: means and scales,
orthonormal components, their variances, the objective, the total variance, what dense PCA
explains, the limits and the upper bound. The code is independent of the solver: eigenvalues are those of gonum. For the criterion
reconstruction it checks that the scores are uncorrelated, what they explain of all
columns, and the bound against dense PCA.

The bound is compared with what trace, norm and spectrum of the covariance prove. A
bound that needs more is proved by its certificate, which fit --certificate FILE writes
with --effort exact or --bound tight: the subproblems of a search, each with the reason
that closes it, and multipliers where these prove more. Checking it takes no search.

MODEL is a file that fit -o wrote. DATA is the data of that fit, with the same flags
for reading. The exit code is 1 if a claim is wrong; an unproved claim is no failure.`,
		Example: `  fspca fit cov.npy --covariance -k 10 -m 1 --effort exact -o model.json --certificate proof.json
  fspca verify model.json cov.npy --certificate proof.json
  fspca verify model.json genes.csv --label tissue --json`,
		Args: exactly("MODEL", "DATA"),
	})
}

func (c *verifyCommand) register(cmd *cobra.Command) {
	c.flags.data.register(cmd, "`COLUMN` with the class of each row; it is left out")
	cmd.Flags().BoolVar(&c.flags.covariance, "covariance", false, "DATA is a square symmetric covariance matrix; so it is for a model of one")
	cmd.Flags().StringVar(&c.flags.impute, "impute", "", "as the fit filled missing cells: `VALUE` mean, median or most_frequent")
	cmd.Flags().BoolVar(&c.flags.omitMissing, "omit-missing", false, "leave rows with a missing cell out, as the fit did")
	c.flags.memory.register(cmd, "the table")
	cmd.Flags().StringVar(&c.certificate, "certificate", "", "`FILE` that fit --certificate wrote")
	cmd.Flags().BoolVar(&c.asJSON, "json", false, "print as JSON")
}

func (c *verifyCommand) run(cmd *cobra.Command, args []string) error {
	m, err := loadModel(args[0])
	if err != nil {
		return err
	}
	if m.pipeline != nil {
		return errors.New("verify takes a file that fit -o wrote: the steps of a pipeline change the columns")
	}
	k, components := m.selection.Loadings().Dims()
	c.flags.Options = selector.Options{Features: k, Components: components} // of their fit is the memory
	v, err := c.flags.verify(cmd, args[1], m.selection, c.certificate)
	if err != nil {
		return err
	}
	if c.asJSON {
		err = printJSON(cmd.OutOrStdout(), v)
	} else {
		err = cli.Failed(describeVerification(cmd.OutOrStdout(), v))
	}
	if err == nil && !v.Holds {
		err = cli.Failed(fmt.Errorf("%s: a claim of the model, or its certificate, does not hold", shown(args[0])))
	}
	return err
}

// verify checks a model on the data at path.
func (f *fitFlags) verify(cmd *cobra.Command, path string, m *selector.Model, certificate string) (*verification, error) {
	c, err := f.claims(cmd, path, m)
	if err != nil {
		return nil, err
	}
	var proof *verify.Certificate
	var checked error
	if certificate != "" && c.rebuilt {
		return nil, fmt.Errorf("there are no certificates for the criterion %s: leave --certificate out", selector.CriterionReconstruction)
	}
	if certificate != "" {
		text, err := bounded.ReadFile(certificate, maxCertificate, "a certificate")
		if err != nil {
			return nil, err
		}
		if proof, checked = verify.ReadCertificate(bytes.NewReader(text)); checked != nil {
			proof = &verify.Certificate{}
		} else if checked = c.states(proof); checked == nil {
			checked = proof.Check(cmd.Context(), c.a)
		}
		if err := cmd.Context().Err(); err != nil {
			return nil, err
		}
	}
	var findings []verify.Finding
	if c.rebuilt {
		findings, err = c.CheckReconstruction(c.a, c.names)
	} else {
		findings, err = c.Check(c.a, c.names, proof, checked)
	}
	if err != nil {
		return nil, at(path, err)
	}
	holds := !slices.ContainsFunc(findings, func(f verify.Finding) bool { return f.Verdict == verify.Fails })
	return &verification{Holds: holds, Findings: findings}, nil
}

func describeVerification(w io.Writer, v *verification) error {
	var b strings.Builder
	for _, f := range v.Findings {
		fmt.Fprintf(&b, "%-9s  %s: %s\n", f.Verdict, f.Claim, f.Detail)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// claims are those of a model, with the covariance that they are about.
type claims struct {
	verify.Claims
	a       *mat.SymDense
	names   []string
	rebuilt bool // the criterion is reconstruction
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

// read finds the covariance and the projection of the data.
func (c *claims) read(cmd *cobra.Command, f *fitFlags, path string, o selector.Options) (p verify.Projection, err error) {
	d, err := f.read(cmd, path, 0)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, d.release()) }()
	restore := f.memory.keepIfGiven()
	defer restore()
	c.a, c.names, p, err = d.plain(cmd.Context(), o)
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

// plain returns the covariance of what was read, its columns, and how these are projected.
func (d *source) plain(ctx context.Context, o selector.Options) (a *mat.SymDense, names []string, p verify.Projection, err error) {
	if d.covariance != nil {
		a := mat.NewSymDense(len(d.names), nil)
		a.CopySym(d.covariance)
		if o.Standardize {
			for j := range d.names {
				p.Scale = append(p.Scale, math.Sqrt(a.At(j, j)))
			}
			verify.Standardize(a)
		}
		return a, d.names, p, nil
	}
	frame := d.frame
	if d.sparse != nil {
		if frame, err = d.sparse.Dense(); err != nil {
			return nil, nil, p, err
		}
	}
	t := d.tableRows(ctx, frame)
	if len(t.names) > verifiedColumns {
		return nil, nil, p, fmt.Errorf("the table has %d columns, and verify forms the covariance of at most %d", len(t.names), verifiedColumns)
	}
	if names = t.without(o.Weight); len(names) == 0 {
		return new(mat.SymDense), nil, p, nil
	}
	a, p, err = verify.Moments(t.pass, len(names), o.Uncentered, o.Standardize)
	return a, names, p, err
}
