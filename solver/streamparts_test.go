package solver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// splitSources are sources of 95 rows in blocks of 10, that may be read by several goroutines and that may not.
func splitSources(opt StreamOptions) map[string]*source {
	x, sources := streamTable(95, 4, 1), map[string]*source{}
	opt.Block = 10
	for name, rows := range map[string]Rows{"alone": &storedRows{x: x}, "together": &summedRows{x: x}} {
		sources[name] = newSource(rows, 95, 4, opt)
	}
	return sources
}

// TestSplitInOrder: all blocks come, those of a part in order and never at once, and what is done grows.
func TestSplitInOrder(t *testing.T) {
	told := 0
	opt := StreamOptions{Progress: func(_, done, _ int) {
		if done <= told {
			t.Errorf("%d rows are done after %d", done, told)
		}
		told = done
	}}
	for name, s := range splitSources(opt) {
		for range 50 {
			var parts [streamParts]sync.Mutex
			var seen [streamParts][]int
			told = 0
			must.OK(t, s.split(context.Background(), func(part int, b *block) error {
				if !parts[part].TryLock() {
					t.Errorf("%s: two blocks of part %d at once", name, part)
				}
				seen[part] = append(seen[part], b.from)
				parts[part].Unlock()
				return nil
			}))
			if !slices.Equal(seen[0], []int{0, 20, 40, 60, 80}) || !slices.Equal(seen[1], []int{10, 30, 50, 70, 90}) || told != 95 {
				t.Fatalf("%s: parts of %v, %d rows done", name, seen, told)
			}
		}
	}
}

// TestSplitEnds: the error is that of the first block that has one, whoever works on it, a block's panic comes
// to the caller, and an ended context ends it. The next pass is none the worse.
func TestSplitEnds(t *testing.T) {
	for name, s := range splitSources(StreamOptions{}) {
		all := func() (rows int, err error) {
			var parts [streamParts]int
			err = s.split(context.Background(), func(part int, b *block) error { parts[part] += b.x.Rows; return nil })
			return parts[0] + parts[1], err
		}
		for first := 0; first < 95; first += 10 {
			err := s.split(context.Background(), func(_ int, b *block) error {
				if b.from >= first {
					return fmt.Errorf("%d", b.from)
				}
				return nil
			})
			if err == nil || err.Error() != fmt.Sprint(first) {
				t.Errorf("%s: the error is %v, want that of row %d", name, err, first)
			}
		}
		func() {
			defer func() {
				if r := recover(); r != "broken" {
					t.Errorf("%s: the panic is %v", name, r)
				}
			}()
			_ = s.split(context.Background(), func(_ int, b *block) error {
				if b.from == 30 {
					panic("broken")
				}
				return nil
			})
		}()
		ctx, cancel := context.WithCancel(context.Background())
		err := s.split(ctx, func(int, *block) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the context has ended: %v", name, err)
		}
		if rows, err := all(); rows != 95 || err != nil {
			t.Errorf("%s: %d rows and %v afterwards", name, rows, err)
		}
	}
}
