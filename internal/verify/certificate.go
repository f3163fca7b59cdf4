package verify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// The head of a certificate's file.
const (
	certificateFormat  = "fspca certificate"
	certificateVersion = 2 // 1 had neither limits nor multipliers
)

// The ends of a tree.
const (
	byBlock    = -1 // trace and Frobenius norm
	bySpectrum = -2 // the soft-thresholded spectrum, at the next of Thresholds
	bySupport  = -3 // one support is left
	byDual     = -4 // the multipliers of the joint dual
)

// dropped marks a node of a tree at which the spectrum excludes columns, at the
// next of Thresholds. No support of the subproblem with a column of the next of
// Drops is above the bound. The subproblem goes on without them.
const dropped = -5

// Certificate proves that no permitted support of A has an objective above Bound. What
// the rules forbid to stand beside the chosen columns is not free, and has no node.
type Certificate struct {
	Format   string   `json:"format"`
	Version  int      `json:"version"`
	Columns  []string `json:"columns"` // of A, in the order that Tree counts them
	Include  []int    `json:"include"` // in every support
	Exclude  []int    `json:"exclude"` // in none
	Features int      `json:"features"`
	Parts    int      `json:"components"`
	Bound    float64  `json:"bound"`
	Rules    *Rules   `json:"limits,omitempty"`

	// Tree is the search, each node before what is below it: the column j that it
	// branches on, first with j chosen, then without; or, below 0, what closes it.
	Tree []int `json:"tree"`

	Thresholds []float64 `json:"thresholds"` // σ of the ends bySpectrum and of what is dropped, in order
	Drops      [][]int   `json:"drops,omitempty"`
	Dual       *Dual     `json:"dual,omitempty"`
	Checksum   string    `json:"checksum"` // SHA-256 of the file without it
}

// checksum is that of the certificate's content.
func (c *Certificate) checksum() string {
	bare := *c
	bare.Checksum = ""
	b, err := json.Marshal(&bare)
	if err != nil {
		panic(err) // it holds numbers and texts
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// WriteTo writes the file.
func (c *Certificate) WriteTo(w io.Writer) (int64, error) {
	b, err := json.Marshal(c)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(append(b, '\n'))
	return int64(n), err
}

// ReadCertificate reads what WriteTo has written. A file that was changed since is
// an error.
func ReadCertificate(r io.Reader) (*Certificate, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	c := &Certificate{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("it is no certificate: %w", err)
	}
	if d.More() {
		return nil, errors.New("something follows the certificate")
	}
	switch {
	case c.Format != certificateFormat:
		return nil, fmt.Errorf("it is no certificate: format is %q, want %q", c.Format, certificateFormat)
	case c.Version < 1 || c.Version > certificateVersion:
		return nil, fmt.Errorf("the certificate has version %d, and this program reads 1 to %d", c.Version, certificateVersion)
	case c.Checksum != c.checksum():
		return nil, errors.New("the certificate was changed after it was written: its checksum is another")
	}
	return c, nil
}

// walk is a tree that is read.
type walk struct {
	problem
	c          *Certificate
	tree       []int
	thresholds []float64
	drops      [][]int
	form       *form // of the multipliers; nil: none
}

// Check evaluates every end of the tree on A, whose columns are those that the
// certificate names, in this order. The error says what does not hold.
func (c *Certificate) Check(ctx context.Context, a *mat.SymDense) error {
	w := walk{problem: problem{a: a, k: c.Features, m: c.Parts}, c: c, tree: c.Tree, thresholds: c.Thresholds, drops: c.Drops}
	d := a.SymmetricDim()
	if d != len(c.Columns) || c.Parts < 1 || c.Parts > c.Features || c.Features > d {
		return fmt.Errorf("the certificate is of %d columns, k = %d and m = %d, and A has %d columns", len(c.Columns), c.Features, c.Parts, d)
	}
	root, err := rootOf(d, c.Include, c.Exclude)
	if err != nil {
		return err
	}
	if math.IsNaN(c.Bound) || math.IsInf(c.Bound, 0) {
		return errors.New("the bound is not a number")
	}
	if err := c.Rules.check(d); err != nil {
		return err
	}
	if err := w.measure(); err != nil {
		return err
	}
	if c.Dual != nil {
		if w.form, err = c.Dual.evaluate(&w.problem); err != nil {
			return err
		}
	}
	if err := w.check(ctx, root); err != nil {
		return err
	}
	if len(w.tree) > 0 || len(w.thresholds) > 0 || len(w.drops) > 0 {
		return fmt.Errorf("%d nodes, %d thresholds and %d lists of the certificate are left over", len(w.tree), len(w.thresholds), len(w.drops))
	}
	return nil
}

// rootOf returns the whole problem.
func rootOf(d int, include, exclude []int) (part, error) {
	root := part{in: slices.Clone(include)}
	state := make([]int, d)
	for at, list := range [][]int{include, exclude} {
		for _, j := range list {
			if j < 0 || j >= d || state[j] != 0 {
				return root, fmt.Errorf("column %d of the lists is not one of %d, or stands twice", j, d)
			}
			state[j] = at + 1
		}
	}
	for j := range d {
		if state[j] == 0 {
			root.free = append(root.free, j)
		}
	}
	return root, nil
}

// check reads the tree of a subproblem.
func (w *walk) check(ctx context.Context, s part) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var ok bool
		s, ok = w.c.Rules.narrow(&w.problem, s)
		q := w.open(s)
		if !ok || q < 0 || q > len(s.free) {
			return nil // no support, and no node
		}
		if len(w.tree) == 0 {
			return errors.New("the tree of the certificate ends too early")
		}
		node := w.tree[0]
		w.tree = w.tree[1:]
		if node == dropped {
			var err error
			if s.free, err = w.drop(s); err != nil {
				return err
			}
			continue
		}
		if node < 0 {
			return w.end(s, node)
		}
		at := slices.Index(s.free, node)
		if at < 0 || q == 0 {
			return fmt.Errorf("the certificate branches on column %d, which is not free there", node)
		}
		rest := slices.Delete(slices.Clone(s.free), at, at+1)
		if err := w.check(ctx, part{in: append(slices.Clone(s.in), node), free: rest}); err != nil {
			return err
		}
		s = part{in: s.in, free: rest}
	}
}

