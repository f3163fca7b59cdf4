package reproduce

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

// realData is a data set of the real-data experiments.
type realData struct {
	id, short  string
	title      string
	file       string // in the data directory; "" is built in
	origin     string // where it comes from, if it cannot be shipped
	components int    // m
	features   []int  // k
	load       func(path string) (*mat.SymDense, error)
}

// paperFeatures are the k of the data sets that the paper uses.
var paperFeatures = []int{10, 11, 15, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100}

// realDataSets returns the paper's three and those that are built in.
func realDataSets() []realData {
	return []realData{
		{
			id: "lymphoma", short: "Lymphoma", title: "Lymphoma (500 genes, covariance of rank 62)", file: "lymphoma_cov.npy",
			origin:     "the 500 × 500 covariance of the lymphoma gene expressions of Alizadeh et al. 2000, which Yuan and Zhang 2013 used; the paper's authors publish it on their page",
			components: 10, features: paperFeatures, load: loadCovariance,
		},
		{
			id: "nus_wide", short: "NUS-WIDE", title: "NUS-WIDE (2400 × 225, not centred)", file: "nus_wide.npy",
			origin:     "2400 images of NUS-WIDE (Chua et al. 2009) by their 225 block-wise colour moments, which the paper's authors publish on their page",
			components: 10, features: paperFeatures, load: loadUncentred,
		},
		{
			id: "numbers", short: "Numerical Numbers", title: "Numerical Numbers (2000 × 216, not centred)", file: "numerical_numbers.npy",
			origin:     "the 216 profile correlations (file mfeat-fac) of Multiple Features in the UCI Machine Learning Repository",
			components: 10, features: paperFeatures, load: loadUncentred,
		},
		{
			id: "digits", short: "Digits", title: "Digits (1797 × 64, centred)", components: 10,
			features: []int{10, 12, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60},
			load:     func(string) (*mat.SymDense, error) { return builtinScatter("digits", false) },
		},
		{
			id: "wine", short: "Wine", title: "Wine (178 × 13, correlations)", components: 3,
			features: []int{3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
			load:     func(string) (*mat.SymDense, error) { return builtinScatter("wine", true) },
		},
		{
			id: "iris", short: "Iris", title: "Iris (150 × 4, centred)", components: 1,
			features: []int{1, 2, 3},
			load:     func(string) (*mat.SymDense, error) { return builtinScatter("iris", false) },
		},
	}
}

// errAbsent is the error of a data set that is not where it was looked for.
var errAbsent = errors.New("absent")

// read returns A, unscaled as the paper has it, or errAbsent.
func (d realData) read(dir string) (*mat.SymDense, error) {
	if d.file == "" {
		return d.load("")
	}
	if dir == "" {
		return nil, errAbsent
	}
	a, err := d.load(filepath.Join(dir, d.file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errAbsent
	}
	return a, err
}

// absence says how to get the data set.
func (d realData) absence(dir string) string {
	where := "no data directory was given (--data DIR)"
	if dir != "" {
		where = fmt.Sprintf("%s has no file %s", dir, d.file)
	}
	return fmt.Sprintf("%s, since %s. It is %s; save it as a float64 or integer array in %s.", d.title, where, d.origin, d.file)
}

// loadCovariance reads a square matrix.
func loadCovariance(path string) (*mat.SymDense, error) {
	f, err := dataset.Read(path, dataset.ReadOptions{})
	if err != nil {
		return nil, err
	}
	return solver.SymmetricFromDense(f.Numeric())
}

// loadUncentred reads rows X and returns XᵀX.
func loadUncentred(path string) (*mat.SymDense, error) {
	f, err := dataset.Read(path, dataset.ReadOptions{})
	if err != nil {
		return nil, err
	}
	return scatter(f.Numeric()), nil
}

// builtinScatter returns XᵀX for the centred columns of a built-in table,
// divided by their norms if they are to be standardised.
func builtinScatter(name string, standardise bool) (*mat.SymDense, error) {
	f, err := dataset.Builtin(name)
	if err != nil {
		return nil, err
	}
	x := mat.DenseCopyOf(f.Numeric())
	n, d := x.Dims()
	for j := range d {
		var mean, square float64
		for i := range n {
			mean += x.At(i, j) / float64(n)
		}
		for i := range n {
			v := x.At(i, j) - mean
			x.Set(i, j, v)
			square += v * v
		}
		for i := range n {
			if standardise && square > 0 {
				x.Set(i, j, x.At(i, j)*math.Sqrt(float64(n-1)/square))
			}
		}
	}
	return scatter(x), nil
}

// scatter returns XᵀX.
func scatter(x *mat.Dense) *mat.SymDense {
	_, d := x.Dims()
	a := mat.NewSymDense(d, nil)
	a.SymOuterK(1, x.T())
	return a
}
