package parquet

import (
	"errors"
	"fmt"

	"github.com/fspca/fspca/internal/words"
)

// columnError is what is wrong with a column.
type columnError struct {
	column string
	group  int // the row group, from 1; 0 where it says nothing more
	more   int // columns of which the same is wrong
	err    error
}

// Error names the column, and how many are like it.
func (e *columnError) Error() string {
	group, more := "", ""
	if e.group > 0 {
		group = fmt.Sprintf(", row group %d", e.group)
	}
	if e.more > 0 {
		more = fmt.Sprintf(" (%s like it)", words.Count(e.more, "more column"))
	}
	return fmt.Sprintf("column %q%s%s: %v", e.column, group, more, e.err)
}

// Unwrap returns what is wrong without the column.
func (e *columnError) Unwrap() error { return e.err }

// mostTold is how many errors are told before "and N more".
const mostTold = 20

// told joins errors: of each column the first, and of several columns of which the same is wrong the first with
// their number.
func told(errs []error) error {
	var list []error
	columns, causes := map[string]bool{}, map[string]*columnError{}
	for _, err := range errs {
		var e *columnError
		if !errors.As(err, &e) {
			if err != nil {
				list = append(list, err)
			}
			continue
		}
		if columns[e.column] {
			continue
		}
		columns[e.column] = true
		if like := causes[e.err.Error()]; like != nil {
			like.more++
			continue
		}
		causes[e.err.Error()] = e
		list = append(list, e)
	}
	if more := len(list) - mostTold; more > 0 {
		list = append(list[:mostTold], fmt.Errorf("and %d more", more))
	}
	return errors.Join(list...)
}
