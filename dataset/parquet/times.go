package parquet

import (
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// A date or a time is read as text in ISO 8601, as in a workbook: 2024-05-31, 2024-05-31T12:30:00.5 or 12:30:00.
// A time that belongs to UTC ends in Z.

const (
	dayLayout    = "2006-01-02"
	clockLayout  = "15:04:05.999999999"
	momentLayout = dayLayout + "T" + clockLayout
	day          = 24 * time.Hour
)

// setTime takes over a date, a time of the day or a moment, which is stored as so many units since its start.
func (c *column) setTime(layout string, unit time.Duration, utc bool) {
	if c.kind != int32s && c.kind != int64s || unit <= 0 {
		c.problem = "holds dates or times in an unknown way"
		return
	}
	if utc && layout == momentLayout {
		layout += "Z"
	}
	c.layout, c.unit = layout, unit
}

// unitOf returns the unit of a time; 0 if none is given.
func unitOf(u format.TimeUnit) time.Duration {
	if u.Value == nil {
		return 0
	}
	return u.Value.Duration()
}

// timeText writes what a column of dates or times stores.
func (c *column) timeText(v int64) string {
	if c.unit >= time.Second {
		return time.Unix(v*int64(c.unit/time.Second), 0).UTC().Format(c.layout)
	}
	each := int64(time.Second / c.unit) // units in a second
	return time.Unix(v/each, v%each*int64(c.unit)).UTC().Format(c.layout)
}

// int96Text writes a moment as older programs store it: the nanoseconds of the day and the Julian day.
func int96Text(v deprecated.Int96) string {
	const epoch = 2440588 // the Julian day of 1 January 1970
	nanoseconds := int64(v[1])<<32 | int64(v[0])
	return time.Unix((int64(int32(v[2]))-epoch)*86400, nanoseconds).UTC().Format(momentLayout)
}
