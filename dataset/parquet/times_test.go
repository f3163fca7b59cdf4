package parquet

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// TestTimes: dates and times are the categories that their texts in ISO 8601 are, in any unit, coded or not,
// before 1970 too.
func TestTimes(t *testing.T) {
	type row struct {
		Day    int32            `parquet:"day,date"`
		Coded  int32            `parquet:"coded,dict,date"`
		Clock  int32            `parquet:"clock,time(millisecond)"`
		Fine   int64            `parquet:"fine,time(nanosecond)"`
		Milli  int64            `parquet:"milli,timestamp(millisecond)"`
		Micro  int64            `parquet:"micro,timestamp(microsecond:local)"`
		Nano   *int64           `parquet:"nano,optional,timestamp(nanosecond:local)"`
		Julian deprecated.Int96 `parquet:"julian"`
	}
	var rows []row
	columns := strings.Fields("day coded clock fine milli micro nano julian")
	var text strings.Builder
	text.WriteString(strings.Join(columns, ",") + "\n")
	start := time.Date(1969, 12, 30, 22, 59, 58, 123456789, time.UTC)
	for i := range 50 {
		at := start.Add(time.Duration(i) * 7777777777777)
		midnight := at.Truncate(24 * time.Hour)
		clock := at.Sub(midnight)
		days := int32(midnight.Unix() / 86400)
		r := row{days, days / 10, int32(clock.Milliseconds()), clock.Nanoseconds(), at.UnixMilli(), at.UnixMicro(), nil, deprecated.Int96{}}
		nano, julian := at.UnixNano(), uint32(2440588+days)
		r.Julian = deprecated.Int96{uint32(clock), uint32(clock >> 32), julian}
		written := ""
		if i%3 > 0 {
			r.Nano, written = &nano, at.Format("2006-01-02T15:04:05.999999999")
		}
		rows = append(rows, r)
		text.WriteString(strings.Join([]string{at.Format("2006-01-02"), time.Unix(int64(days/10)*86400, 0).UTC().Format("2006-01-02"),
			at.Truncate(time.Millisecond).Format("15:04:05.999"), at.Format("15:04:05.999999999"),
			time.UnixMilli(at.UnixMilli()).UTC().Format("2006-01-02T15:04:05.999Z"),
			at.Truncate(time.Microsecond).Format("2006-01-02T15:04:05.999999"), written, at.Format("2006-01-02T15:04:05.999999999")}, ",") + "\n")
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	must.OK(t, parquet.WriteFile(path, rows, parquet.MaxRowsPerRowGroup(17)))
	got := must.Get(dataset.Read(path, dataset.ReadOptions{Label: "day"}))(t)
	want := must.Get(dataset.ReadCSV(strings.NewReader(text.String()), "t.csv", dataset.ReadOptions{Label: "day"}))(t)
	if !slices.Equal(got.Names(), want.Names()) {
		t.Fatalf("columns %v, want %v", got.Names(), want.Names())
	}
	texts := func(f *dataset.Frame) (all []string) {
		for _, c := range f.Columns() {
			for i := range rows {
				all = append(all, fmt.Sprint(c.Name, i, c.Factor.Text(i)))
			}
		}
		for i := range rows {
			all = append(all, f.Class().Text(i))
		}
		return all
	}
	have := texts(got)
	for i, s := range texts(want) {
		if have[i] != s {
			t.Errorf("got %q, want %q", have[i], s)
		}
	}
}
