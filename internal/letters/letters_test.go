package letters

import (
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"":               0,
		"Größe":          5,
		"温度センサー":         12,
		"ｆｕｌｌ":           8,
		"한국어 열":          9,
		"\u1100\u1161":   2, // a Korean syllable in two parts
		"e\u0301tude":    5,
		"R² … −":         6,
		"प\u094dर":       2,
		"👍 a":            4,
		"a\u200db\ufe0f": 2,
		"пример":         6,
	} {
		if got := Width(text); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		room int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"abc", 0, ""}, {"abc", 1, "…"},
		{"温度計", 6, "温度計"}, {"温度計", 5, "温度…"}, {"温度計", 4, "温…"}, {"e\u0301tude", 3, "e\u0301t…"},
	} {
		if got := Cut(c.text, c.room); got != c.want || Width(got) > max(c.room, 0) {
			t.Errorf("Cut(%q, %d) = %q of width %d, want %q", c.text, c.room, got, Width(got), c.want)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"温度 °C":             "温度 °C",
		"weight\n(kg)":      `weight\n(kg)`,
		"a\tb\x1b[31m":      `a\tb\x1b[31m`,
		"\u202eevil\u2028":  `\u202eevil\u2028`,
		`C:\temp "x"`:       `C:\temp "x"`,
		"👩\u200d🔬":          "👩\u200d🔬",
		"\xff is no letter": "\xff is no letter",
	} {
		if got := Plain(text); got != want {
			t.Errorf("Plain(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestTable: columns begin, or end, at the same cell of every line, whatever the letters, and a name with
// a tab or the end of a line in it stays in its cell.
func TestTable(t *testing.T) {
	for right, want := range map[bool]string{
		false: "name    n\n温度    1\nabcd    22\na\\tb\\n  3  last\n",
		true:  "    name   n\n    温度   1\n    abcd  22\n  a\\tb\\n   3last\n",
	} {
		table := Table{Right: right}
		end := ""
		if right {
			end = "\t"
		}
		for i, name := range []string{"name", "温度", "abcd"} {
			table.Add("%s\t%s"+end, name, []string{"n", "1", "22"}[i])
		}
		table.Add("%s\t%d\t%s", "a\tb\n", 3, "last")
		var b strings.Builder
		n := must.Get(table.WriteTo(&b))(t)
		if got := b.String(); got != want || n != int64(len(want)) {
			t.Errorf("right %v: %d bytes\n%s\nwant\n%s", right, n, got, want)
		}
	}
}

// TestNamesAreCut: where the columns take more than the room, names are cut so that they differ and the
// lines end at it; not below what is of use, and not where all have room.
func TestNamesAreCut(t *testing.T) {
	long := strings.Repeat("the same beginning ", 4)
	write := func(room int) []string {
		table := Table{Right: true, Room: room, Names: 1}
		table.Add("\tcolumn\tshare\t")
		for i, name := range []string{"price", "weight", "colour"} {
			table.Add("%d\t%s\t%d%%\t", i, long+name+" (in the unit of the table)", 10*i)
		}
		var b strings.Builder
		if _, err := table.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	}
	for room, want := range map[int]int{0: 121, 200: 121, 60: 58, 50: 50, 10: 28} {
		seen := map[string]bool{}
		for _, line := range write(room) {
			if w := Width(line); w != want {
				t.Errorf("room %d: a line of %d, want %d: %s", room, w, want, line)
			}
			seen[line[8:]] = true
		}
		if len(seen) != 4 {
			t.Errorf("room %d: names are alike: %v", room, seen)
		}
	}
	if line := write(60)[2]; !strings.Contains(line, "…weight (in") {
		t.Errorf("%q does not show in what the names differ", line)
	}
}
