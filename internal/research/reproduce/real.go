package reproduce

import (
	"context"
	"errors"
	"fmt"

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
		plain, err := d.read(s.DataDir)
		if errors.Is(err, errAbsent) {
			notes = append(notes, d.absence(s.DataDir))
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", d.title, err)
		}
		c, err := solver.NewMatrix(shifted(plain, paperEpsilon))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", d.title, err)
		}
		a, err := remember(ctx, c, d.components+1)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", d.title, err)
		}
		sets = append(sets, loaded{d, plain, a})
	}
	return sets, notes, nil
}

// runReal makes the curves.
func runReal(ctx context.Context, s *session) (*Section, error) {
	sets, notes, err := s.load(ctx, realDataSets())
	if err != nil {
		return nil, err
	}
	total, before := 0, 0
	for _, d := range sets {
		total += len(d.data.features)
	}
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
	m := d.data.components
	var out []point
	add := func(method, start string, s *solver.Solution, err error) error {
		if err == nil {
			out = append(out, point{
				method: method, start: start, k: k, columns: k, steps: s.Iterations, status: s.Status,
				objective: s.Objective - float64(m)*paperEpsilon,
			})
		}
		return err
	}
	goes, err := solver.GoLowRank(ctx, d.a, k, m, 0)
	if err := add("go", "", goes, err); err != nil {
		return nil, err
	}
	starts := map[string]*mat.Dense{"go": goes.W(d.a.Order()), "convex": convex}
	for _, start := range []string{"convex", "go"} {
		for _, method := range iterativeMethods() {
			s, err := method.run(ctx, d.a, k, starts[start])
			if err := add(method.name, start, s, err); err != nil {
				return nil, err
			}
		}
	}
	power, err := baseline.TPower(ctx, d.a, k, m, baseline.TPowerParams{})
	if err := add("tpower", "", power, err); err != nil {
		return nil, err
	}
	deflated, err := d.deflated(ctx, k)
	if err != nil {
		return nil, err
	}
	out = append(out, deflated)
	for _, e := range owns() {
		if e == solver.EffortExact && d.a.Order() > exactOrder {
			continue
		}
		s, err := spend(ctx, d.a.Covariance, k, m, e)
		if err := add(string(e), "", s, err); err != nil {
			return nil, err
		}
	}
	return out, nil
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
