package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// FuzzCertificate: a file of any content that carries its checksum certifies no bound below the
// optimum, and no bytes make the reader or the check fail otherwise than by an error.
func FuzzCertificate(f *testing.F) {
	const d = 5
	a := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			a.SetSym(i, j, 1/float64(1+i+j))
		}
	}
	p := problem{a: a, k: 2, m: 1}
	best := math.Inf(-1)
	for i := range d {
		for j := range i {
			if v, _, err := p.value([]int{j, i}); err == nil {
				best = max(best, v)
			}
		}
	}
	for _, bound := range []float64{best * (1 + 1e-10), 1.1 * best} {
		c := must.Get(proved(context.Background(), p, nil, nil, bound))(f)
		b, _ := json.Marshal(c)
		f.Add(b)
		f.Add(bytes.Replace(b, []byte(`"tree":[`), []byte(`"tree":[0,-1,`), 1))
	}
	f.Add([]byte(`{"format":"fspca certificate","version":1,"columns":["x"],"features":-1,"components":9223372036854775807,"tree":[-3]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var c Certificate
		if json.Unmarshal(text, &c) == nil {
			c.Checksum = c.checksum()
			text, _ = json.Marshal(&c)
		}
		read, err := ReadCertificate(bytes.NewReader(text))
		if err != nil {
			return
		}
		err = read.Check(context.Background(), a)
		if err == nil && c.Features == p.k && c.Parts == p.m && len(c.Include) == 0 && len(c.Exclude) == 0 && read.Bound < best*(1-1e-9) {
			t.Fatalf("%s certifies a bound below the optimum %v", text, best)
		}
	})
}
