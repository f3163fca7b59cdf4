package verify

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// maxNodes is the size of the largest tree that a certificate has.
const maxNodes = 2_000_000

// Prove returns a certificate that no support of k of the columns with all of
// include and none of exclude has an objective above bound. It goes depth first;
// an error says that the bounds of a certificate do not get there.
func Prove(ctx context.Context, a *mat.SymDense, names []string, k, m int, include, exclude []int, bound float64) (*Certificate, error) {
	c := &Certificate{Format: certificateFormat, Version: certificateVersion, Columns: names, Include: slices.Clone(include), Exclude: slices.Clone(exclude),
		Features: k, Parts: m, Bound: bound, Tree: []int{}, Thresholds: []float64{}}
	root, err := rootOf(a.SymmetricDim(), include, exclude)
	if err != nil {
		return nil, err
	}
	p := prover{problem: problem{a: a, k: k, m: m}, c: c}
	if err := p.prove(ctx, root, true); err != nil {
		return nil, err
	}
	c.Checksum = c.checksum()
	return c, nil
}

type prover struct {
	problem
	c *Certificate
}

// prove appends the tree of a subproblem. Its spectrum is of use where it was for
// the one above.
func (p *prover) prove(ctx context.Context, s part, spectral bool) error {
	for {
		q := p.open(s)
		if q < 0 || q > len(s.free) {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(p.c.Tree) >= maxNodes {
			return fmt.Errorf("the proof would have more than %d nodes: there is no certificate of this bound", maxNodes)
		}
		if q == 0 || q == len(s.free) {
			return p.support(s, q)
		}
		scores, closed, err := p.close(s, &spectral)
		if closed || err != nil {
			return err
		}
		at := 0
		for i, v := range scores {
			if v > scores[at] {
				at = i
			}
		}
		j := s.free[at]
		p.c.Tree = append(p.c.Tree, j)
		rest := slices.Delete(slices.Clone(s.free), at, at+1)
		if err := p.prove(ctx, part{in: append(slices.Clone(s.in), j), free: rest}, spectral); err != nil {
			return err
		}
		s = part{in: s.in, free: rest}
	}
}

// support appends the end of a single support.
func (p *prover) support(s part, q int) error {
	_, upper, err := p.value(slices.Concat(s.in, s.free[:q]))
	if err != nil {
		return err
	}
	if upper > p.c.Bound {
		return fmt.Errorf("the bound %v does not hold: the columns %v have the objective %v", p.c.Bound, slices.Concat(s.in, s.free[:q]), upper)
	}
	p.c.Tree = append(p.c.Tree, bySupport)
	return nil
}

// close appends an end if a bound closes the subproblem; otherwise it returns the
// scores of the better bound.
func (p *prover) close(s part, spectral *bool) (scores []float64, closed bool, err error) {
	block, scores := p.block(s)
	if block <= p.c.Bound {
		p.c.Tree = append(p.c.Tree, byBlock)
		return nil, true, nil
	}
	if !*spectral {
		return scores, false, nil
	}
	r, err := p.decompose(s)
	if err != nil {
		return nil, false, err
	}
	sigma, bound := p.best(r, s)
	if bound <= p.c.Bound {
		p.c.Tree, p.c.Thresholds = append(p.c.Tree, bySpectrum), append(p.c.Thresholds, sigma)
		return nil, true, nil
	}
	if bound-p.c.Bound < block-p.c.Bound {
		_, scores = p.threshold(r, s, sigma)
	}
	*spectral = bound-p.c.Bound < 2*(block-p.c.Bound)
	return scores, false, nil
}
