package param

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Sizes names each of the three that is wrong, whatever the others are, and nothing else.
func TestSizesTellsAllAtOnce(t *testing.T) {
	for k := -1; k <= 4; k++ {
		for m := -1; m <= 4; m++ {
			for d := 0; d <= 3; d++ {
				err := Sizes(k, m, d)
				text := ""
				if err != nil {
					text = err.Error()
					var first *Error
					if !errors.As(err, &first) {
						t.Errorf("k = %d, m = %d, d = %d: %v is no *Error", k, m, d, err)
					}
				}
				for said, want := range map[string]bool{
					"there is no covariance":  d < 1,
					"is more than the d":      d >= 1 && k > d,
					"is more than features":   k >= 1 && m > k,
					"features k = -1: want":   k == -1,
					"components m = 0: want":  m == 0,
					"components m = -1: want": m == -1,
				} {
					if strings.Contains(text, said) != want {
						t.Errorf("k = %d, m = %d, d = %d: %q: %v", k, m, d, said, err)
					}
				}
				if (err == nil) != (1 <= m && m <= k && k <= d) {
					t.Errorf("k = %d, m = %d, d = %d: %v", k, m, d, err)
				}
			}
		}
	}
}

func TestPath(t *testing.T) {
	check := func(k int) error {
		if k > 5 {
			return errors.New("too many")
		}
		return nil
	}
	for _, test := range []struct {
		sizes []int
		costs bool
		want  string // the sizes or the error
	}{
		{[]int{3, 1, 5}, false, "[1 3 5]"},
		{nil, false, "the path has no k: want at least one"},
		{[]int{1}, true, "a path over k and costs exclude each other: the budget decides how many columns are chosen"},
		{[]int{7, 2, 2, 7}, false, "k = 2 occurs twice in the path: want distinct ones\npath at k = 7: too many\nk = 7 occurs twice in the path: want distinct ones"},
	} {
		sizes, err := Path(test.sizes, test.costs, check)
		got := fmt.Sprint(sizes)
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%v: %s, want %s", test.sizes, got, test.want)
		}
	}
}
