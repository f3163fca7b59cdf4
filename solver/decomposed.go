package solver

import (
	"slices"
	"sync"

	"github.com/fspca/fspca/solver/spectral"
)

// decomposed keeps the leading pairs of a matrix that a direct decomposition found, for fits of other k
// to the same data: they do not depend on k.
type decomposed struct {
	mu    sync.Mutex
	found map[int]*spectral.Pairs // by their number
}

// leading returns r pairs, which find finds in the first call. The vectors are shared and not to be changed.
func (d *decomposed) leading(r int, find func() (*spectral.Pairs, error)) (*spectral.Pairs, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.found[r]
	if p == nil {
		var err error
		if p, err = find(); err != nil {
			return nil, err
		}
		if d.found == nil || len(d.found) == mostKept {
			d.found = map[int]*spectral.Pairs{}
		}
		d.found[r] = p
	}
	own := *p
	own.Values, own.Residuals = slices.Clone(p.Values), slices.Clone(p.Residuals)
	return &own, nil
}

// mostKept is how many numbers of pairs are kept: that of a fit, and that of its bound.
const mostKept = 2
