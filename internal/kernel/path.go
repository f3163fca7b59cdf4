package kernel

import (
	"fmt"
	"os"
)

// pathVariable is the environment variable that forces a path.
const pathVariable = "FSPCA_KERNEL"

// path is a set of kernels.
type path int

const (
	plain path = iota
	avx2
	avx512
)

func (p path) String() string { return [...]string{"plain", "avx2", "avx512"}[p] }

// active is the path in use: the best one that the processor has, or the one
// that FSPCA_KERNEL names.
var active, pathError = choosePath(os.Getenv(pathVariable), bestPath())

// Path returns the name of the kernels in use: "avx512", "avx2" or "plain".
func Path() string { return active.String() }

// PathError returns an error if FSPCA_KERNEL names a path that does not exist
// or that this machine (or this build: tag noasm) does not have; the best one
// is then used instead.
func PathError() error { return pathError }

// choosePath returns the path called name, or the best one where name is empty.
func choosePath(name string, best path) (path, error) {
	for p := plain; p <= avx512; p++ {
		if p.String() != name {
			continue
		}
		if p > best {
			return best, fmt.Errorf("%s=%s: this machine or build has no kernels beyond %s", pathVariable, name, best)
		}
		return p, nil
	}
	if name != "" {
		return best, fmt.Errorf("%s=%s: want avx512, avx2 or plain", pathVariable, name)
	}
	return best, nil
}
