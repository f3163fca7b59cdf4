package transformer

import (
	"fmt"
	"strings"
	"time"

	"github.com/fspca/fspca/internal/lists"
)

// datePart is a part of a date, and what it is of a date.
type datePart struct {
	name string
	of   func(at time.Time) float64
}

// dateParts are the parts of a date, in the order of DateParts.
var dateParts = []datePart{
	{"year", func(at time.Time) float64 { return float64(at.Year()) }},
	{"month", func(at time.Time) float64 { return float64(at.Month()) }},
	{"day", func(at time.Time) float64 { return float64(at.Day()) }},
	{"weekday", func(at time.Time) float64 { return float64((at.Weekday() + 6) % 7) }},
	{"yearday", func(at time.Time) float64 { return float64(at.YearDay()) }},
	{"quarter", func(at time.Time) float64 { return float64((at.Month()-1)/3 + 1) }},
	{"week", func(at time.Time) float64 { _, week := at.ISOWeek(); return float64(week) }},
	{"weekyear", func(at time.Time) float64 { year, _ := at.ISOWeek(); return float64(year) }},
	{"hour", func(at time.Time) float64 { return float64(at.Hour()) }},
	{"minute", func(at time.Time) float64 { return float64(at.Minute()) }},
	{"second", func(at time.Time) float64 { return float64(at.Second()) + float64(at.Nanosecond())/1e9 }},
	{"unix", func(at time.Time) float64 { return float64(at.Unix()) + float64(at.Nanosecond())/1e9 }},
}

// DateParts returns the parts that Dates can make of a date, in the time zone that the cell has:
//
//   - year, quarter (1 to 4), month (1 to 12), day, yearday (from 1);
//   - weekday (0 is Monday), and week and weekyear of ISO 8601;
//   - hour, minute, second (with its fraction);
//   - unix, the seconds since 1970 (in the zone of the cell, else UTC).
func DateParts() []string {
	return lists.Map(dateParts, func(p datePart) string { return p.name })
}

// isoLayout returns the layout that text has if it is a date of ISO 8601, with a time or not. A
// fraction may follow the seconds: Go's parser takes it.
func isoLayout(text string) string {
	layout := "2006-01-02"
	if len(text) <= len(layout) {
		return layout
	}
	if text[len(layout)] == 'T' {
		layout += "T15:04"
	} else {
		layout += " 15:04"
	}
	if len(text) > len(layout) && text[len(layout)] == ':' {
		layout += ":05"
	}
	switch zone := strings.LastIndexAny(text, "+-Z"); {
	case zone < len("2006-01-02T15"):
		return layout
	case strings.Contains(text[zone:], ":") || text[zone] == 'Z':
		return layout + "Z07:00"
	}
	return layout + "Z0700"
}

// signs are those of strftime that Go's layouts can say.
var signs = map[byte]string{'Y': "2006", 'y': "06", 'm': "1", 'd': "2", 'H': "15", 'M': "04", 'S': "05",
	'b': "Jan", 'B': "January", 'z': "-0700", 'j': "002", 'p': "PM", 'I': "03", '%': "%"}

// goLayout returns the Go layout of a format; "" of "", which is ISO 8601.
func goLayout(format string) (string, error) {
	if format == "" {
		return "", nil
	}
	var layout strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			// A digit or a letter would be taken for a part of a Go layout.
			if c := format[i]; c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' && c != 'T' || c >= 'a' && c <= 'z' {
				return "", fmt.Errorf("the format %q has the sign %q outside of a %%: want %%Y, %%m, %%d, … with punctuation between", format, c)
			}
			layout.WriteByte(format[i])
			continue
		}
		i++
		if i == len(format) || signs[format[i]] == "" {
			return "", fmt.Errorf("the format %q has an unknown sign after %%: want Y, y, m, d, H, I, M, S, p, b, B, j, z or %%", format)
		}
		layout.WriteString(signs[format[i]])
	}
	if !strings.Contains(format, "%") {
		return "", fmt.Errorf("the format %q has no %%: want something like %%d.%%m.%%Y", format)
	}
	return layout.String(), nil
}

func describeFormat(format string) string {
	if format == "" {
		return "a date as 2026-11-28, with or without a time as 14:05:09"
	}
	return "a date of the format " + format
}

// parseDate reads text in a layout of Go, or in ISO 8601 if it is "".
func parseDate(text, layout string) (time.Time, error) {
	if layout == "" {
		layout = isoLayout(text)
	}
	return time.Parse(layout, text)
}
