package solver

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// publicMatrices are the correlation matrices that exact methods are compared on.
const publicMatrices = "../../shared/data/spca"

var publicTime = flag.Duration("public", 0, "time for each case of TestPublicTable, which is skipped without")
var publicFolder = flag.String("matrices", publicMatrices, "the folder with the matrices of TestPublicTable, .npy")

// withCPU limits a case, and usedCPU measures it: by the processors where these tell.
var (
	withCPU = context.WithTimeout
	usedCPU = func() time.Duration { return time.Duration(time.Now().UnixNano()) }
)

var publicOnly = flag.String("only", "", "a regular expression for the cases of TestPublicTable, such as \"lung m=3 k=20\"")

// publicMatrix reads a matrix of float64 in NumPy's format, or skips the test.
func publicMatrix(t *testing.T, path string) *mat.SymDense {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the public matrices are not here: %v", err)
	}
	head := int(binary.LittleEndian.Uint16(raw[8:10])) + 10
	if !strings.Contains(string(raw[:head]), "'<f8'") {
		t.Fatalf("%s does not hold float64", path)
	}
	raw = raw[head:]
	d := int(math.Sqrt(float64(len(raw) / 8)))
	a := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			a.SetSym(i, j, math.Float64frombits(binary.LittleEndian.Uint64(raw[8*(i*d+j):])))
		}
	}
	return a
}

// TestPublicProofs: what the enumeration closes at once, with the optima that
// ../shared/notes/exact.md says its prototypes met. No case may take a search.
func TestPublicProofs(t *testing.T) {
	for _, c := range []struct {
		name  string
		k, m  int
		nodes int
	}{
		{"arrhythmia", 5, 1, 200}, {"arrhythmia", 10, 1, 200}, {"communities", 20, 1, 10_000}, {"lung", 5, 1, 2000}, {"pitprops", 5, 2, 200},
	} {
		a := mustMatrix(t, publicMatrix(t, filepath.Join(publicMatrices, c.name+".npy")))
		s := mustSolve(t, a, Params{Features: c.k, Components: c.m, Effort: EffortExact})
		if !s.Proved || s.Nodes > c.nodes {
			t.Errorf("%s k=%d m=%d: %s after %d nodes, gap %v", c.name, c.k, c.m, s.Status, s.Nodes, s.Gap)
		}
	}
}

// TestPublicTable prints what a search proves of each matrix in a given time.
func TestPublicTable(t *testing.T) {
	if *publicTime == 0 {
		t.Skip("a benchmark: -public 60s")
	}
	only := regexp.MustCompile(*publicOnly)
	files, _ := filepath.Glob(filepath.Join(*publicFolder, "*.npy"))
	cases, proved, within1, within3 := 0, 0, 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".npy")
		sym := publicMatrix(t, file)
		for _, m := range []int{1, 2, 3} {
			for _, k := range []int{5, 10, 20} {
				if k >= sym.SymmetricDim() || !only.MatchString(fmt.Sprintf("%s m=%d k=%d", name, m, k)) {
					continue
				}
				ctx, cancel := withCPU(t.Context(), *publicTime)
				began := usedCPU()
				s, err := Solve(ctx, mustMatrix(t, sym), Params{Features: k, Components: m, Effort: EffortExact})
				cancel()
				must.OK(t, err)
				cases++
				if s.Proved {
					proved++
				}
				if s.Gap <= .01 {
					within1++
				}
				if s.Gap <= .03 {
					within3++
				}
				t.Logf("%-12s m=%d k=%-2d %-14s %8d nodes %6.2f s of processors gap %.3f %% objective %.6f", name, m, k, s.Status, s.Nodes, (usedCPU() - began).Seconds(), 100*s.Gap, s.Objective)
			}
		}
	}
	t.Logf("of %d cases: %d proved, %d within 1 %%, %d within 3 %%", cases, proved, within1, within3)
}
