package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// pack writes a workbook of these parts, those that every workbook has added.
func pack(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	names := []string{"[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"}
	for name := range parts {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[3:])
	sheets, rels := "", ""
	for i := 1; parts[fmt.Sprintf("xl/worksheets/sheet%d.xml", i)] != ""; i++ {
		sheets += fmt.Sprintf(`<sheet name="S%d" sheetId="%d" r:id="rId%d"/>`, i, i, i)
		rels += fmt.Sprintf(`<Relationship Id="rId%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet%d.xml"/>`, i, i)
	}
	whole := map[string]string{
		"[Content_Types].xml":        "<Types/>",
		"xl/workbook.xml":            `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` + sheets + `</sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": "<Relationships>" + rels + "</Relationships>",
	}
	for name, text := range parts {
		whole[name] = text
	}
	for _, name := range names {
		f := must.Get(w.Create(name))(t)
		must.Get(f.Write([]byte(whole[name])))(t)
	}
	must.OK(t, w.Close())
	return b.Bytes()
}

func sheetXML(rows string) string {
	return `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`
}

func read(t testing.TB, text []byte, opt dataset.ReadOptions) (*dataset.Frame, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.xlsx")
	must.OK(t, os.WriteFile(path, text, 0o600))
	return dataset.Read(path, opt)
}

const table = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><r><t>when</t></r></is></c><c r="C1" t="str"><v>ok</v></c><c r="D1" t="s"><v>1</v></c></row>
<row r="2"><c r="A2"><v>0.30000000000000004</v></c><c r="B2" s="1"><v>45443</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" t="s"><v>2</v></c></row>
<row r="4"><c r="A4"><v>-1.5E-3</v></c><c r="B4" s="1"><v>45443.5</v></c><c r="C4" t="b"><v>0</v></c><c r="D4" t="s"><v>2</v></c></row>
<row r="5"><c r="B5" s="2"><v>3</v></c><c r="C5" t="b"><v>0</v></c></row>`

func parts() map[string]string {
	return map[string]string{
		"xl/worksheets/sheet1.xml": sheetXML(table),
		"xl/sharedStrings.xml": `<sst><si><t>height
(cm)</t></si><si><t>y</t></si><si><r><t>a</t></r><r><t xml:space="preserve"> b</t></r><rPh><t>x</t></rPh></si></sst>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.0&quot;d&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
	}
}

// TestRead: numbers as stored, dates as text, texts by reference, rows that are not there.
func TestRead(t *testing.T) {
	f := must.Get(read(t, pack(t, parts()), dataset.ReadOptions{Categorical: []string{"when"}}))(t)
	if got := strings.Join(f.Names(), "|"); got != "height (cm)|when|ok|y" || f.Rows() != 3 {
		t.Fatalf("columns %s, %d rows", got, f.Rows())
	}
	x := f.Numeric()
	if x.At(0, 0) != 0.30000000000000004 || x.At(1, 0) != -1.5e-3 || !math.IsNaN(x.At(2, 0)) || x.At(0, 1) != 1 || x.At(1, 1) != 0 {
		t.Errorf("numbers %v", x)
	}
	when := f.Factor("when")
	if got := when.Text(0) + " " + when.Text(1) + " " + when.Text(2); got != "2024-05-31 2024-05-31T12:00:00 3" {
		t.Errorf("dates %s", got)
	}
	if y := f.Factor("y"); y.Text(0) != "a b" || y.Text(2) != "" {
		t.Errorf("texts %q, %q", y.Text(0), y.Text(2))
	}
	// Lines in errors are rows of the sheet.
	if _, err := read(t, pack(t, parts()), dataset.ReadOptions{Label: "y"}); err == nil || !strings.Contains(err.Error(), `t.xlsx:5: column "y": the label is missing`) {
		t.Errorf("%v", err)
	}
}

// TestBlocks: a sheet that is read in blocks is told apart by the same words as one that is read as a whole.
func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		change [2]string
		opt    dataset.ReadOptions
		want   string
	}{
		{opt: dataset.ReadOptions{Drop: []string{"when", "y"}}},
		{change: [2]string{`s="2"><v>3</v>`, `s="1"><v>3</v>`}, want: `column "when" holds text ("2024-05-31") (2 such columns)`},
		{opt: dataset.ReadOptions{Drop: []string{"when"}}, want: `column "y" holds text ("a b"): rows in blocks are numbers`},
		{change: [2]string{`<v>1</v></c><c r="D2"`, `<v>x</v></c><c r="D2"`}, opt: dataset.ReadOptions{Drop: []string{"when", "y"}}, want: `t.xlsx:2: column "ok": "x" is not a number, but "0" in line 4 is`},
	} {
		for _, sheet := range []string{"", "S1"} {
			p := parts()
			p["xl/worksheets/sheet1.xml"] = strings.Replace(table, c.change[0], c.change[1], 1)
			p["xl/worksheets/sheet1.xml"] = sheetXML(p["xl/worksheets/sheet1.xml"])
			in := must.Get(dataset.OpenReader(bytes.NewReader(pack(t, p)), "t.xlsx", ""))(t)
			c.opt.Sheet = sheet
			b, err := in.Blocks(c.opt)
			if err == nil {
				must.OK(t, b.Close())
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			must.OK(t, in.Close())
		}
	}
}

func TestDates(t *testing.T) {
	b := &workbook{}
	for number, want := range map[string]string{
		"0": "1899-12-31", "1": "1900-01-01", "59": "1900-02-28", "61": "1900-03-01", "45443": "2024-05-31", "0.5": "12:00:00", "45443.25": "2024-05-31T06:00:00",
		"-1": "-1", "3e9": "3e9", "x": "x",
	} {
		if got := b.dateText(number); got != want {
			t.Errorf("%s is %s, want %s", number, got, want)
		}
	}
	if got := (&workbook{from1904: true}).dateText("43981"); got != "2024-05-31" {
		t.Errorf("from 1904: %s", got)
	}
	for format, want := range map[string]bool{
		"yyyy-mm-dd": true, "d/m/yy": true, "[h]:mm": true, "mm:ss.0": true, "General": false, "0.00": false, `0.0"day"`: false, "[Red]0.0": false,
		"_-* #,##0": false, "0%": false, "0.0;[Red]d": false, "@": false, "0.00E+00": false,
	} {
		if got := isDate(format); got != want {
			t.Errorf("%s: %v, want %v", format, got, want)
		}
	}
}

func TestSheets(t *testing.T) {
	two := parts()
	two["xl/worksheets/sheet2.xml"] = sheetXML(`<row><c><v>1</v></c><c t="str"><v>b</v></c></row><row><c><v>2</v></c><c><v>3</v></c></row>`)
	if _, err := read(t, pack(t, two), dataset.ReadOptions{}); err == nil || !strings.Contains(err.Error(), `2 sheets hold cells: name one of "S1", "S2" (option sheet)`) {
		t.Errorf("%v", err)
	}
	if f, err := read(t, pack(t, two), dataset.ReadOptions{Sheet: "S2", NoHeader: true, Drop: []string{"x2"}}); err != nil || f.Rows() != 2 {
		t.Errorf("%v (%v)", f, err)
	}
	if _, err := read(t, pack(t, two), dataset.ReadOptions{Sheet: "s3"}); err == nil || !strings.Contains(err.Error(), `there is no sheet "s3" (option sheet): the sheets are "S1", "S2"`) {
		t.Errorf("%v", err)
	}
	two["xl/worksheets/sheet2.xml"] = sheetXML("")
	if f, err := read(t, pack(t, two), dataset.ReadOptions{Categorical: []string{"when"}}); err != nil || f.Rows() != 3 {
		t.Errorf("%v (%v)", f, err)
	}
}

// TestDamaged: what is cut or contradicts itself is an error, never a shorter table.
func TestDamaged(t *testing.T) {
	whole := pack(t, parts())
	for _, n := range []int{0, 30, len(whole) / 2, len(whole) - 3} {
		if _, err := read(t, whole[:n], dataset.ReadOptions{}); err == nil || !strings.Contains(err.Error(), "t.xlsx: ") {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
	changed := slices.Clone(whole)
	changed[bytes.Index(changed, []byte("xl/worksheets"))+60] ^= 0x7f
	if _, err := read(t, changed, dataset.ReadOptions{}); err == nil {
		t.Error("changed: no error")
	}
	for want, change := range map[string][2]string{
		"is damaged: xl/worksheets/sheet1.xml":       {"</sheetData></worksheet>", ""},
		`refers to text "7" of 3`:                    {"<v>2</v>", "<v>7</v>"},
		`row "1" follows row 1`:                      {`<row r="2">`, `<row r="1">`},
		`row "99999999999" follows`:                  {`<row r="5">`, `<row r="99999999999">`},
		`"ZZZZZ2" is not a cell reference`:           {`"B2"`, `"ZZZZZ2"`},
		`the cell "A2" follows one in column 1`:      {`"B2"`, `"A2"`},
		`got 5, want 4 as in the first line`:         {`</v></c></row>` + "\n" + `<row r="4">`, `</v></c><c><v>1</v></c></row><row r="4">`},
		`"#N/A" is not a number, but "-0.0015" in l`: {`<v>0.30000000000000004</v>`, `<v>#N/A</v>`},
	} {
		p := parts()
		p["xl/worksheets/sheet1.xml"] = strings.Replace(p["xl/worksheets/sheet1.xml"], change[0], change[1], 1)
		if _, err := read(t, pack(t, p), dataset.ReadOptions{Drop: []string{"when"}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func FuzzSheet(f *testing.F) {
	f.Add(sheetXML(table), parts()["xl/sharedStrings.xml"], parts()["xl/styles.xml"])
	f.Fuzz(func(t *testing.T, sheet, shared, styles string) {
		frame, err := read(t, pack(t, map[string]string{"xl/worksheets/sheet1.xml": sheet, "xl/sharedStrings.xml": shared, "xl/styles.xml": styles}), dataset.ReadOptions{})
		if (err == nil) == (frame == nil) {
			t.Fatalf("%v and %v", frame, err)
		}
	})
}

// TestFormulasWithoutValue: programs that write formulas do not compute them. Such cells are not missing.
func TestFormulasWithoutValue(t *testing.T) {
	row := func(i int, cell string) string {
		return fmt.Sprintf(`<row r="%d"><c r="A%d"><v>%d</v></c>%s</row>`, i, i, i, cell)
	}
	head := `<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row>`
	for _, c := range []struct{ name, cells, want string }{
		{"computed", row(2, `<c r="B2"><f>A2*2</f><v>4</v></c>`) + row(3, `<c r="B3"><f>A3*2</f><v>6</v></c>`), ""},
		{"a formula that gives no text", row(2, `<c r="B2" t="str"><f>""</f><v></v></c>`) + row(3, `<c r="B3"><v>6</v></c>`), ""},
		{"never computed", row(2, `<c r="B2"><f>A2*2</f><v></v></c>`) + row(3, `<c r="B3"><f>SUM(A1:A2)</f></c>`),
			`"=A2*2" is a number with a formula in the place of its value (2 cells like it): save the table in a spreadsheet program, which computes it, or write plain numbers`},
		{"shared", row(2, `<c r="B2"><v>1</v></c>`) + row(3, `<c r="B3"><f t="shared" si="0"/></c>`), `"=" is a number with a formula in the place of its value`},
	} {
		_, err := read(t, pack(t, map[string]string{"xl/worksheets/sheet1.xml": sheetXML(head + c.cells)}), dataset.ReadOptions{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// TestPlaces: parts are found by what refers to them, whatever they are called.
func TestPlaces(t *testing.T) {
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	p := parts()
	p["Book/Sheets/One.XML"], p["texts.xml"], p["book/look.xml"] = p["xl/worksheets/sheet1.xml"], p["xl/sharedStrings.xml"], p["xl/styles.xml"]
	for _, name := range []string{"xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"} {
		delete(p, name)
	}
	p["_rels/.rels"] = `<Relationships><Relationship Id="a" Type="` + office + `/officeDocument" Target="/book/list.xml"/></Relationships>`
	p["book/list.xml"] = `<workbook xmlns:r="` + office + `"><sheets><sheet name="S" r:id="b"/></sheets></workbook>`
	p["book/_rels/list.xml.rels"] = `<Relationships><Relationship Id="b" Type="` + office + `/worksheet" Target="sheets/one.xml"/>
		<Relationship Id="c" Type="` + office + `/sharedStrings" Target="../texts.xml"/><Relationship Id="d" Type="` + office + `/styles" Target="Look.xml"/>
		<Relationship Id="e" Type="` + office + `/styles" Target="http://elsewhere" TargetMode="External"/></Relationships>`
	f := must.Get(read(t, pack(t, p), dataset.ReadOptions{Categorical: []string{"when"}}))(t)
	if got := strings.Join(f.Names(), "|"); got != "height (cm)|when|ok|y" || f.Factor("when").Text(0) != "2024-05-31" {
		t.Errorf("columns %s, dates %v", got, f.Factor("when").Levels)
	}
	p["_rels/.rels"] = strings.Replace(p["_rels/.rels"], "list.xml", "list.bin", 1)
	if _, err := read(t, pack(t, p), dataset.ReadOptions{}); err == nil || !strings.Contains(err.Error(), "is a binary workbook (.xlsb): save it as .xlsx or CSV") {
		t.Errorf("%v", err)
	}
}

// TestEscapes: characters that stand in a text by their number are read, also those of two numbers.
func TestEscapes(t *testing.T) {
	for text, want := range map[string]string{
		"a_x000D_b": "a\rb", "_x005F_x000D_": "_x000D_", "_xD83D__xde00_!": "😀!", "_xD83D_": "\uFFFD", "x_x00_": "x_x00_", "_x000G_": "_x000G_", "": "",
	} {
		if got := unescaped(text); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
	p := parts()
	p["xl/sharedStrings.xml"] = strings.Replace(p["xl/sharedStrings.xml"], "height\n(cm)", "height_x000D_\n(cm)", 1)
	p["xl/worksheets/sheet1.xml"] = strings.Replace(p["xl/worksheets/sheet1.xml"], "<v>ok</v>", "<v>o_x006B_</v>", 1)
	f := must.Get(read(t, pack(t, p), dataset.ReadOptions{Categorical: []string{"when"}}))(t)
	if got := strings.Join(f.Names(), "|"); got != "height (cm)|when|ok|y" {
		t.Errorf("columns %s", got)
	}
}
