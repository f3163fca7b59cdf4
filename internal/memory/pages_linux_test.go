// The race detector has faults of its own.

//go:build !race

package memory

import (
	"os"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/fspca/fspca/internal/must"
)

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
