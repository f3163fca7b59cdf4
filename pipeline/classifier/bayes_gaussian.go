package classifier

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// gaussians are a normal distribution of each column in each class.
type gaussians struct {
	prior    []float64 // log of the share of each class
	mean     *mat.Dense
	variance *mat.Dense // classes×p
}

// fitGaussians estimates means and variances; smoothing, times the largest
// variance of a column over all rows, is added to each variance.
func fitGaussians(x *mat.Dense, codes []int, classes int, smoothing float64) *gaussians {
	n, p := x.Dims()
	g := &gaussians{prior: make([]float64, classes), mean: mat.NewDense(classes, p, nil), variance: mat.NewDense(classes, p, nil)}
	counts := make([]float64, classes)
	for _, code := range codes {
		counts[code]++
	}
	centre, spread := make([]float64, p), make([]float64, p)
	kernel.Moments(centre, spread, kernel.Matrix(x.RawMatrix()))
	const columns = 32 // a worker's columns: each has sums of its own
	kernel.Parallel((p+columns-1)/columns, func(_, part int) {
		g.moments(x, codes, counts, part*columns, min(p, (part+1)*columns))
	})
	added := 0.0
	for _, squares := range spread {
		added = max(added, smoothing*squares/float64(n))
	}
	for class, count := range counts {
		g.prior[class] = math.Log(count / float64(n))
		for j, v := range g.variance.RawRowView(class) {
			g.variance.Set(class, j, v/count+added)
		}
	}
	return g
}

// moments sums over columns first…last−1, in two passes: means, then squares of
// the deviations from them.
func (g *gaussians) moments(x *mat.Dense, codes []int, counts []float64, first, last int) {
	for i, code := range codes {
		row, mean := x.RawRowView(i)[first:last], g.mean.RawRowView(code)[first:last]
		for j, v := range row {
			mean[j] += v
		}
	}
	for class, count := range counts {
		mean := g.mean.RawRowView(class)[first:last]
		for j := range mean {
			mean[j] /= count
		}
	}
	for i, code := range codes {
		row, mean := x.RawRowView(i)[first:last], g.mean.RawRowView(code)[first:last]
		squares := g.variance.RawRowView(code)[first:last]
		for j, v := range row {
			squares[j] += (v - mean[j]) * (v - mean[j])
		}
	}
}

// scoring is what prediction needs of the distributions.
type scoring struct {
	*gaussians
	base  []float64  // log prior − ½·Σ log 2πσ²
	scale *mat.Dense // 1/2σ²
}

func (g *gaussians) scoring() *scoring {
	classes, p := g.mean.Dims()
	s := &scoring{gaussians: g, base: make([]float64, classes), scale: mat.NewDense(classes, p, nil)}
	for class := range classes {
		s.base[class] = g.prior[class]
		for j, v := range g.variance.RawRowView(class) {
			s.base[class] -= math.Log(2*math.Pi*v) / 2
			s.scale.Set(class, j, 1/(2*v))
		}
	}
	return s
}

// logs writes the logarithms of prior times density of a row.
func (s *scoring) logs(row, to []float64) {
	for class := range to {
		mean, scale := s.mean.RawRowView(class)[:len(row)], s.scale.RawRowView(class)[:len(row)]
		var sum [4]float64 // four chains: the additions overlap
		for j, v := range row {
			d := v - mean[j]
			sum[j&3] += d * d * scale[j]
		}
		to[class] = s.base[class] - (sum[0] + sum[1] + sum[2] + sum[3])
	}
	if math.IsInf(to[majority(to)], -1) {
		s.farthest(row, to)
	}
}

// farthest is logs of a row so far from every class that the squares overflow:
// the nearest class then has all the probability, and equals share it.
func (s *scoring) farthest(row, to []float64) {
	ratio := func(class, j int) float64 { // log of the deviation in standard deviations
		mean, scale := s.mean.At(class, j), s.scale.At(class, j)
		return math.Log(math.Abs(row[j]/2-mean/2)) + math.Log(scale)/2
	}
	most := math.Inf(-1)
	for class := range to {
		for j := range row {
			most = max(most, ratio(class, j))
		}
	}
	nearest := math.Inf(1)
	for class := range to {
		to[class] = 0
		for j := range row {
			to[class] += math.Exp(2 * (ratio(class, j) - most))
		}
		nearest = min(nearest, to[class])
	}
	for class, far := range to {
		to[class] = 0
		if far > nearest {
			to[class] = math.Inf(-1)
		}
	}
}
