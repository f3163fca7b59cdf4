package kernel

import (
	"math"
	"math/bits"
)

// Digest is a checksum of numbers in their order, and tells whether all are finite. It takes them about
// as fast as the second-level cache gives them. The zero value is that of no numbers.
//
// Number i belongs to lane i mod 8. A lane adds up its numbers, as integers: no change of one number
// leaves that sum as it was. It also adds up products of the two halves of each number, which are
// mixed with a key that differs from place to place: numbers that change places change that sum.
// It is a guard against changes by chance, not against ones that are made to go unseen.
type Digest struct{ state [4][digestLanes]uint64 } // keys, products, plain sums, marks of what is not finite

const digestLanes = 8

// digestSteps are what the keys grow by from one number of a lane to its next: odd in both halves.
var digestSteps, digestStart = digestKeys()

// digestKeys returns numbers without a pattern: those of SplitMix64 (Steele, Lea, Flood 2014).
func digestKeys() (steps, start [digestLanes]uint64) {
	s := uint64(0)
	next := func() uint64 {
		s += 0x9e3779b97f4a7c15
		z := (s ^ s>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	for l := range steps {
		steps[l], start[l] = next()|1|1<<32, next()
	}
	return steps, start
}

// Add takes the next numbers. If they are not a multiple of 8, the last are filled up with zeros.
func (d *Digest) Add(x []float64) {
	if d.state[0] == [digestLanes]uint64{} {
		d.state[0] = digestStart
	}
	if len(x) > 0 {
		digest(&d.state, x)
	}
}

// Merge takes the numbers that next has taken, as those that come next. Pieces of a whole can so be summed
// apart; the sum is that of these pieces in their order, not that of the whole at once.
func (d *Digest) Merge(next *Digest) {
	const odd = 0x9fb21c651e98df25
	for l := range digestLanes {
		d.state[1][l] = d.state[1][l]*odd + next.state[1][l]
		d.state[2][l] = d.state[2][l]*odd + next.state[2][l]
		d.state[3][l] |= next.state[3][l]
	}
}

// Sum returns the checksum, which is never 0.
func (d *Digest) Sum() uint64 {
	const some, other = 0xd1342543de82ef95, 0xaf251af3b0f025b5 // odd, half of their bits set
	h := uint64(some)
	for l := range digestLanes {
		high, low := bits.Mul64(d.state[1][l]^h, other)
		h = high ^ low ^ bits.RotateLeft64(d.state[2][l], l)
		h *= some
	}
	return max(1, h^h>>32)
}

// Finite reports whether all numbers are finite.
func (d *Digest) Finite() bool { return d.state[3] == [digestLanes]uint64{} }

func plainDigest(state *[4][digestLanes]uint64, x []float64) {
	for len(x) > 0 {
		n := min(digestLanes, len(x))
		for l := range digestLanes {
			v := 0.0
			if l < n {
				v = x[l]
			}
			u := math.Float64bits(v)
			state[2][l] += u
			u ^= state[0][l]
			state[1][l] += (u >> 32) * (u & math.MaxUint32)
			state[0][l] += digestSteps[l]
			state[3][l] |= math.Float64bits(v - v) // 0, or NaN
		}
		x = x[n:]
	}
}
