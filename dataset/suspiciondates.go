package dataset

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// dateNumbers reports whether all numbers are days such as 20240131, and several.
func dateNumbers(f *Frame, place int) bool {
	first, several := f.x.At(0, place), false
	if !(first >= 1e7) {
		return false // nearly all columns, at once
	}
	for i := range f.rows {
		v := f.x.At(i, place)
		if !(v >= 1e7) || datesOf([]float64{v}) == nil {
			return false
		}
		several = several || v != first
	}
	return several
}

// datesOf returns numbers such as 20240131 or 202401 as days; nil if they are none.
func datesOf(x []float64) []float64 {
	if len(x) == 0 || !(x[0] >= 180001 && x[0] <= 22001231) { // nearly all columns
		return nil
	}
	days := make([]float64, len(x))
	for i, v := range x {
		layout := "20060102"
		if v < 1e6 {
			layout = "200601"
		}
		if v != math.Trunc(v) || v < 180001 || v > 22001231 {
			return nil
		}
		t, err := time.Parse(layout, fmt.Sprintf("%.0f", v))
		if err != nil {
			return nil
		}
		days[i] = float64(t.Unix()) / 86400
	}
	return days
}

// evenDays reports whether days follow each other by about the same step, as months and years do.
func evenDays(days []float64) bool {
	if all, _ := monotone(days); !all {
		return false
	}
	least, most := math.Inf(1), 0.0
	for i := 1; i < len(days); i++ {
		d := math.Abs(days[i] - days[i-1])
		least, most = min(least, d), max(most, d)
	}
	return most <= 1.25*least
}

// dateLayouts are the forms in which dates are looked for.
var dateLayouts = []string{"2006-01-02", "2006/01/02", "02.01.2006", "01/02/2006", "02/01/2006", "2006-01", "20060102",
	"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00",
	"2 Jan 2006", "2-Jan-2006", "2-Jan-06", "02Jan2006", "Jan 2, 2006", "January 2, 2006", "2 January 2006", "Jan 2006", "2006.01.02", "1/2/2006", "1/2/06", "2.1.2006",
	"1/2/2006 15:04", "1/2/2006 15:04:05", "02.01.2006 15:04", "02.01.2006 15:04:05", "2006/01/02 15:04:05"}

// dateRamp reports whether a column holds dates, another one in each row.
func dateRamp(c *Factor) bool {
	if len(c.Levels) != len(c.Codes) || slices.Contains(c.Codes, Missing) {
		return false
	}
	return slices.ContainsFunc(dateLayouts, func(layout string) bool {
		return !slices.ContainsFunc(c.Levels, func(s string) bool { _, err := time.Parse(layout, s); return err != nil })
	})
}
