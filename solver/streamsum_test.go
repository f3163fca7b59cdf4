package solver

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/must"
)

// TestSumOf: what changes in a block changes its sum, even where the numbers stay the same in another
// order, where signs alone change, and in the last digit.
func TestSumOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, columns := range []int{1, 2, 3, 7, 8, 9, 16, 31} {
		x := kernel.NewMatrix(5, columns)
		for i := range x.Data {
			x.Data[i] = rng.NormFloat64()
			if i%7 == 3 {
				x.Data[i] = 0
			}
		}
		seen := map[uint64]string{sumOf(x): "the block"}
		note := func(change string) {
			if was, ok := seen[sumOf(x)]; ok {
				t.Errorf("%d columns: %s has the sum of %s", columns, change, was)
			}
			seen[sumOf(x)] = change
		}
		for i, v := range x.Data {
			x.Data[i] = -v
			note("a sign")
			x.Data[i] = math.Nextafter(v, 9)
			note("a last digit")
			x.Data[i] = v
			for j := range i {
				w := x.Data[j]
				if v == w {
					continue
				}
				x.Data[i], x.Data[j] = w, v
				note("an exchange")
				x.Data[i], x.Data[j] = -v, -w
				note("two signs")
				x.Data[i], x.Data[j] = v, w
			}
		}
	}
}

// summedRows tell sums of their own. They may be read by several goroutines at once.
type summedRows struct {
	x   *mat.Dense
	sum uint64
}

func (s *summedRows) Dims() (n, d int) { return s.x.Dims() }

func (s *summedRows) Read(_ context.Context, from int, dst *mat.Dense) (int, error) {
	n, d := dst.Dims()
	dst.Copy(s.x.Slice(from, from+n, 0, d))
	return n, nil
}

func (s *summedRows) ReadSum(ctx context.Context, from int, dst *mat.Dense) (int, uint64, error) {
	n, err := s.Read(ctx, from, dst)
	return n, s.sum, err
}

// TestRowsThatSum: sums that the rows tell are those by which changes are found, even 0.
func TestRowsThatSum(t *testing.T) {
	ctx := context.Background()
	s := &summedRows{x: streamTable(100, 9, 4)}
	a := must.Get(NewStream(ctx, s, StreamOptions{Block: 7, Memory: 1}))(t)
	if _, err := a.Block(ctx, []int{0, 1}); err != nil {
		t.Errorf("the rows stay as they are: %v", err)
	}
	s.sum = 5
	if _, err := a.Block(ctx, []int{0, 1}); !errors.Is(err, ErrChanged) {
		t.Errorf("got %v, want ErrChanged", err)
	}
}
