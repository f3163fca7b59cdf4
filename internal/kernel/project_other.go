//go:build !amd64 || noasm

package kernel

// groups projects no rows: there is no kernel for it.
func (p *Projection) groups(Matrix, Matrix, int, int) int { return 0 }
