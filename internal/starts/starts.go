// Package starts runs a method from one start after another.
package starts

import (
	"context"
	"fmt"
)

// Each calls try for the starts from up to but without to, in order. If ctx ends and known
// reports that there is a result, the starts that are left are skipped, and cut is true.
// Any other error of try ends the run; it is returned with the number of the start.
func Each(ctx context.Context, from, to int, known func() bool, try func(i int) error) (cut bool, err error) {
	for i := from; i < to; i++ {
		err := try(i)
		if err != nil && (ctx.Err() == nil || !known()) {
			return false, fmt.Errorf("start %d of %d: %w", i+1, to, err)
		}
		if ctx.Err() != nil && known() && (err != nil || i+1 < to) {
			return true, nil
		}
	}
	return false, nil
}
