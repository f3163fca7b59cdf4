package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver"
)

// components is the m of the paper's experiments on real data.
const components = 10

// findData looks for shared/data beside a folder above the current one.
func findData() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		candidate := filepath.Join(dir, "shared", "data")
		if info, err := os.Stat(candidate); err == nil && info.IsDir() {
			return candidate
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// load reads a data set: a covariance matrix or uncentred rows. It returns nil
// and tells so where the file is absent.
func load(w io.Writer, opt *options, file string, covariance bool) (solver.Covariance, error) {
	f, err := os.Open(filepath.Join(opt.data, file))
	if errors.Is(err, fs.ErrNotExist) || opt.data == "" {
		fmt.Fprintf(w, "\n%s is not there (folder %q): its rows are left out. It is on the page of the paper's authors.\n", file, opt.data)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x, err := dataset.ReadNPY(f, file)
	if err != nil {
		return nil, err
	}
	if !covariance {
		return solver.NewData(x, solver.DataOptions{Uncentered: true})
	}
	return matrixOf(x)
}

func matrixOf(x *mat.Dense) (solver.Covariance, error) {
	a, err := solver.SymmetricFromDense(x)
	if err != nil {
		return nil, err
	}
	return solver.NewMatrix(a)
}

// real prints what each effort reaches on the paper's data and how far the
// optimum can be.
func real(ctx context.Context, w io.Writer, opt *options) error {
	rows := [][]string{cells("data", "k", "effort", "Tr(WᵀAW)/Tr(A_m)", "bound/Tr(A_m)", "gap", "by", "status", "nodes", "time")}
	for _, data := range []struct {
		name, file string
		covariance bool
		sizes      []int
	}{
		{"Lymphoma", "lymphoma_cov.npy", true, []int{11, 50, 100}},
		{"NUS-WIDE, uncentred", "nus_wide.npy", false, []int{11, 20, 50}},
	} {
		c, err := load(w, opt, data.file, data.covariance)
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		for _, k := range data.sizes {
			runs := []solver.Params{{Effort: solver.EffortIPU}, {}, {Effort: solver.EffortThorough}, {Effort: solver.EffortThorough, SDPIterations: opt.sdp}}
			if k <= 20 {
				runs = append(runs, solver.Params{Effort: solver.EffortExact})
			}
			for _, p := range runs {
				p.Features, p.Components = k, components
				begin := time.Now()
				s, err := solveWithin(ctx, c, p)
				if err != nil {
					return err
				}
				rows = append(rows, cells(data.name, k, describe(p), fmt.Sprintf("%.5f", s.Objective/s.LeadingVariance), fmt.Sprintf("%.5f", s.UpperBound/s.LeadingVariance),
					fmt.Sprintf("%.2g %%", 100*s.Gap), s.BoundSource, s.Status, s.Nodes, time.Since(begin)))
			}
		}
	}
	table(w, fmt.Sprintf("Real data, m = %d", components), rows)
	return nil
}

// exactTime ends an exact search that has not proved its optimum.
const exactTime = 20 * time.Second

func solveWithin(ctx context.Context, c solver.Covariance, p solver.Params) (*solver.Solution, error) {
	if p.Effort == solver.EffortExact {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, exactTime)
		defer cancel()
	}
	return solver.Solve(ctx, c, p)
}

func describe(p solver.Params) string {
	name := string(cmp.Or(p.Effort, solver.EffortQuick))
	if p.Effort == solver.EffortExact {
		name += fmt.Sprintf(", at most %s", exactTime)
	}
	if p.SDPIterations > 0 {
		name += fmt.Sprintf(", %d SDP iterations", p.SDPIterations)
	}
	return name
}

// path walks through k = 10 to 100 on Lymphoma.
func path(ctx context.Context, w io.Writer, opt *options) error {
	c, err := load(w, opt, "lymphoma_cov.npy", true)
	if err != nil || c == nil {
		return err
	}
	sizes := lists.Make(101-components, func(i int) int { return components + i })
	begin := time.Now()
	points, err := solver.Path(ctx, c, solver.Params{Components: components}, sizes)
	took := time.Since(begin)
	if err != nil {
		return err
	}
	rows := [][]string{cells("k", "Tr(WᵀAW)/Tr(A_m)", "bound/Tr(A_m)", "came", "went")}
	for i, s := range points {
		if i > 0 && s.Objective < points[i-1].Objective {
			return fmt.Errorf("the objective falls at k = %d", len(s.Support))
		}
		if k := len(s.Support); k%10 == 0 || k == 11 {
			came, went := 0, 0
			if i > 0 {
				came, went = len(lists.Without(s.Support, points[i-1].Support)), len(lists.Without(points[i-1].Support, s.Support))
			}
			rows = append(rows, cells(k, s.Objective/s.LeadingVariance, s.UpperBound/s.LeadingVariance, came, went))
		}
	}
	table(w, fmt.Sprintf("Path on Lymphoma, effort quick, m = %d: %d points in %s, monotone", components, len(points), formatTime(took)), rows)
	return nil
}
