package kernel

// Poles returns Σ weight[i]/(at[i] − x) and its derivative
// Σ weight[i]/(at[i] − x)², each summed in eight interleaved sums, which are
// then added by halves. An x at a pole gives infinities.
func Poles(weight, at []float64, x float64) (sum, slope float64) {
	mustLen("at", at, len(weight))
	return poles(weight, at, x)
}

func plainPoles(weight, at []float64, x float64) (sum, slope float64) {
	var s, d [columnUnit]float64
	for i, w := range weight {
		t := 1 / (at[i] - x)
		w *= t
		l := i % columnUnit
		s[l] += w
		d[l] = fma(t, w, d[l])
	}
	return sumEight(&s), sumEight(&d)
}

// sumEight adds eight interleaved sums by halves.
func sumEight(s *[columnUnit]float64) float64 {
	for h := columnUnit / 2; h > 0; h /= 2 {
		for l := range h {
			s[l] += s[l+h]
		}
	}
	return s[0]
}
