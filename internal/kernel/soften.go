package kernel

// Soften moves v towards 0 by t ≥ 0, not past it: soft thresholding.
func Soften(v, t float64) float64 {
	switch {
	case v > t:
		return v - t
	case v < -t:
		return v + t
	}
	return 0
}
