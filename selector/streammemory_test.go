package selector

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// longest notes how many rows are read at a time.
type longest struct {
	matrixRows
	rows *int
}

func (r longest) Read(ctx context.Context, from int, dst *mat.Dense) (int, error) {
	rows, _ := dst.Dims()
	*r.rows = max(*r.rows, rows)
	return r.matrixRows.Read(ctx, from, dst)
}

// TestBlocksFitTheMemory: where the memory is short, fewer rows are read at a time, and the choice is the same;
// where even these are too many, it says so.
func TestBlocksFitTheMemory(t *testing.T) {
	const n, d = 12000, 60
	x, ctx, o := factorRows(n, d), context.Background(), Options{Features: 6, Components: 2}
	whole := New(o)
	must.OK(t, whole.FitMatrix(ctx, x, nil))
	formed, _ := RowsMemory(n, d, o)
	least, less := solver.LeastBlock(n, d)
	if less < 4<<20 || least >= n {
		t.Fatalf("%d rows at least, with %d bytes less", least, less)
	}
	for _, c := range []struct {
		bytes int64
		most  int
	}{{0, n}, {formed + less, n}, {formed + less - 1, least}, {formed, least}} {
		rows := 0
		s := New(o)
		must.OK(t, s.FitRows(ctx, longest{matrixRows{x}, &rows}, nil, c.bytes))
		if rows > c.most || c.most == n && rows <= least {
			t.Errorf("%d bytes: %d rows at a time, want %d at most", c.bytes, rows, c.most)
		}
		sameModels(t, "short of memory", whole.Model(), s.Model())
	}
	_, passes := RowsMemory(n, d, o)
	if err := CheckRows(n, d, o, min(formed, passes)-1); err == nil || !strings.Contains(err.Error(), "needs about") {
		t.Errorf("got %v, want what is needed", err)
	}
}

// TestManyProductsNeedA: what asks for very many products says that it needs A, and how much that takes.
func TestManyProductsNeedA(t *testing.T) {
	o := Options{Features: 6, Components: 2, Bootstrap: 5}
	formed, least := RowsMemory(9000, 300, o)
	if formed <= least {
		t.Fatalf("A takes %d bytes, and passes %d", formed, least)
	}
	must.OK(t, CheckRows(9000, 300, o, formed))
	var short *memory.Error
	if err := CheckRows(9000, 300, o, formed-1); !errors.As(err, &short) || short.Need != formed || !strings.Contains(err.Error(), "bootstrap reads the rows too often unless the memory holds A, which needs about") {
		t.Errorf("got %v, want what A needs", err)
	}
	if err := CheckRows(9000, 6000, o, 1<<40); err == nil || errors.As(err, &short) || !strings.Contains(err.Error(), "too often") {
		t.Errorf("got %v, want that more memory does not help", err)
	}
}

// TestPathRoom: a path asks for the memory of its largest k, not for that of any.
func TestPathRoom(t *testing.T) {
	x, ctx := factorRows(150, 2500), context.Background()
	_, least := RowsMemory(150, 2500, Options{Features: 6, Components: 2})
	_, any := RowsMemory(150, 2500, Options{FeaturesTarget: 1, Components: 2})
	if any < 2*least {
		t.Fatalf("%d bytes for any k, %d for 6", any, least)
	}
	for _, points := range []Points{{Features: []int{6, 3}}, {Max: 6}} {
		if models := must.Get(New(Options{Components: 2}).PathRows(ctx, matrixRows{x}, nil, least, points))(t); len(models) < 2 {
			t.Errorf("%+v: %d models", points, len(models))
		}
	}
	if _, err := New(Options{Components: 2}).PathRows(ctx, matrixRows{x}, nil, least, Points{Target: 0.9}); err == nil || !strings.Contains(err.Error(), "needs about") {
		t.Errorf("a target: got %v, want what is needed", err)
	}
}
