package reproduce

import (
	"context"
	"errors"
	"fmt"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"gonum.org/v1/gonum/mat"
)

// point is what one method explains with k columns.
type point struct {
	method string
	start  string // "go", "convex" or ""
	k      int

	objective float64 // Tr(WᵀAW) on A without ε
	steps     int
	status    solver.Status
	columns   int // used: k, but for TPower (D)
	adjusted  float64
}

// curve holds the points of one data set.
type curve struct {
	data    realData
	leading float64 // Tr(A_m)
	points  map[string]map[int]point
}

// key names a method with its start.
func (p point) key() string {
	if p.start == "" {
		return p.method
	}
	return p.method + " from " + p.start
}

// share returns the normalised explained variance.
func (c *curve) share(key string, k int) (float64, bool) {
	p, ok := c.points[key][k]
	return p.objective / c.leading, ok
}

// loaded is a data set ready for use.
type loaded struct {
	data  realData
	plain *mat.SymDense // A
	a     *remembered   // A + εI
}

// load reads those of the data sets that are there, and says what is missing.
func (s *session) load(ctx context.Context, wanted []realData) (sets []loaded, notes []string, err error) {
	for _, d := range wanted {
		set, err := d.ready(ctx, s.DataDir)
		switch {
		case errors.Is(err, errAbsent):
			notes = append(notes, d.absence(s.DataDir))
		case err != nil:
			return nil, nil, fmt.Errorf("%s: %w", d.title, err)
		default:
			sets = append(sets, set)
		}
	}
	return sets, notes, nil
}

// ready reads a data set, or returns errAbsent.
func (d realData) ready(ctx context.Context, dir string) (loaded, error) {
	plain, err := d.read(dir)
	if err != nil {
		return loaded{}, err
	}
	a, err := rememberShifted(ctx, plain, paperEpsilon, d.components+1)
	return loaded{d, plain, a}, err
}

// runReal makes the curves.
func runReal(ctx context.Context, s *session) (*Section, error) {
	sets, notes, err := s.load(ctx, realDataSets())
	if err != nil {
		return nil, err
	}
	total, before := lists.Sum(lists.Map(sets, func(d loaded) int { return len(d.data.features) })), 0
	var curves []*curve
	for _, d := range sets {
		c, err := d.curve(ctx, func(done int) {
			s.Progress(Progress{"real", d.data.id, before + done, total})
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.data.title, err)
		}
		before += len(d.data.features)
		curves = append(curves, c)
	}
	return realSection(curves, notes), nil
}

// curve runs every method for every k.
func (d loaded) curve(ctx context.Context, tell func(int)) (*curve, error) {
	m := d.data.components
	c := &curve{data: d.data, points: map[string]map[int]point{}}
	for _, v := range d.a.values[:m] {
		c.leading += v - paperEpsilon
	}
	convex, err := convexStart(ctx, d.a, m, m, unitPenalty)
	if err != nil {
		return nil, err
	}
	found := make([][]point, len(d.data.features))
	err = each(ctx, len(found), tell, func(i int) (err error) {
		found[i], err = d.points(ctx, convex, d.data.features[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, points := range found {
		for _, p := range points {
			if c.points[p.key()] == nil {
				c.points[p.key()] = map[int]point{}
			}
			c.points[p.key()][p.k] = p
		}
	}
	return c, nil
}

// points runs every method for one k.
func (d loaded) points(ctx context.Context, convex *mat.Dense, k int) ([]point, error) {
	goes, err := solver.GoLowRank(ctx, d.a, k, d.data.components, 0)
	if err != nil {
		return nil, err
	}
	out := []point{d.point("go", "", k, goes)}
	starts := map[string]*mat.Dense{"go": goes.W(d.a.Order()), "convex": convex}
	for _, start := range []string{"convex", "go"} {
		for _, method := range iterativeMethods() {
			s, err := method.run(ctx, d.a, k, starts[start])
			if err != nil {
				return nil, err
			}
			out = append(out, d.point(method.name, start, k, s))
		}
	}
	power, err := baseline.TPower(ctx, d.a, k, d.data.components, baseline.TPowerParams{})
	if err != nil {
		return nil, err
	}
	deflated, err := d.deflated(ctx, k)
	if err != nil {
		return nil, err
	}
	out = append(out, d.point("tpower", "", k, power), deflated)
	for _, e := range d.owns() {
		s, err := spend(ctx, d.a.Covariance, k, d.data.components, e)
		if err != nil {
			return nil, err
		}
		out = append(out, d.point(string(e), "", k, s))
	}
	return out, nil
}

// point is what a solution explains.
func (d loaded) point(method, start string, k int, s *solver.Solution) point {
	return point{
		method: method, start: start, k: k, columns: k, steps: s.Iterations, status: s.Status,
		objective: s.Objective - float64(d.data.components)*paperEpsilon,
	}
}

// owns are our efforts that end in time on the data.
func (d loaded) owns() []solver.Effort {
	return lists.Where(owns(), func(e solver.Effort) bool { return e != solver.EffortExact || d.a.Order() <= exactOrder })
}

// deflated runs TPower (D), which is no point of the problem.
func (d loaded) deflated(ctx context.Context, k int) (point, error) {
	m := d.data.components
	v, err := baseline.Deflate(ctx, d.a, k, m, baseline.TPowerParams{})
	if err != nil {
		return point{}, err
	}
	shift := float64(m) * paperEpsilon
	return point{
		method: "tpower_deflation", k: k, columns: len(v.Union), steps: v.Iterations, status: v.Status,
		objective: v.Explained - shift, adjusted: v.Adjusted - shift,
	}, nil
}

// exactOrder is the order up to which exact search is run on real data; above
// it may take longer than anybody waits.
const exactOrder = 20
