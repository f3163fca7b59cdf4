package spectral

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func BenchmarkLeading(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500, 1000, 2000} {
		a := gaussian(n, 1)
		b.Run(fmt.Sprintf("n=%d/m=10", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Leading(a, 10); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFull(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500, 1000, 2000} {
		a := gaussian(n, 1)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Full(a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkGonum(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500, 1000} {
		a := gaussian(n, 1)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				var eig mat.EigenSym
				if !eig.Factorize(a, true) {
					b.Fatal("failed")
				}
			}
		})
	}
}
