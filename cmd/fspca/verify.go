package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/verify"
	"github.com/fspca/fspca/selector"
)

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
explains, the limits and the upper bound. It computes again the ranges of the columns,
R² of the choice, of each column and of noise, and correlations. It also does so for the
decoder, the ledger and the variances of PCA. What is drawn at random is not drawn again. The code is independent of
the solver: eigenvalues are those of gonum. For the criterion reconstruction it checks
that the scores are uncorrelated, what they explain of all columns, and the bound
against dense PCA.

Numbers agree if they differ by 1e-8 of themselves, and shares such as R² by 1e-7.
Variances of PCA may differ by 1e-10 of the largest (1e-5 for more than 448 columns).
More is permitted where rounding does more: where means are far from 0, or chosen columns
are copies to a millionth. Least and largest cells are the same numbers.

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
