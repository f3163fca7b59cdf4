package oracle

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestEachSubset(t *testing.T) {
	var all []string
	EachSubset(4, 2, func(s []int) { all = append(all, fmt.Sprint(s)) })
	if got := strings.Join(all, " "); got != "[0 1] [0 2] [0 3] [1 2] [1 3] [2 3]" {
		t.Error(got)
	}
}

func TestObjective(t *testing.T) {
	a := mat.NewSymDense(3, []float64{2, 1, 0, 1, 2, 0, 0, 0, 9})
	if got := Objective(a, []int{0, 1}, 1); math.Abs(got-3) > 1e-12 {
		t.Errorf("got %v, want 3", got)
	}
	if got := KyFan(a, 2); math.Abs(got-12) > 1e-12 {
		t.Errorf("got %v, want 12", got)
	}
}

func TestDifference(t *testing.T) {
	for _, c := range [][3]string{
		{`{"a": [1, 2], "checksum": "x"}`, `{"a": [1, 2.0000000001], "checksum": "y"}`, ""},
		{`{"a": [1, 2]}`, `{"a": [1, 2.1]}`, "model.a[1]: 2, want 2.1"},
		{`{"a": [1]}`, `{"a": [1, 2]}`, "model.a: [1], want [1 2]"},
		{`{"a": 1}`, `{"b": 1}`, "model.a: 1, want <nil>"},
		{`{`, `{}`, "model: unexpected end of JSON input"},
	} {
		if got := Difference("model", []byte(c[0]), []byte(c[1])); got != c[2] {
			t.Errorf("%s, %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestLimits(t *testing.T) {
	a := mat.NewSymDense(4, []float64{4, 3, 0, 0, 3, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})
	for _, c := range []struct {
		limits Limits
		want   string
	}{
		{Limits{}, "[0 1] [0 2] [0 3] [1 2] [1 3] [2 3]"},
		{Limits{Include: []int{2}, Exclude: []int{3}}, "[0 2] [1 2]"},
		{Limits{MaxCorrelation: 0.7}, "[0 2] [0 3] [1 2] [1 3] [2 3]"},
		{Limits{MaxCorrelation: 0.8, Groups: []Group{{[]int{1, 2, 3}, 1}}}, "[0 1] [0 2] [0 3]"},
		{Limits{Cost: []float64{3, 1, 1, 2}, Budget: 3}, "[1 2] [1 3] [2 3]"},
	} {
		var all []string
		EachSubset(4, 2, func(s []int) {
			if c.limits.Permit(a, s) {
				all = append(all, fmt.Sprint(s))
			}
		})
		if got := strings.Join(all, " "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.limits, got, c.want)
		}
	}
}
