package reconstruction

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// TestBruteForce: the default search finds the optimum in at least 98 % of
// random problems; exact finds and proves it in all; no bound is below it.
func TestBruteForce(t *testing.T) {
	problems := 200
	if testing.Short() {
		problems = 40
	}
	for _, way := range []string{"m = k", "m < k"} {
		found, nodes := 0, 0
		for i := range problems {
			rng := rand.New(rand.NewPCG(11, uint64(i)))
			d := 8 + rng.IntN(7)
			k := 2 + rng.IntN(d/2)
			m := k
			if way == "m < k" {
				m = max(1, k/2)
			}
			a := covarianceOf(randomRows(rng, 4*d, d, i%5))
			best, support := bruteForce(a, k, m, nil)
			c := operatorOf(t, a)
			for _, effort := range []solver.Effort{"", solver.EffortExact} {
				s, err := Solve(context.Background(), c, Params{Features: k, Components: m, Effort: effort})
				if err != nil {
					t.Fatalf("problem %d: %v", i, err)
				}
				if got := objectiveOf(a, s.Support, m); math.Abs(got-s.Objective) > 1e-10*got {
					t.Errorf("problem %d: objective %v on %v, by its definition %v", i, s.Objective, s.Support, got)
				}
				// A_SS amplifies the rounding of A and of the oracle by up to 10⁴.
				if s.UpperBound < best*(1-1e-11) {
					t.Errorf("problem %d (%s, %q): bound %v below the optimum %v", i, way, effort, s.UpperBound, best)
				}
				hit := s.Objective >= best*(1-1e-9)
				switch {
				case effort == "":
					if hit {
						found++
					} else {
						t.Logf("problem %d: d = %d, k = %d, m = %d: %v on %v, best %v on %v", i, d, k, m, s.Objective, s.Support, best, support)
					}
					if s.Proved && !hit {
						t.Errorf("problem %d: proved, but %v is better than %v", i, best, s.Objective)
					}
				default:
					nodes = max(nodes, s.Nodes)
					if !s.Proved || !hit {
						t.Errorf("problem %d (%s, exact): proved %t, status %s, gap %v, %v of %v on %v", i, way, s.Proved, s.Status, s.Gap, s.Objective, best, s.Support)
					}
				}
			}
		}
		t.Logf("%s: %d of %d found by default, exact took at most %d nodes", way, found, problems, nodes)
		if float64(found) < 0.98*float64(problems) {
			t.Errorf("%s: the default search found %d of %d", way, found, problems)
		}
	}
}

// TestReal: at least the R² of the note reconstruction.md: greedy and swaps by
// default, 14 starts for thorough.
func TestReal(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes")
	}
	for _, c := range []struct {
		file           string
		header, labels int
		standardise    bool
		k, m           int
		usual, hard    float64 // R², or the share of PCA_m for m < k
		pca            float64
	}{
		{"sonar.csv.gz", 1, 1, true, 10, 10, .637, .638, .739},
		{"digits.csv.gz", 0, 1, true, 20, 20, .665, .676, .793},
		{"digits.csv.gz", 0, 1, false, 20, 20, .831, .8335, .894},
		{"tissue_gene_expression.csv.gz", 1, 0, true, 30, 30, .757, .759, .827},
		{"golub.csv.gz", 1, 1, true, 20, 20, .761, .764, .791},
		{"sonar.csv.gz", 1, 1, true, 10, 5, .911, .911, 0},
		{"digits.csv.gz", 0, 1, true, 20, 5, .951, .951, 0},
		{"digits.csv.gz", 0, 1, true, 20, 10, .912, .912, 0},
		{"digits.csv.gz", 0, 1, false, 20, 5, .977, .977, 0},
		{"digits.csv.gz", 0, 1, false, 20, 10, .965, .965, 0},
		{"tissue_gene_expression.csv.gz", 1, 0, true, 30, 5, .988, .988, 0},
		{"tissue_gene_expression.csv.gz", 1, 0, true, 30, 10, .972, .972, 0},
		{"golub.csv.gz", 1, 1, true, 20, 5, .995, .995, 0},
		{"golub.csv.gz", 1, 1, true, 20, 10, .984, .984, 0},
	} {
		x := realTable(t, c.file, c.header, c.labels)
		a := dataOf(t, x, c.standardise)
		efforts := []solver.Effort{""}
		if c.hard > c.usual { // else the note has the same for both
			efforts = append(efforts, solver.EffortThorough)
		}
		for _, effort := range efforts {
			s := must.Get(Solve(context.Background(), a, Params{Features: c.k, Components: c.m, Effort: effort}))(t)
			got := s.Objective / s.TotalVariance
			if c.m < c.k {
				got = s.Objective / s.LeadingVariance
			}
			want := c.usual
			if effort == solver.EffortThorough {
				want = c.hard
			}
			n, d := x.Dims()
			t.Logf("%s %d×%d k=%d m=%d %q: %.4f (want %.4f), PCA %.4f, gap %.3f, %d improvements", c.file, n, d, c.k, c.m, effort, got, want, s.LeadingVariance/s.TotalVariance, s.Gap, s.Iterations)
			if got < want-.0005 {
				t.Errorf("%s k=%d m=%d %q: %.4f, want %.4f", c.file, c.k, c.m, effort, got, want)
			}
		}
	}
}
