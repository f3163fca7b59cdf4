// The race detector has faults of its own.

//go:build !race

package memory

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/fspca/fspca/internal/must"
)

// TestNumbers: zeros, in large pages where there are many and the system takes the advice.
func TestNumbers(t *testing.T) {
	for _, n := range []int{0, 1, manyNumbers - 1, manyNumbers, 3*manyNumbers + 5} {
		x := Numbers(n)
		if len(x) != n || slices.ContainsFunc(x, func(v float64) bool { return v != 0 }) {
			t.Fatalf("%d numbers, want %d zeros", len(x), n)
		}
		if n < manyNumbers {
			continue
		}
		large := pagesOf(x, largePage)
		if len(large) < 8*n-2*largePage || uintptr(unsafe.Pointer(&large[0]))%largePage != 0 {
			t.Errorf("%d of %d bytes in large pages", len(large), 8*n)
		}
		if err := adviceTaken(t); err != nil {
			t.Skipf("this system has no large pages: %v", err)
		}
		if got, want := adviceOf(t, uintptr(unsafe.Pointer(&large[0]))), " hg"; !strings.Contains(got, want) {
			t.Errorf("flags%s, want%s among them", got, want)
		}
	}
}

// adviceTaken asks for large pages for memory of its own.
func adviceTaken(t *testing.T) error {
	own := must.Get(unix.Mmap(-1, 0, largePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE))(t)
	defer func() { _ = unix.Munmap(own) }()
	return unix.Madvise(own, unix.MADV_HUGEPAGE)
}

// adviceOf returns the flags of the piece of memory that holds an address.
func adviceOf(t *testing.T, at uintptr) string {
	inside := false
	for line := range strings.Lines(string(must.Get(os.ReadFile("/proc/self/smaps"))(t))) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			inside = from <= at && at < to
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && inside {
			return flags
		}
	}
	return ""
}

// TestPopulate: numbers that were populated are written without a fault for each page, and are still 0.
func TestPopulate(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // whose faults would count
	faults := func(x []float64) int64 {
		var before, after unix.Rusage
		must.OK(t, unix.Getrusage(unix.RUSAGE_SELF, &before))
		for i := range x {
			if x[i] != 0 {
				t.Fatalf("number %d is %v", i, x[i])
			}
			x[i] = 1
		}
		must.OK(t, unix.Getrusage(unix.RUSAGE_SELF, &after))
		return int64(after.Minflt) - int64(before.Minflt)
	}
	const cells = 8 << 20
	pages := int64(8 * cells / os.Getpagesize())
	plain := faults(make([]float64, cells))
	if plain < pages/2 {
		t.Skipf("%d faults for %d pages: this memory needs none", plain, pages)
	}
	x := make([]float64, cells+3)[3:]
	page := must.Get(unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE))(t)
	defer func() { _ = unix.Munmap(page) }()
	if err := unix.Madvise(page, unix.MADV_POPULATE_WRITE); err != nil {
		t.Skipf("this system does not populate memory: %v", err)
	}
	Populate(x)
	if got := faults(x); got > pages/4 {
		t.Errorf("%d faults for %d pages after Populate, %d without", got, pages, plain)
	}
	Populate(nil)
	Populate(x[:1])
}

// BenchmarkNumbers writes to fresh memory of 256 MiB, in pages of any size and in large ones.
func BenchmarkNumbers(b *testing.B) {
	const cells, line = 32 << 20, 8
	for _, c := range []struct {
		name    string
		numbers func(int) []float64
	}{{"any", func(n int) []float64 { return make([]float64, n) }}, {"large", Numbers}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				debug.FreeOSMemory()
				b.StartTimer()
				x := c.numbers(cells)
				for i := 0; i < len(x); i += line {
					x[i] = 1
				}
			}
		})
	}
}
