package solver

import "sync"

// passPool keeps the scratch space of a kernel's passes over sparse rows, of which
// each is used by one goroutine at a time.
type passPool[P any] struct {
	mu   sync.Mutex
	free []sizedPass[P]
}

type sizedPass[P any] struct {
	pass  P
	width int
}

// take returns a pass for width columns.
func (p *passPool[P]) take(width int, fresh func(int) P) sizedPass[P] {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, f := range p.free {
		if f.width >= width {
			p.free = append(p.free[:i], p.free[i+1:]...)
			return f
		}
	}
	width = max(width, 16)
	return sizedPass[P]{fresh(width), width}
}

// give takes a pass back.
func (p *passPool[P]) give(s sizedPass[P]) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < 2 {
		p.free = append(p.free, s)
	}
}
