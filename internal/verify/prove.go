package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	// maxNodes is the size of the largest tree that a certificate has.
	maxNodes = 2_000_000

	// plainWork is what a tree without multipliers may take, in multiplications: the
	// cheap proofs need no more.
	plainWork = 1e9

	// maxMultiplied is the largest order for which multipliers are asked for.
	maxMultiplied = 600
)

// Question is what a certificate answers: no support of k columns with all of Include
// and none of Exclude that meets the rules has an objective above Bound.
type Question struct {
	A                    *mat.SymDense
	Columns              []string
	Features, Components int
	Include, Exclude     []int
	Rules                *Rules
	Bound                float64

	// Multipliers looks for multipliers of the joint dual of a block, of which the
	// first in columns are in every support. Its Dual counts the columns of the block.
	// Nil: there are none.
	Multipliers func(ctx context.Context, block *mat.SymDense, in int) (*Dual, error)
}

var errTooMuch = errors.New("the proof takes too much")

// Prove returns a certificate. It goes depth first; an error says that the bounds of a
// certificate do not get there.
func (q Question) Prove(ctx context.Context) (*Certificate, error) {
	root, err := rootOf(q.A.SymmetricDim(), q.Include, q.Exclude)
	if err != nil {
		return nil, err
	}
	if err := q.Rules.check(q.A.SymmetricDim()); err != nil {
		return nil, err
	}
	p := q.prover()
	if err := p.measure(); err != nil {
		return nil, err
	}
	if p.work = plainWork; q.Multipliers == nil {
		p.work = -1
	}
	if err = p.prove(ctx, root, true); errors.Is(err, errTooMuch) && q.Multipliers != nil {
		lack := p.lack
		p = q.prover()
		p.work, p.lack = -1, lack
		err = p.proveJointly(ctx, root, q.Multipliers)
	}
	if err != nil {
		return nil, err
	}
	p.c.Checksum = p.c.checksum()
	return p.c, nil
}

func (q Question) prover() *prover {
	c := &Certificate{Format: certificateFormat, Version: certificateVersion, Columns: q.Columns, Include: slices.Clone(q.Include), Exclude: slices.Clone(q.Exclude),
		Features: q.Features, Parts: q.Components, Bound: q.Bound, Tree: []int{}, Thresholds: []float64{}}
	if !q.Rules.none() {
		c.Rules = q.Rules
	}
	return &prover{problem: problem{a: q.A, k: q.Features, m: q.Components}, c: c}
}

type prover struct {
	problem
	c    *Certificate
	form *form   // of the multipliers; nil: none
	work float64 // multiplications that are left; below 0: any number
}

// proveJointly drops what the spectrum excludes, and goes through the rest with
// multipliers.
func (p *prover) proveJointly(ctx context.Context, s part, multipliers func(context.Context, *mat.SymDense, int) (*Dual, error)) error {
	s, ok := p.c.Rules.narrow(&p.problem, s)
	if q := p.open(s); !ok || q <= 0 || q >= len(s.free) {
		return p.prove(ctx, s, true)
	}
	if err := p.drop(&s); err != nil {
		return err
	}
	index := slices.Concat(s.in, s.free)
	if len(index) > maxMultiplied {
		return fmt.Errorf("%d columns are left, and multipliers are for at most %d: there is no certificate of this bound", len(index), maxMultiplied)
	}
	if len(s.free) > p.open(s) {
		dual, err := multipliers(ctx, p.sub(index), len(s.in))
		if err != nil {
			return err
		}
		for i, j := range dual.Columns {
			dual.Columns[i] = index[j]
		}
		p.c.Dual = dual
		if p.form, err = dual.evaluate(&p.problem); err != nil {
			return err
		}
	}
	return p.prove(ctx, s, false)
}

// drop excludes what the spectrum can.
func (p *prover) drop(s *part) error {
	r, err := p.decompose(*s)
	if err != nil {
		return err
	}
	sigma, _ := p.best(r, *s)
	bound, scores := p.threshold(r, *s, sigma)
	var gone, kept []int
	for at, with := range p.exchanged(bound, scores, p.open(*s)) {
		if with <= p.c.Bound {
			gone = append(gone, s.free[at])
		} else {
			kept = append(kept, s.free[at])
		}
	}
	if len(gone) > 0 {
		p.c.Tree, p.c.Thresholds, p.c.Drops = append(p.c.Tree, dropped), append(p.c.Thresholds, sigma), append(p.c.Drops, gone)
		s.free = kept
	}
	return nil
}

// prove appends the tree of a subproblem. Its spectrum is of use where it was for
// the one above.
func (p *prover) prove(ctx context.Context, s part, spectral bool) error {
	for {
		var ok bool
		s, ok = p.c.Rules.narrow(&p.problem, s)
		q := p.open(s)
		if !ok || q < 0 || q > len(s.free) {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(p.c.Tree) >= maxNodes {
			return fmt.Errorf("%w: it would have more than %d nodes, so there is no certificate of this bound", errTooMuch, maxNodes)
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

// spend counts multiplications, and is an error where too many were made.
func (p *prover) spend(work float64) error {
	if p.work < 0 {
		return nil
	}
	if p.work -= work; p.work <= 0 {
		p.work = 0
		return errTooMuch
	}
	return nil
}

// closed appends what closes a subproblem.
func (p *prover) closed(by int) bool {
	p.c.Tree = append(p.c.Tree, by)
	return true
}

// close appends an end if a bound closes the subproblem; otherwise it returns the
// scores of the best bound.
func (p *prover) close(s part, spectral *bool) (scores []float64, closed bool, err error) {
	n := float64(len(s.in) + len(s.free))
	if err := p.spend(10 * n * n); err != nil {
		return nil, false, err
	}
	best, scores := p.block(s)
	if best <= p.c.Bound {
		return nil, p.closed(byBlock), nil
	}
	if p.form != nil {
		dual, own := p.form.bound(&p.problem, s, p.c.Bound)
		if dual <= p.c.Bound {
			return nil, p.closed(byDual), nil
		}
		if dual < best {
			best, scores = dual, own
		}
	}
	if !*spectral {
		return scores, false, nil
	}
	if err := p.spend(10 * n * n * n); err != nil {
		return nil, false, err
	}
	r, err := p.decompose(s)
	if err != nil {
		return nil, false, err
	}
	sigma, bound := p.best(r, s)
	if bound <= p.c.Bound {
		p.c.Thresholds = append(p.c.Thresholds, sigma)
		return nil, p.closed(bySpectrum), nil
	}
	if bound < best {
		_, scores = p.threshold(r, s, sigma)
	}
	*spectral = bound-p.c.Bound < 2*(best-p.c.Bound)
	return scores, false, nil
}
