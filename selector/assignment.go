package selector

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// assigned gives each row of c a column of its own, so that the sum of the magnitudes is as large as can be;
// -1 for a row where there are fewer columns. It returns which columns are taken.
//
// It is the Hungarian method with shortest augmenting paths: H. W. Kuhn, The Hungarian method for the
// assignment problem, Naval Research Logistics Quarterly 2 (1955).
func assigned(c *mat.Dense) (of []int, taken []bool) {
	rows, columns := c.Dims()
	of, taken = make([]int, rows), make([]bool, columns)
	for i := range of {
		of[i] = -1
	}
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
// total cost. Potentials u and v keep cost(i, j) ≥ u_i + v_j, with equality for pairs.
func assignment(few, many int, cost func(i, j int) float64) []int {
	u, v, partner := make([]float64, few), make([]float64, many), make([]int, many)
	for j := range partner {
		partner[j] = -1
	}
	for root := range few {
		least, from, done := make([]float64, many), make([]int, many), make([]bool, many)
		for j := range least {
			least[j], from[j] = math.Inf(1), -1
		}
		i, last := root, -1
		for { // the shortest path from root to one that has no partner
			next := -1
			for j := range many {
				if done[j] {
					continue
				}
				if slack := cost(i, j) - u[i] - v[j]; slack < least[j] {
					least[j], from[j] = slack, last
				}
				if next < 0 || least[j] < least[next] {
					next = j
				}
			}
			step := least[next]
			u[root] += step
			for j := range many {
				if done[j] {
					u[partner[j]], v[j] = u[partner[j]]+step, v[j]-step
				} else {
					least[j] -= step
				}
			}
			done[next], last = true, next
			if partner[next] < 0 {
				break
			}
			i = partner[next]
		}
		for ; from[last] >= 0; last = from[last] {
			partner[last] = partner[from[last]]
		}
		partner[last] = root
	}
	return partner
}
