package classifier

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// leastSquares minimises Σ(yᵢ − xᵢᵀw − b)² + l2·‖w‖². Without a penalty, and
// where more than one w is best, it gives the shortest.
func leastSquares(x *mat.Dense, y []float64, l2 float64) (w []float64, b float64, err error) {
	n, p := x.Dims()
	mean, squares := make([]float64, p), make([]float64, p)
	kernel.Moments(mean, squares, kernel.Matrix(x.RawMatrix()))
	centre := 0.0
	for _, v := range y {
		centre += v / float64(n)
	}
	target := make([]float64, n)
	for i, v := range y {
		target[i] = v - centre
	}
	s := squaresProblem{view: kernel.View{X: kernel.Matrix(x.RawMatrix()), Mean: mean}, squares: squares, l2: l2}
	switch {
	case l2 > 0 && n < p:
		w, err = s.dual(target)
	case l2 > 0 || n > p:
		w, err = s.normal(target)
	default:
		err = errIllConditioned
	}
	if errors.Is(err, errIllConditioned) {
		w, err = s.singular(target)
	}
	if err != nil {
		return nil, 0, err
	}
	return w, centre - floats.Dot(mean, w), nil
}

// errIllConditioned says that the normal equations are too near singular.
var errIllConditioned = errors.New("the columns are nearly collinear")

type squaresProblem struct {
	view    kernel.View // of the centred columns
	squares []float64   // their squared lengths
	l2      float64
}

// normal solves the normal equations on columns of length 1, and corrects the
// solution by the residuals of the rows. The result is then as good as that of an
// orthogonal factorisation, unless the columns are nearly collinear. See Björck,
// Numerical Methods for Least Squares Problems, section 6.6.5.
func (s *squaresProblem) normal(y []float64) ([]float64, error) {
	p := s.view.Cols()
	factor := make([]float64, p)
	for j, squares := range s.squares {
		if d := math.Sqrt(squares + s.l2); d > 0 {
			factor[j] = 1 / d
		}
	}
	view := s.view
	view.Factor = factor
	gram := kernel.NewMatrix(p, p)
	kernel.Cross(gram, view)
	for j := range p {
		gram.Data[j*p+j] += s.l2 * factor[j] * factor[j]
		if factor[j] == 0 {
			gram.Data[j*p+j] = 1 // a constant column: its weight is 0
		}
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(mat.NewSymDense(p, gram.Data)) || !(cholesky.Cond() < 1e10) {
		return nil, errIllConditioned
	}
	u, err := s.refine(&cholesky, factor, y)
	if err != nil {
		return nil, err
	}
	floats.Mul(u, factor)
	return u, nil
}

// refine solves the factorised equations, and corrects the solution by its residuals.
func (s *squaresProblem) refine(cholesky *mat.Cholesky, factor, y []float64) ([]float64, error) {
	p := len(factor)
	u, residual := make([]float64, p), append([]float64(nil), y...)
	step := mat.NewVecDense(p, nil)
	for range 3 {
		right := s.transposed(residual)
		for j := range right {
			right[j] = right[j]*factor[j] - s.l2*factor[j]*factor[j]*u[j]
		}
		if err := cholesky.SolveVecTo(step, mat.NewVecDense(p, right)); err != nil {
			return nil, errIllConditioned
		}
		floats.Add(u, step.RawVector().Data)
		w := make([]float64, p)
		floats.MulTo(w, u, factor)
		s.residual(residual, y, w)
	}
	return u, nil
}

// dual solves for n unknowns where there are fewer rows than columns: w = Xᵀa
// with (XXᵀ + l2·I)·a = y.
func (s *squaresProblem) dual(y []float64) ([]float64, error) {
	n := s.view.Rows()
	gram := kernel.NewMatrix(n, n)
	kernel.Gram(gram, s.view)
	for i := range n {
		gram.Data[i*n+i] += s.l2
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(mat.NewSymDense(n, gram.Data)) || !(cholesky.Cond() < 1e12) {
		return nil, errIllConditioned
	}
	a := mat.NewVecDense(n, nil)
	if err := cholesky.SolveVecTo(a, mat.NewVecDense(n, y)); err != nil {
		return nil, errIllConditioned
	}
	return s.transposed(a.RawVector().Data), nil
}

// singular solves by the singular values of the centred rows. Those below
// rounding count as 0.
func (s *squaresProblem) singular(y []float64) ([]float64, error) {
	n, p := s.view.Rows(), s.view.Cols()
	centred := kernel.NewMatrix(n, p)
	kernel.Gather(centred, s.view)
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(n, p, centred.Data), mat.SVDThin) {
		return nil, errors.New("the singular value decomposition did not converge")
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	values := svd.Values(nil)
	w := make([]float64, p)
	for i, value := range values {
		if value <= values[0]*float64(max(n, p))*0x1p-52 {
			break
		}
		share := mat.Dot(u.ColView(i), mat.NewVecDense(n, y)) * value / (value*value + s.l2)
		for j := range w {
			w[j] += share * v.At(j, i)
		}
	}
	return w, nil
}

// residual sets r to y − X·w on centred columns.
func (s *squaresProblem) residual(r, y, w []float64) {
	shift := floats.Dot(s.view.Mean, w)
	const block = 256
	kernel.Parallel((len(y)+block-1)/block, func(_, part int) {
		for i := part * block; i < min(len(y), (part+1)*block); i++ {
			r[i] = y[i] - (kernel.Dot(s.view.X.Row(i), w) - shift)
		}
	})
}

// transposed returns Xᵀ·r on centred columns.
func (s *squaresProblem) transposed(r []float64) []float64 {
	p := s.view.Cols()
	pass := kernel.NewPass(s.view.X, s.view.Mean, 1)
	to := kernel.NewMatrix(p, 1)
	pass.Left(to, kernel.Matrix{Rows: len(r), Cols: 1, Stride: 1, Data: r})
	return to.Data
}
