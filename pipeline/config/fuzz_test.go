package config

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzSet: two overrides give a config or mistakes that have a message and a place. Given twice, they
// give the same config as once, unless they name steps, whose names they may change.
func FuzzSet(f *testing.F) {
	for _, pair := range [][2]string{
		{"steps.fspca.features=4", "split={folds: 5}"}, {"steps.3=knn: {k: 3}", "steps.knn.k=7"}, {"data.drop=[a, b]", "data.drop.1=c"},
		{"steps=[center]", "steps.center={}"}, {"search.grid={fspca.features: [2, 3]}", "name='007'"}, {"split.test=1e-999", "split..seed=&a [*a]"},
		{"=", "."}, {"steps.-1=x", "steps.99999999999999999999=x"}, {"data.source=\xff", "version=!!binary aGk="},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		once, err := Parse("f", []byte(overridden), one, two)
		if err != nil {
			for _, p := range err.(*Error).Problems {
				if p.Message == "" || p.File == "" || (p.Line > 0) != (p.Column > 0) {
					t.Fatalf("no place or message: %+v", p)
				}
			}
			return
		}
		again, err := Parse("f", []byte(overridden), one, one, two)
		if err != nil {
			return // the first may have given a step the name of another
		}
		x, _ := json.Marshal(once)
		if y, _ := json.Marshal(again); !bytes.Equal(x, y) {
			t.Fatalf("once %s, twice %s", x, y)
		}
	})
}
