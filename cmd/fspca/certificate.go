package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/verify"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// certificate proves the bound of a fit anew, for a file.
func (f *fitFlags) certificate(cmd *cobra.Command, path string, m *selector.Model) (*verify.Certificate, error) {
	c, err := f.claims(cmd, path, m)
	if err != nil {
		return nil, err
	}
	// Between here and there lies the rounding of two computations.
	bound := c.UpperBound + solver.ProvedGap/2*c.Objective
	o := m.Options()
	ctx, cancel := cmd.Context(), func() {}
	if f.Options.Deadline > 0 {
		ctx, cancel = context.WithTimeout(ctx, f.Options.Deadline)
	}
	defer cancel()
	k := len(c.Support)
	if k < o.Features {
		return nil, cli.Failed(fmt.Errorf("no certificate was written: the limits left %s of %d, and the bound is that of %d", words.Count(k, "column"), o.Features, o.Features))
	}
	question := verify.Question{A: c.a, Columns: c.names, Features: k, Components: o.Components, Include: c.Include, Exclude: c.barred(), Rules: c.Rules, Bound: bound,
		Multipliers: func(ctx context.Context, block *mat.SymDense, in int) (*verify.Dual, error) {
			found, err := solver.FindMultipliers(ctx, block, in, k, o.Components, c.Objective, bound)
			if err != nil {
				return nil, err
			}
			return dualOf(found), nil
		}}
	proof, err := question.Prove(ctx)
	if err != nil {
		return nil, cli.Failed(unproved(err, f.Options.Deadline))
	}
	return proof, nil
}

// unproved says why there is no certificate.
func unproved(err error, deadline time.Duration) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no certificate was written: its proof takes longer than --deadline %v, which it has once more after the fit: allow more", deadline)
	}
	return fmt.Errorf("no certificate was written: %w", err)
}

// checkCertificate returns, before any work, why no certificate can be written.
func (f *fitFlags) checkCertificate(proof *output, path string) error {
	switch {
	case proof.path == "":
		return nil
	case f.Options.Effort != string(solver.EffortExact) && f.Options.Bound != string(solver.BoundTight):
		return errors.New("--certificate applies only to --effort exact and --bound tight")
	case f.Options.Criterion == selector.CriterionReconstruction:
		return fmt.Errorf("there are no certificates for the criterion %s: leave --certificate out", selector.CriterionReconstruction)
	case path == "-":
		return errors.New("--certificate reads DATA again: give a file instead of -")
	case f.Options.Cost != nil:
		return errors.New("there are no certificates within a budget: leave --certificate out")
	case proof.path == "-":
		return errors.New("--certificate - would mix with the report: give a file")
	}
	return nil
}

// writeCertificate writes what proves the bound of a model.
func (f *fitFlags) writeCertificate(cmd *cobra.Command, to *output, path string, m *selector.Model) error {
	proof, err := f.certificate(cmd, path, m)
	if err != nil {
		return err
	}
	return to.write(cmd, func(w io.Writer) error {
		_, err := proof.WriteTo(w)
		return err
	})
}

// dualOf returns multipliers as a certificate has them.
func dualOf(m *solver.Multipliers) *verify.Dual {
	rows := func(a *mat.Dense) [][]float64 {
		return lists.Make(a.RawMatrix().Rows, func(i int) []float64 { return mat.Row(nil, i, a) })
	}
	d := &verify.Dual{L: rows(m.L), Y: rows(m.Y), C: m.C, G: rows(m.G), H: rows(m.H)}
	for i := range d.G {
		d.G[i] = d.G[i][i+1:]
		d.Columns = append(d.Columns, i)
	}
	return d
}
