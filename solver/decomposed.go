package solver

import "sync"

// kept keeps the leading pairs that a direct decomposition found, for fits of other k to the same data: they do
// not depend on k.
type kept[P any] struct {
	mu    sync.Mutex
	found map[int]P // by their number
}

// of returns r pairs, which find finds in the first call. They are shared and not to be changed.
func (k *kept[P]) of(r int, find func() (P, error)) (P, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok := k.found[r]
	if ok {
		return p, nil
	}
	p, err := find()
	if err != nil {
		return p, err
	}
	if k.found == nil || len(k.found) == mostKept {
		k.found = map[int]P{}
	}
	k.found[r] = p
	return p, nil
}

// mostKept is how many numbers of pairs are kept: that of a fit, and that of its bound.
const mostKept = 2
