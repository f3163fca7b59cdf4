package reproduce

import "github.com/fspca/fspca/internal/research/synthetic"

// mainReading is the reading that all tables but one use.
const mainReading = "main"

// reading is one way to read what the paper leaves open. The zero value is
// the one that agrees with its table, see docs/reproduction.md.
type reading struct {
	name      string
	about     string
	basis     synthetic.Basis // "" is Singular
	schemes   []synthetic.Scheme
	columns   []column // nil: all
	general   bool     // A_m from an eigensolver for general matrices
	truncated bool     // random starts cut to k rows
	penalty   penalty  // λ of the convex relaxation
	exactA    bool     // no ε
}

// penalty is a choice of λ in the convex relaxation, which the paper does not
// state.
type penalty int

const (
	unitPenalty      penalty = iota // λ = 1, in units of A
	vanishingPenalty                // λ → 0
	sparsePenalty                   // the λ that leaves k variables
)

// vanishing is the share of max |a_ij| that stands for λ → 0.
const vanishing = 1e-6

// instance names realisation i of a scheme under a reading.
func (r reading) instance(s synthetic.Scheme, seed uint64, i int) synthetic.Instance {
	basis := r.basis
	if basis == "" {
		basis = synthetic.Singular
	}
	return synthetic.Instance{Scheme: s, Basis: basis, Seed: seed, Index: uint64(i)}
}

// readings returns the main reading and others that each change one thing.
func readings() []reading {
	abcd := []synthetic.Scheme{synthetic.A, synthetic.B, synthetic.C, synthetic.D}
	all := synthetic.Schemes()
	return []reading{
		{name: mainReading, about: "eigenspace: left singular vectors of a U[0, 1] matrix; random starts as they are; convex relaxation with λ = 1; ε = 0.1", schemes: all, columns: columns()},
		{name: "haar", about: "eigenspace: Q of a Gaussian matrix (Haar)", basis: synthetic.Haar, schemes: abcd, columns: columns()},
		{name: "uniform", about: "eigenspace: Q of a U[0, 1] matrix", basis: synthetic.Uniform, schemes: abcd, columns: columns()},
		{name: "general", about: "A_m from an eigensolver for general matrices", general: true, schemes: []synthetic.Scheme{synthetic.A}, columns: columns()},
		{name: "truncated", about: "random starts cut to k rows", truncated: true, schemes: all, columns: []column{fromRandom}},
		{name: "vanishing penalty", about: "convex relaxation with λ → 0", penalty: vanishingPenalty, schemes: all, columns: []column{fromConvex}},
		{name: "sparse penalty", about: "convex relaxation with the λ that leaves k variables", penalty: sparsePenalty, schemes: all, columns: []column{fromConvex}},
		{name: "no epsilon", about: "ε = 0", exactA: true, schemes: all, columns: columns()},
	}
}
