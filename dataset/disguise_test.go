package dataset

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/delimited"
)

func TestUnmask(t *testing.T) {
	for text, want := range map[string]string{
		"4,5": "a decimal comma", "-4,25": "a decimal comma", ",5": "a decimal comma", "4,5e-3": "a decimal comma", "0,123": "a decimal comma",
		"1,234": "a comma, which is a decimal comma or groups digits", "+123,456": "a comma, which is a decimal comma or groups digits",
		"1,234,567": "commas between thousands", "-1,234.5": "commas between thousands", "1,00,000": "commas between thousands",
		"1.234.567": "points between thousands", "1.234,5": "a decimal comma and points between thousands",
		"1 234": "spaces between thousands", "1\u00a0234\u00a0567,5": "a decimal comma and spaces between thousands", "12\u202f345.6": "spaces between thousands", "1\u2009234": "spaces between thousands",
		"1'234": "apostrophes between thousands", "1’234.50": "apostrophes between thousands", "1_000": "underscores between thousands",
		"95%": "a percent sign", "12.5 %": "a percent sign", "12,5 %": "a decimal comma and a percent sign", "-3％": "a percent sign",
		"1.0D+03": "an exponent as Fortran writes it", "-1.5d3": "an exponent as Fortran writes it", ".5Q-10": "an exponent as Fortran writes it", "1.5+103": "an exponent as Fortran writes it",
		"€12": "a currency", "12 €": "a currency", "-$1,234.50": "commas between thousands and a currency", "$-5": "a currency", "USD 12": "a currency", "12 kr": "a currency", "US$ 3": "a currency", "£5": "a currency",
		"12 kg": "a unit", "5 mm²": "a unit", "-3.5 °C": "a unit", "3,5 m/s": "a decimal comma and a unit", "5mg": "a unit", "3.5‰": "a unit", "4 ‰": "a unit", "0.4±0.1": "its uncertainty behind it", "4 +/- 1": "its uncertainty behind it", "5th": "", "20°": "a unit", "1.2k": "a letter for thousands or millions", "-3M": "a letter for thousands or millions", "4bn": "a letter for thousands or millions", "52.5N": "a unit", "=A2+B2": "a formula in the place of its value", "=SUM(A:A)": "a formula in the place of its value", "=-$B$2/3": "a formula in the place of its value", "=5": "a sign of comparison", "=high": "", "0b101": "binary or octal digits", "0o17": "binary or octal digits",
		"1.5\u200b": "an invisible character", "\u200e-1.5": "an invisible character", "\ufeff3": "an invisible character",
		"(4.5)": "parentheses for minus", "($1,234)": "a comma, which is a decimal comma or groups digits and a currency and parentheses for minus",
		"−4.5": "a minus sign that is not the hyphen", "–4": "a minus sign that is not the hyphen", "4.5-": "its sign behind it", "- 5": "a space after its sign",
		"<0.01": "a sign of comparison", ">= 3": "a sign of comparison", "~5": "a sign of comparison", "12*": "a footnote mark", "12 †": "a footnote mark", "3.5[1]": "a footnote mark",
		"0x1F": "hexadecimal digits", "-0X1p-2": "hexadecimal digits", "1.5×10^3": "a power of ten written out", "1.5x10-3": "a power of ten written out", "2 * 10**4": "a power of ten written out", "3·10⁵": "a power of ten written out",
		`="4.5"`: "the quotes of a spreadsheet around it", "'123": "the quotes of a spreadsheet around it", "１２": "digits that are not 0 to 9", "٣٫٥": "a decimal comma and digits that are not 0 to 9",
		// No numbers, or plain ones.
		"": "", "a": "", "1": "", "-1.5e3": "", "A12": "", "12-34": "", "2024-01-02": "", "12:30": "", "1.2.3": "", "192.168.0.1": "", "555-1234": "", "1,2,3": "", "3 4": "", "12 345 6": "", "1/2": "",
		"10-20": "", "x1": "", "$": "", "%": "", "(a)": "", "Room 12": "", "kg 12": "", "1__000": "", "12,34.5": "", "1,2345": "a decimal comma", "#1": "", "12345kilograms": "", "3rd place": "",
	} {
		d, ok := unmask(text, delimited.Notation{})
		if got := listed(d.by); ok != (want != "") || ok && got != want {
			t.Errorf("%q: got %q (%v), want %q", text, got, ok, want)
		}
	}
	if d, ok := unmask("4.5", delimited.Notation{Decimal: ","}); !ok || listed(d.by) != "a decimal point" {
		t.Errorf("a point in a file of decimal commas: got %v, %v", d, ok)
	}
}

