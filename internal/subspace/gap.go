package subspace

import "math"

// Gap is (upper − value)/value, the share by which a bound is above a value; for a value of 0 either 0 or
// the largest number.
func Gap(upper, value float64) float64 {
	switch {
	case value > 0:
		return (upper - value) / value
	case upper > value:
		return math.MaxFloat64
	}
	return 0
}
