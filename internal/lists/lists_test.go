package lists

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func even(i int) bool { return i%2 == 0 }

func gather(places, s, made []int) []int {
	out := make([]int, len(places))
	Gather(out, places, s, made)
	return out
}

func TestLists(t *testing.T) {
	s := []int{4, 7, 4, 8}
	for name, c := range map[string]struct{ got, want any }{
		"map":               {Map(s, strconv.Itoa), []string{"4", "7", "4", "8"}},
		"map of none":       {Map(nil, strconv.Itoa), []string{}},
		"make":              {Make(3, func(i int) int { return i * i }), []int{0, 1, 4}},
		"make of none":      {Make(0, strconv.Itoa), []string{}},
		"at":                {At(s, []int32{3, 1, 3}), []int{8, 7, 8}},
		"up to":             {Upto[int32](3), []int32{0, 1, 2}},
		"where":             {Where(s, even), []int{4, 4, 8}},
		"where none":        {Where([]int{7}, even), []int(nil)},
		"places":            {Places(5, even), []int{0, 2, 4}},
		"places of none":    {Places(0, even), []int(nil)},
		"count":             {Count(s, even), 3},
		"sum":               {Sum(s), 23},
		"one after another": {Sum([]float64{1, 1e16, -1e16, 1}), 1.0},
		"set":               {Set(s), map[int]bool{4: true, 7: true, 8: true}},
		"without":           {Without(s, []int{4, 9}), []int{7, 8}},
		"without all":       {Without([]int{4}, []int{4}), []int{}},
		"tally":             {Tally(3, []int32{2, -1, 0, 2}), []int{1, 0, 2}},
		"occurring":         {Occurring(4, []int{3, -1, 1, 3}), []int{1, 3}},
		"distinct":          {Distinct(s), []int{4, 7, 8}},
		"gather":            {gather([]int{1, ^0, 0}, []int{4, 7}, []int{9}), []int{7, 9, 4}},
		"groups":            {Groups(s, even), [][]int{{4, 4, 8}, {7}}},
		"groups of none":    {Groups(nil, even), [][]int(nil)},
		"index":             {Index(s), map[int]int{4: 2, 7: 1, 8: 3}},
	} {
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