// TestNotations reads tables of numbers in another notation: an error that names
// the option, which then reads them.
func TestNotations(t *testing.T) {
	for _, test := range []struct {
		name  string
		cells [3]string
		want  string // of the error
		opt   ReadOptions
		show  string // of the frame
	}{
		{"decimal comma", [3]string{"4,5", "-0,25", "1,125"}, `t.csv:2: column "b": "4,5" is a number with a decimal comma (3 cells like it): read it with the option decimal: ",", or declare the column categorical (option categorical)`, ReadOptions{Decimal: ","}, "b 4.5 -0.25 1.125"},
		{"mixed with whole numbers", [3]string{"4", "-0,25", "1"}, `t.csv:3: column "b": "-0,25" is a number with a decimal comma: read it with the option decimal: ",", or`, ReadOptions{Decimal: ","}, "b 4 -0.25 1"},
		{"either comma", [3]string{"1,205", "5,922", "560"}, `t.csv:2: column "b": "1,205" is a number with a comma, which is a decimal comma or groups digits (2 cells like it): read it with the option decimal: "," or the option thousands: ",", or`, ReadOptions{Thousands: ","}, "b 1205 5922 560"},
		{"thousands", [3]string{"1,205,300", "-5,922.5", "560"}, `t.csv:2: column "b": "1,205,300" is a number with commas between thousands (2 cells like it): read it with the option thousands: ",", or`, ReadOptions{Thousands: ","}, "b 1.2053e+06 -5922.5 560"},
		{"German", [3]string{"1.205,5", "922", "1.000.000"}, `t.csv:2: column "b": "1.205,5" is a number with a decimal comma and points between thousands (2 cells like it): read it with the option decimal: "," and the option thousands: ".", or`, ReadOptions{Decimal: ",", Thousands: "."}, "b 1205.5 922 1e+06"},
		{"no-break spaces", [3]string{"1\u00a0205", "5\u202f922", "1 000"}, `is a number with spaces between thousands (3 cells like it): read it with the option thousands: " ", or`, ReadOptions{Thousands: " "}, "b 1205 5922 1000"},
		{"Swiss", [3]string{"1'205.5", "5’922", "7"}, `is a number with apostrophes between thousands (2 cells like it): read it with the option thousands: "'", or`, ReadOptions{Thousands: "'"}, "b 1205.5 5922 7"},
		{"percent", [3]string{"95%", "12.5 %", "3%"}, `is a number with a percent sign (3 cells like it): read it with the option numbers: [percent], or`, ReadOptions{Numbers: []string{"percent"}}, "b 0.95 0.125 0.03"},
		{"Fortran", [3]string{"1.0D+03", "-2.5d-1", "1.5+103"}, `is a number with an exponent as Fortran writes it (3 cells like it): read it with the option numbers: [fortran], or`, ReadOptions{Numbers: []string{"fortran"}}, "b 1000 -0.25 1.5e+103"},
		{"percent and comma", [3]string{"95,5%", "12,25 %", "3%"}, `read it with the option decimal: "," and the option numbers: [percent], or`, ReadOptions{Decimal: ",", Numbers: []string{"percent"}}, "b 0.955 0.1225 0.03"},
		{"underscores", [3]string{"1_000", "2_000", "3"}, `read it with the option thousands: "_", or`, ReadOptions{Thousands: "_"}, "b 1000 2000 3"},
		{"currency", [3]string{"€12", "13 €", "$5"}, `"€12" is a number with a currency (3 cells like it): write plain numbers, or declare the column categorical (option categorical)`, ReadOptions{Categorical: []string{"b"}}, `b["$5" "13 €" "€12"] "€12" "13 €" "$5"`},
		{"unit", [3]string{"12kg", "13kg", "5kg"}, `"12kg" is a number with a unit (3 cells like it): write plain numbers, or`, ReadOptions{Categorical: []string{"b"}}, `b["12kg" "13kg" "5kg"] "12kg" "13kg" "5kg"`},
		{"magnitudes", [3]string{"12k", "1.3M", "2B"}, `"12k" is a number with a letter for thousands or millions (3 cells like it): write plain numbers, or`, ReadOptions{Categorical: []string{"b"}}, `b["1.3M" "12k" "2B"] "12k" "1.3M" "2B"`},
		{"directions", [3]string{"52.5N", "13.4E", "12.1S"}, `"52.5N" is a number with a unit (3 cells like it): write plain numbers, or`, ReadOptions{Categorical: []string{"b"}}, `b["12.1S" "13.4E" "52.5N"] "52.5N" "13.4E" "12.1S"`},
		{"houses, no directions", [3]string{"12N", "13E", "12S"}, "", ReadOptions{}, `b["12N" "12S" "13E"] "12N" "13E" "12S"`},
		{"invisible", [3]string{"\ufeff1", "2.5", "3"}, `is a number with an invisible character: write plain numbers, or`, ReadOptions{Categorical: []string{"b"}}, `b["1" "2.5" "3"] "1" "2.5" "3"`},
		{"names, no units", [3]string{"1st", "2nd", "3rd"}, "", ReadOptions{}, `b["1st" "2nd" "3rd"] "1st" "2nd" "3rd"`},
		{"beside words for missing", [3]string{"5%", "n/a", "-"}, `"5%" is a number with a percent sign: read it with the option numbers: [percent], or declare the column categorical (option categorical)`, ReadOptions{Numbers: []string{"percent"}, Missing: []string{"n/a", "-"}}, "b 0.05 NaN NaN"},
		{"beside other text", [3]string{"1,5", "old", "2,5"}, "", ReadOptions{}, `b["1,5" "2,5" "old"] "1,5" "old" "2,5"`},
		{"a decimal point", [3]string{"1.5", "2.5", "3.5"}, `"1.5" is a number with a decimal point (3 cells like it): read it with the option decimal: ".", or`, ReadOptions{}, "b 1.5 2.5 3.5"},
		{"with markers", [3]string{"1,5", "NA", ""}, `"1,5" is a number with a decimal comma: read`, ReadOptions{Decimal: ",", Missing: []string{"NA"}}, "b 1.5 NaN NaN"},
	} {
		text := "a;b\n"
		for i, cell := range test.cells {
			text += fmt.Sprintf("%d;%s\n", i, cell)
		}
		opt := ReadOptions{Delimiter: ';', Missing: test.opt.Missing}
		if test.name == "a decimal point" {
			opt.Decimal = ","
		}
		f, err := ReadCSV(strings.NewReader(text), "t.csv", opt)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, %v, want %s", test.name, f, err, test.want)
		}
		if err != nil && (strings.Contains(err.Error(), "one-hot") || strings.Contains(err.Error(), "missing markers")) {
			t.Errorf("%s: wrong advice: %v", test.name, err)
		}
		test.opt.Delimiter = ';'
		if f, err = ReadCSV(strings.NewReader(text), "t.csv", test.opt); err != nil || !strings.HasSuffix(show(f), test.show) {
			t.Errorf("%s: got %v, %v, want %s", test.name, f, err, test.show)
		}
	}
}

