package spectral

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// faultyOperator multiplies a few times, then no more.
type faultyOperator struct {
	order, left int
	err         error
}

func (f *faultyOperator) Order() int { return f.order }

func (f *faultyOperator) Mul(_ context.Context, dst, x *mat.Dense) error {
	if f.left--; f.left < 0 {
		return f.err
	}
	dst.Copy(x)
	for i := range f.order {
		for j, v := range dst.RawRowView(i) {
			dst.Set(i, j, v/float64(i+1))
		}
	}
	return nil
}

// TestKrylovOfFault: the error of a product is told as it is, wherever the iteration stands.
func TestKrylovOfFault(t *testing.T) {
	broken := errors.New("the disk is gone")
	for left := range 3 {
		op := &faultyOperator{order: 300, left: left, err: broken}
		if _, err := Krylov(context.Background(), op, 3, Settings{}); err != broken {
			t.Errorf("after %d products: %v", left, err)
		}
	}
	sketch := &faultyOperator{order: 300, err: broken}
	if _, err := Krylov(context.Background(), &faultyOperator{order: 300, left: 9}, 3, Settings{Sketch: sketch}); err != broken {
		t.Errorf("the sketch: %v", err)
	}
	if _, err := Krylov(context.Background(), &faultyOperator{order: 40, left: 1, err: broken}, 20, Settings{}); err != broken {
		t.Errorf("an operator that is formed: %v", err)
	}
}
