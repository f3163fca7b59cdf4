package classifier

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// eachPart calls do for the parts 0…parts−1, on as many processors as there
// are. Which part runs where is not fixed; a result that must not depend on the
// processors is kept per part and put together in the order of the parts.
func eachPart(parts int, do func(part int)) {
	workers := min(runtime.GOMAXPROCS(0), parts)
	if workers <= 1 {
		for part := range parts {
			do(part)
		}
		return
	}
	var next atomic.Int64
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for part := int(next.Add(1)) - 1; part < parts; part = int(next.Add(1)) - 1 {
				do(part)
			}
		})
	}
	running.Wait()
}
