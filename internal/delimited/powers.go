package delimited

import (
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// The powers of ten of the normal float64 range and of 19-digit mantissas.
const (
	leastPower = -348
	mostPower  = 308
)

// A power is a power of ten as a 128-bit number from 2^127 on, rounded down.
type power struct{ high, low uint64 }

var (
	powerTable [mostPower - leastPower + 1]power
	powersMade sync.Once
)

// powers returns the table of powers, which is made on first use.
func powers() *[mostPower - leastPower + 1]power {
	powersMade.Do(makePowers)
	return &powerTable
}

func makePowers() {
	table := &powerTable
	ten, p := big.NewInt(10), big.NewInt(1)
	for e := 0; e <= mostPower; e++ {
		table[e-leastPower] = topBits(p)
		p.Mul(p, ten)
	}
	p.SetInt64(1)
	one := big.NewInt(1)
	for e := -1; e >= leastPower; e-- {
		p.Mul(p, ten)
		q := new(big.Int).Lsh(one, uint(p.BitLen()+128)) // the quotient has more than 128 bits
		table[e-leastPower] = topBits(q.Div(q, p))
	}
}

// topBits returns the 128 most significant bits of p.
func topBits(p *big.Int) power {
	q := new(big.Int)
	if n := p.BitLen() - 128; n > 0 {
		q.Rsh(p, uint(n))
	} else {
		q.Lsh(p, uint(-n))
	}
	low := new(big.Int).And(q, new(big.Int).SetUint64(math.MaxUint64))
	return power{q.Rsh(q, 64).Uint64(), low.Uint64()}
}

// eiselLemire returns the float64 nearest to mantissa·10^exponent by one or two
// products with a truncated power (Lemire 2021, algorithm 1). It returns false
// where these do not decide, or if the result is not a normal number. The mantissa
// is not 0.
func eiselLemire(mantissa uint64, exponent int) (float64, bool) {
	if exponent < leastPower || exponent > mostPower {
		return 0, false
	}
	p := &powers()[exponent-leastPower]
	shift := bits.LeadingZeros64(mantissa)
	w := mantissa << shift
	high, low := bits.Mul64(w, p.high)
	if high&0x1ff == 0x1ff { // the bits that are not there may carry into those kept
		carry, rest := bits.Mul64(w, p.low)
		var over uint64
		low, over = bits.Add64(low, carry, 0)
		high += over
		if high&0x1ff == 0x1ff && low == math.MaxUint64 && rest+w < w {
			return 0, false
		}
	}
	top := int(high >> 63)
	m := high >> (top + 9) // 54 bits: one more than a float64 holds
	if low == 0 && high&(1<<(top+9)-1) == 0 && m&3 == 1 {
		return 0, false // perhaps half-way between two
	}
	m += m & 1
	m >>= 1
	e := (217706*exponent)>>16 + 64 + 1023 - shift + top - 1 // 217706/2^16 ≈ log2 10
	if m >= 1<<53 {
		m >>= 1
		e++
	}
	if e < 1 || e > 2046 {
		return 0, false
	}
	return math.Float64frombits(uint64(e)<<52 | m&(1<<52-1)), true
}