// TestNotationsTogether: one cause is one error, and other text has its own.
func TestNotationsTogether(t *testing.T) {
	text := "a;b;c\n1,5;2,5;x\n2;3;1\n1,25;0,5;2\n"
	_, err := ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{Delimiter: ';'})
	want := `t.csv:2: column "a": "1,5" is a number with a decimal comma (4 cells like it in this and 1 other column): read it with the option decimal: ",", or declare the column categorical (option categorical)` + "\n" +
		`t.csv:2: column "c": "x" is not a number, but "1" in line 3 is (text: 1 cell, numbers: 2): declare the column categorical, or add "x" to the missing markers (options categorical, missing)`
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
	many := "a\n" + strings.Repeat("1,5\n", 9) + "n/a\n"
	_, err = ReadCSV(strings.NewReader(many), "t.csv", ReadOptions{Delimiter: ';'})
	want = `t.csv:2: column "a": "1,5" is a number with a decimal comma (9 cells like it): read it with the option decimal: ",", or declare the column categorical (option categorical); "n/a" is none (1 cell): if it stands for a missing cell, say so (option missing)`
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

func TestNotationOptions(t *testing.T) {
	_, err := ReadCSV(strings.NewReader("a\n1\n"), "t.csv", ReadOptions{Decimal: "x", Thousands: "q", Numbers: []string{"roman"}, SkipRows: -1, SkipFooter: -2, Comment: "\""})
	for _, want := range []string{`decimal is "x"`, `thousands is "q"`, `numbers holds "roman"`, "skip_rows is -1", "skip_footer is -2", `comment is "\""`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err = ReadCSV(strings.NewReader("a\n1\n"), "t.csv", ReadOptions{Decimal: ",", Thousands: ","}); err == nil || !strings.Contains(err.Error(), "must differ") {
		t.Errorf("got %v", err)
	}
}

// TestNotationGroups: groups that are not of three digits are no numbers.
func TestNotationGroups(t *testing.T) {
	for cell, want := range map[string]bool{"1,234": true, "12,34": false, "1,2345": false, "1,234,567.25": true, ",123": false, "1234,567": false, "1,234,56": false, "+12,345e3": true} {
		f, err := ReadCSV(strings.NewReader("a;b\n"+cell+";1\n7;2\n"), "t.csv", ReadOptions{Delimiter: ';', Thousands: ","})
		if (err == nil) != want {
			t.Errorf("%s: got %v, %v", cell, f, err)
		}
	}
}

// TestSharedCases reads the cases of public bug reports.
func TestSharedCases(t *testing.T) {
	dir := "../../shared/cases"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no shared cases: ", err)
	}
	for _, test := range []struct {
		file string
		opt  ReadOptions
		want string
	}{
		{"deccomma.csv", ReadOptions{Delimiter: ';'}, `with a decimal comma`},
		{"dexp.csv", ReadOptions{}, `numbers: [fortran]`},
		{"thousands.csv", ReadOptions{}, `thousands: ","`},
		{"thousands_mixed.csv", ReadOptions{}, `thousands: ","`},
		{"percent.csv", ReadOptions{Label: "y"}, `numbers: [percent]`},
		{"title_rows.csv", ReadOptions{Label: "y"}, `the header seems to be line 4 ("alpha", "beta", "gamma", …): leave out what is before it (option skip_rows: 3)`},
		{"comment_lines.csv", ReadOptions{Label: "y"}, `the header seems to be line 3 ("alpha", "beta", "gamma", …), after lines that start with "#": leave these out (option comment: "#")`},
		{"units_row.csv", ReadOptions{Label: "y"}, `units_row.csv:2: the line holds text ("mm", "kg", "s", …) where those below hold numbers: if it is units, leave it out (option skip_lines: [units])`},
		{"repeated_header.csv", ReadOptions{}, `the line repeats the header`},
		{"aligned.csv", ReadOptions{Delimiter: ' '}, `delimiter: whitespace`},
		{"space.csv", ReadOptions{Label: "y"}, `delimiter: whitespace`},
		{"mixed_ends.csv", ReadOptions{Label: "y"}, `a bare carriage return stands inside the line`},
		{"new_text.csv", ReadOptions{Numeric: []string{"alpha"}}, `new_text.csv:2: column "alpha": "n/a" is not a number, and the column must hold numbers`},
	} {
		_, err := Read(filepath.Join(dir, test.file), test.opt)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %s", test.file, err, test.want)
		}
	}
	for file, opt := range map[string]ReadOptions{
		"deccomma.csv": {Delimiter: ';', Decimal: ",", Label: "y"}, "dexp.csv": {Numbers: []string{"fortran"}, Label: "y"}, "title_rows.csv": {SkipRows: 3, Label: "y"},
		"comment_lines.csv": {Comment: "#", Label: "y"}, "aligned.csv": {Delimiter: Whitespace}, "space.csv": {Delimiter: Whitespace, Label: "y"},
		"write_table.tsv": {Drop: []string{"row"}, Label: "y"}, "percent.csv": {Numbers: []string{"percent"}, Label: "y"},
	} {
		f, err := Read(filepath.Join(dir, file), opt)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, c := range f.Columns() {
			if c.Factor != nil {
				t.Errorf("%s: column %q is text", file, c.Name)
			}
		}
		if !slices.Contains(f.Names(), "beta") {
			t.Errorf("%s: columns %q", file, f.Names())
		}
	}
}
