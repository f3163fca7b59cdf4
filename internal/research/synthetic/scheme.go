package synthetic

import (
	"fmt"

	"github.com/fspca/fspca/internal/lists"
)

// The sizes of the paper's synthetic experiments.
const (
	Order      = 20 // d
	Features   = 7  // k
	Components = 3  // m
)

// Scheme is one row of the paper's Table 1.
type Scheme string

// The schemes.
const (
	A Scheme = "A" // eigenvalues 100, 100, 4, 1, …, 1
	B Scheme = "B" // eigenvalues 300, 180, 60, 1, …, 1
	C Scheme = "C" // eigenvalues 300, 180, 60, 0, …, 0
	D Scheme = "D" // eigenvalues 160, 80, 40, 20, 10, 5, 2, 1, …, 1
	E Scheme = "E" // XXᵀ, entries of X from U[0, 1]
	F Scheme = "F" // XXᵀ, entries of X from N(0, 1)
)

// Schemes returns A to F.
func Schemes() []Scheme { return []Scheme{A, B, C, D, E, F} }

// Basis is a reading of "the eigenspace is generated randomly". It concerns
// A to D.
type Basis string

// The bases.
const (
	Haar    Basis = "haar"    // Q of a Gaussian matrix: uniform on the orthogonal group
	Uniform Basis = "uniform" // Q of a matrix with entries from U[0, 1]

	// Singular holds the left singular vectors of a matrix with entries from
	// U[0, 1], in descending order: what orth(rand(d)) gives in Matlab. Of the
	// three it alone agrees with all of the paper's table. It costs O(d³).
	Singular Basis = "singular"
)

// Bases returns the three.
func Bases() []Basis { return []Basis{Haar, Uniform, Singular} }

// spectra holds the eigenvalues that are listed; the last one is repeated.
var spectra = map[Scheme][]float64{
	A: {100, 100, 4, 1},
	B: {300, 180, 60, 1},
	C: {300, 180, 60, 0},
	D: {160, 80, 40, 20, 10, 5, 2, 1},
}

// Eigenvalues returns the d eigenvalues of scheme A, B, C or D, descending. It
// returns nil for E and F, whose eigenvalues are random. d must hold all that the
// scheme lists: at least 4, and 8 for D.
func (s Scheme) Eigenvalues(d int) ([]float64, error) {
	listed, ok := spectra[s]
	switch {
	case s == E || s == F:
		return nil, nil
	case !ok:
		return nil, fmt.Errorf("unknown scheme %q: want A, B, C, D, E or F", s)
	case d < len(listed):
		return nil, fmt.Errorf("order %d is too small for scheme %s, which lists %d eigenvalues", d, s, len(listed))
	}
	values := lists.Make(d, func(i int) float64 { return listed[min(i, len(listed)-1)] })
	return values, nil
}

// Description returns the definition of s in a line.
func (s Scheme) Description() string {
	return map[Scheme]string{
		A: "λ = 100, 100, 4, 1, …, 1",
		B: "λ = 300, 180, 60, 1, …, 1",
		C: "λ = 300, 180, 60, 0, …, 0",
		D: "λ = 160, 80, 40, 20, 10, 5, 2, 1, …, 1",
		E: "A = XXᵀ, X from U[0, 1]",
		F: "A = XXᵀ, X from N(0, 1)",
	}[s]
}
