// Package memory tells how much memory the process may still take: the smallest of what the machine
// has free and of the limits that the system, its containers, the shell and the Go runtime set.
package memory

import (
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// Limit is one bound on what the process may still take.
type Limit struct {
	Bytes int64  // that are left, at least 0
	What  string // what sets it, such as "ulimit -v"
}

// Available returns the smallest of the limits that are known; false where none is.
func Available() (Limit, bool) {
	return least(append(append(systemLimits(), goLimit()...), addressLimit()...))
}

// certain is so little that asking for what is left would cost more.
const certain = 1 << 20

// Check returns an error if need bytes are more than what is left, that says what needs them and
// what sets the limit.
func Check(what string, need int64) error {
	if need < certain {
		return nil
	}
	left, known := Available()
	if !known || need <= left.Bytes {
		return nil
	}
	debug.FreeOSMemory() // what is garbage is not yet free to the system
	if left, _ = Available(); need <= left.Bytes {
		return nil
	}
	return &Error{What: what, Need: need, Limit: left}
}

// Error is work that needs more memory than is left.
type Error struct {
	What  string
	Need  int64
	Limit Limit
}

// Error says what needs how much, and what is left.
func (e *Error) Error() string {
	return fmt.Sprintf("%s needs about %s of memory, and %s are left (%s): take fewer rows or columns, or a machine with more", e.What, Amount(e.Need), Amount(e.Limit.Bytes), e.Limit.What)
}

// Amount writes a number of bytes in MiB or GiB.
func Amount(n int64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%d MiB", (max(n, 0)+1<<20-1)>>20)
}

func least(limits []Limit) (Limit, bool) {
	if len(limits) == 0 {
		return Limit{}, false
	}
	best := limits[0]
	for _, l := range limits[1:] {
		if l.Bytes < best.Bytes {
			best = l
		}
	}
	best.Bytes = max(0, best.Bytes)
	return best, true
}

// addressLimit is what a 32-bit process can address at all.
func addressLimit() []Limit {
	if math.MaxInt > math.MaxInt32 {
		return nil
	}
	return []Limit{{math.MaxInt32 - held(), "32-bit addresses"}}
}

// goLimit is what GOMEMLIMIT leaves.
func goLimit() []Limit {
	limit := debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 {
		return nil
	}
	return []Limit{{limit - held(), "GOMEMLIMIT"}}
}

// held is how many bytes the Go runtime has from the system and uses.
func held() int64 {
	sizes := runtimeSizes("total", "heap/released", "heap/free")
	return sizes[0] - sizes[1] - sizes[2]
}

// runtimeSizes are the bytes that the runtime has of each class of memory, 0 where it does not say.
func runtimeSizes(classes ...string) []int64 {
	used := make([]metrics.Sample, len(classes))
	for i, class := range classes {
		used[i].Name = "/memory/classes/" + class + ":bytes"
	}
	metrics.Read(used)
	sizes := make([]int64, len(classes))
	for i, s := range used {
		if s.Value.Kind() == metrics.KindUint64 {
			sizes[i] = int64(s.Value.Uint64())
		}
	}
	return sizes
}
