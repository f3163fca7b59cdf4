package param

import (
	"errors"
	"fmt"
	"slices"
)

// Path returns the sizes k of a path in ascending order, or all that is wrong with them. Costs says that
// there are costs, and check what is wrong with one k.
func Path(sizes []int, costs bool, check func(k int) error) ([]int, error) {
	if len(sizes) == 0 {
		return nil, errors.New("the path has no k: want at least one")
	}
	if costs {
		return nil, errors.New("a path over k and costs exclude each other: the budget decides how many columns are chosen")
	}
	sorted := slices.Clone(sizes)
	slices.Sort(sorted)
	var errs []error
	for i, k := range sorted {
		if i > 0 && k == sorted[i-1] {
			errs = append(errs, fmt.Errorf("k = %d occurs twice in the path: want distinct ones", k))
		} else if err := check(k); err != nil {
			errs = append(errs, fmt.Errorf("path at k = %d: %w", k, err))
		}
	}
	return sorted, errors.Join(errs...)
}
