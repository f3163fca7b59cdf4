package selector

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// assigned gives each row of c a column of its own, so that the sum of the magnitudes is as large as can be;
// -1 for a row where there are fewer columns. It returns which columns are taken.
//
// It is the Hungarian method with shortest augmenting paths: H. W. Kuhn, The Hungarian method for the
// assignment problem, Naval Research Logistics Quarterly 2 (1955).
func assigned(c *mat.Dense) (of []int, taken []bool) {
	rows, columns := c.Dims()
	of, taken = slices.Repeat([]int{-1}, rows), make([]bool, columns)
	cost := func(i, j int) float64 { return -math.Abs(c.At(i, j)) }
	few, many := rows, columns
	if rows > columns {
		few, many, cost = columns, rows, func(j, i int) float64 { return -math.Abs(c.At(i, j)) }
	}
	for q, p := range assignment(few, many, cost) {
		i, j := p, q
		if rows > columns {
			i, j = q, p
		}
		if p >= 0 {
			of[i], taken[j] = j, true
		}
	}
	return of, taken
}

// assignment returns for each of the many the one of the few that it belongs to, -1 for none, at the least
// total cost.
func assignment(few, many int, cost func(i, j int) float64) []int {
	m := &matching{cost: cost, u: make([]float64, few), v: make([]float64, many), partner: slices.Repeat([]int{-1}, many)}
	for root := range few {
		from, last := m.path(root)
		for ; from[last] >= 0; last = from[last] {
			m.partner[last] = m.partner[from[last]]
		}
		m.partner[last] = root
	}
	return m.partner
}

// matching is an assignment of some of the few. Potentials u and v keep cost(i, j) ≥ u_i + v_j, with equality
// for pairs.
type matching struct {
	cost    func(i, j int) float64
	u, v    []float64
	partner []int
}

// path finds the shortest path from root, one of the few, to one of the many that has no partner. It returns
// that one, and for each of the many the one before it on the way, -1 for none.
func (m *matching) path(root int) (from []int, last int) {
	many := len(m.partner)
	least, done := slices.Repeat([]float64{math.Inf(1)}, many), make([]bool, many)
	from, last = slices.Repeat([]int{-1}, many), -1
	for i := root; ; i = m.partner[last] {
		next := -1
		for j := range many {
			if done[j] {
				continue
			}
			if slack := m.cost(i, j) - m.u[i] - m.v[j]; slack < least[j] {
				least[j], from[j] = slack, last
			}
			if next < 0 || least[j] < least[next] {
				next = j
			}
		}
		step := least[next]
		m.u[root] += step
		for j := range many {
			if done[j] {
				m.u[m.partner[j]], m.v[j] = m.u[m.partner[j]]+step, m.v[j]-step
			} else {
				least[j] -= step
			}
		}
		if done[next], last = true, next; m.partner[next] < 0 {
			return from, last
		}
	}
}
