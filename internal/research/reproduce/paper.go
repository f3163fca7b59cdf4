package reproduce

import (
	_ "embed" // the paper's table
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/fspca/fspca/internal/research/synthetic"
)

//go:embed paper/table2.csv
var paperTable2 string

// column is one of the three groups of the paper's Table 2: where a method
// starts.
type column string

const (
	fromRandom  column = "random"
	fromConvex  column = "convex"
	fromLowRank column = "low_rank"
)

func columns() []column { return []column{fromRandom, fromConvex, fromLowRank} }

func (c column) title() string {
	return map[column]string{
		fromRandom:  "Random subspace, best of 20",
		fromConvex:  "Convex relaxation",
		fromLowRank: "Low rank (Go)",
	}[c]
}

// cell names one entry of Table 2.
type cell struct {
	scheme synthetic.Scheme
	method string
	column column
}

// figures are the three measures with the spread that the paper states.
type figures struct {
	ir, irSpread float64
	re, reSpread float64
	hf, hfSpread float64
}

// paperFigures returns the paper's Table 2.
var paperFigures = sync.OnceValue(func() map[cell]figures {
	rows, err := csv.NewReader(strings.NewReader(paperTable2)).ReadAll()
	if err != nil {
		panic(err)
	}
	out := map[cell]figures{}
	for _, r := range rows[1:] {
		var v [6]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(r[3+i], 64); err != nil {
				panic(fmt.Errorf("paper/table2.csv: %w", err))
			}
		}
		out[cell{synthetic.Scheme(r[0]), r[1], column(r[2])}] = figures{v[0], v[1], v[2], v[3], v[4], v[5]}
	}
	return out
})
