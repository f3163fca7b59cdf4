package baseline

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// The seeds are fixed; d, k and m are in the names.

func benchmark(b *testing.B, d int, run func(a solver.Covariance) error) {
	a := mustMatrix(b, randomCovariance(rand.New(rand.NewPCG(1, 1)), 2*d, d))
	for b.Loop() {
		must.OK(b, run(a))
	}
}

func BenchmarkBruteForceD20K7M3(b *testing.B) {
	benchmark(b, 20, func(a solver.Covariance) error {
		_, err := BruteForce(context.Background(), a, 7, 3, nil)
		return err
	})
}

func BenchmarkSOAPD200K40M10(b *testing.B) {
	w0 := RandomStart(200, 10, 1, 1)
	benchmark(b, 200, func(a solver.Covariance) error {
		_, err := SOAP(context.Background(), a, 40, w0, IterationParams{MaxIterations: 50})
		return err
	})
}

func BenchmarkSRTD200K40M10(b *testing.B) {
	w0 := RandomStart(200, 10, 1, 1)
	benchmark(b, 200, func(a solver.Covariance) error {
		_, err := SRT(context.Background(), a, 40, w0, IterationParams{MaxIterations: 50})
		return err
	})
}

func BenchmarkTPowerD200K40M10(b *testing.B) {
	benchmark(b, 200, func(a solver.Covariance) error {
		_, err := TPower(context.Background(), a, 40, 10, TPowerParams{})
		return err
	})
}

func BenchmarkFPSD200M10(b *testing.B) {
	benchmark(b, 200, func(a solver.Covariance) error {
		_, err := FPS(context.Background(), a, 10, 0.1, FPSParams{})
		return err
	})
}
