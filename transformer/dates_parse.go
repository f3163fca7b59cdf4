package transformer

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// DateParts returns what Dates can make of a date, as written, without a change of zone: year, month
// (1 to 12), day, weekday (0 is Monday), yearday (from 1), quarter (1 to 4), week and weekyear (of
// ISO 8601), hour, minute, second (with its fraction), and unix, the seconds since 1970 (of the zone
// that the cell names, else UTC).
func DateParts() []string {
	return []string{"year", "month", "day", "weekday", "yearday", "quarter", "week", "weekyear", "hour", "minute", "second", "unix"}
}

func datePart(at time.Time, part string) float64 {
	week := func() (year, week int) { return at.ISOWeek() }
	switch part {
	case "year":
		return float64(at.Year())
	case "month":
		return float64(at.Month())
	case "day":
		return float64(at.Day())
	case "weekday":
		return float64((at.Weekday() + 6) % 7)
	case "yearday":
		return float64(at.YearDay())
	case "quarter":
		return float64((at.Month()-1)/3 + 1)
	case "week":
		_, w := week()
		return float64(w)
	case "weekyear":
		y, _ := week()
		return float64(y)
	case "hour":
		return float64(at.Hour())
	case "minute":
		return float64(at.Minute())
	case "second":
		return float64(at.Second()) + float64(at.Nanosecond())/1e9
	default: // unix
		return float64(at.Unix()) + float64(at.Nanosecond())/1e9
	}
}

// isoLayouts are the forms of ISO 8601 that are read; a fraction may follow the seconds.
var isoLayouts = func() []string {
	out := []string{"2006-01-02"}
	for _, between := range []string{"T", " "} {
		for _, clock := range []string{"15:04:05", "15:04"} {
			for _, zone := range []string{"", "Z07:00", "Z0700"} {
				out = append(out, "2006-01-02"+between+clock+zone)
			}
		}
	}
	return out
}()

// signs are those of strftime that Go's layouts can say.
var signs = map[byte]string{'Y': "2006", 'y': "06", 'm': "1", 'd': "2", 'H': "15", 'M': "04", 'S': "05",
	'b': "Jan", 'B': "January", 'z': "-0700", 'j': "002", 'p': "PM", 'I': "03", '%': "%"}

// layouts returns the Go layouts of a format.
func layouts(format string) ([]string, error) {
	if format == "" {
		return isoLayouts, nil
	}
	var layout strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			// A digit or a letter would be taken for a part of a Go layout.
			if c := format[i]; c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' && c != 'T' || c >= 'a' && c <= 'z' {
				return nil, fmt.Errorf("%s: the format %q has the sign %q outside of a %%: want %%Y, %%m, %%d, … with punctuation between", datesStep, format, c)
			}
			layout.WriteByte(format[i])
			continue
		}
		i++
		if i == len(format) || signs[format[i]] == "" {
			return nil, fmt.Errorf("%s: the format %q has an unknown sign after %%: want Y, y, m, d, H, I, M, S, p, b, B, j, z or %%", datesStep, format)
		}
		layout.WriteString(signs[format[i]])
	}
	if !strings.Contains(format, "%") {
		return nil, fmt.Errorf("%s: the format %q has no %%: want something like %%d.%%m.%%Y", datesStep, format)
	}
	return []string{layout.String()}, nil
}

func describeFormat(format string) string {
	if format == "" {
		return "a date as 2026-11-28, with or without a time as 14:05:09"
	}
	return "a date of the format " + format
}

var errNoDate = errors.New("no date")

// parseDate reads text in the first layout that fits.
func parseDate(text string, known []string) (time.Time, error) {
	for _, layout := range known {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, errNoDate
}