// drop returns the free columns without those that the spectrum excludes.
func (w *walk) drop(s part) ([]int, error) {
	if len(w.thresholds) == 0 || len(w.drops) == 0 {
		return nil, errors.New("the certificate lacks what is dropped")
	}
	r, err := w.decompose(s)
	if err != nil {
		return nil, err
	}
	bound, scores := w.threshold(r, s, w.thresholds[0])
	with := w.exchanged(bound, scores, w.open(s))
	gone := map[int]bool{}
	for _, j := range w.drops[0] {
		at := slices.Index(s.free, j)
		if at < 0 || !(with[at] <= w.c.Bound) {
			return nil, fmt.Errorf("the certificate drops column %d, which may be in a better choice", j)
		}
		gone[j] = true
	}
	w.thresholds, w.drops = w.thresholds[1:], w.drops[1:]
	return slices.DeleteFunc(slices.Clone(s.free), func(j int) bool { return gone[j] }), nil
}

// end checks what closes a subproblem.
func (w *walk) end(s part, how int) error {
	var bound float64
	switch how {
	case byBlock:
		bound, _ = w.block(s)
	case byDual:
		if w.form == nil {
			return errors.New("the certificate lacks the multipliers")
		}
		bound, _ = w.form.bound(&w.problem, s, w.c.Bound)
	case bySpectrum:
		if len(w.thresholds) == 0 {
			return errors.New("the certificate lacks a threshold")
		}
		r, err := w.decompose(s)
		if err != nil {
			return err
		}
		bound, _ = w.threshold(r, s, w.thresholds[0])
		w.thresholds = w.thresholds[1:]
	case bySupport:
		q := w.open(s)
		if q != 0 && q != len(s.free) {
			return errors.New("the certificate takes a subproblem of several supports for one")
		}
		_, upper, err := w.value(slices.Concat(s.in, s.free[:q]))
		if err != nil {
			return err
		}
		bound = upper
	default:
		return fmt.Errorf("the tree of the certificate holds the unknown code %d", how)
	}
	if !(bound <= w.c.Bound) {
		return fmt.Errorf("a subproblem with the columns %v chosen has only the bound %v, above %v", s.in, bound, w.c.Bound)
	}
	return nil
}
