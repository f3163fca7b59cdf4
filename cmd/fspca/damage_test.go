package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// damage is a way to damage a file; nil where nothing of the kind is in the format.
type damage func(whole []byte) []byte

func truncated(share float64) damage {
	return func(b []byte) []byte { return slices.Clone(b[:int(share*float64(len(b)))]) }
}

// within cuts a text behind the last but one of what, in the middle of a row.
func within(what string) damage {
	return func(b []byte) []byte {
		last := bytes.LastIndex(b, []byte(what))
		return slices.Clone(b[:bytes.LastIndex(b[:last], []byte(what))+len(what)])
	}
}

// flipped changes a byte: the first of what, or the middle one for "".
func flipped(what string, to byte) damage {
	return func(b []byte) []byte {
		at := len(b) / 2
		if what != "" {
			at = bytes.Index(b, []byte(what))
		}
		c := slices.Clone(b)
		c[at] = to
		return c
	}
}

// replaced puts other bytes in the place of the first of what.
func replaced(what, by string) damage {
	return func(b []byte) []byte { return bytes.Replace(b, []byte(what), []byte(by), 1) }
}

// damagedFiles are files of every format, and three ways to damage each: cut short, a byte changed in
// the middle, a wrong header, magic number or size.
func damagedFiles(t *testing.T) map[string]struct {
	whole []byte
	ways  [3]damage
} {
	t.Helper()
	n, d := 40, 3
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, float64((i*7+j*13)%29)+0.25)
		}
	}
	f := must.Get(dataset.New([]string{"a", "b", "c"}, x))(t)
	write := func(name string) []byte {
		var b bytes.Buffer
		must.OK(t, dataset.WriteAs(&b, name, f))
		return b.Bytes()
	}
	var svm, mtx strings.Builder
	fmt.Fprintf(&mtx, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, d, n*d)
	for i := range n {
		svm.WriteString("1")
		for j := range d {
			fmt.Fprintf(&svm, " %d:%g", j+1, x.At(i, j))
			fmt.Fprintf(&mtx, "%d %d %g\n", i+1, j+1, x.At(i, j))
		}
		svm.WriteString("\n")
	}
	csv := write("t.csv")
	var gz bytes.Buffer
	packer := gzip.NewWriter(&gz)
	must.Get(packer.Write(csv))(t)
	must.OK(t, packer.Close())
	type files = map[string]struct {
		whole []byte
		ways  [3]damage
	}
	out := files{
		// Text cut at the end of a line cannot be told from one that ends there: it is cut within a row.
		"csv":      {csv, [3]damage{within(","), flipped("", 0), replaced("a,b,c", "a,b,b")}},
		"tsv":      {write("t.tsv"), [3]damage{within("\t"), flipped("", 0), replaced("a\tb\tc", "a\tb\tb")}},
		"svmlight": {[]byte(svm.String()), [3]damage{within(":"), flipped(":", 'q'), replaced("1:", "-1:")}},
		"mtx":      {[]byte(mtx.String()), [3]damage{truncated(0.7), flipped("", 'q'), replaced("40 3 120", "40 3 900")}},
		"npy":      {write("t.npy"), [3]damage{truncated(0.7), replaced("<f8", "<x8"), replaced("(40, 3)", "(90, 3)")}},
		"npz":      {zippedFile(t, "x.npy", write("t.npy")), [3]damage{truncated(0.7), flipped("", 0xff), replaced("PK\x01\x02", "PX\x01\x02")}},
		"parquet":  {write("t.parquet"), [3]damage{truncated(0.7), flipped("", 0xff), replaced("PAR1", "PAR9")}},
		"xlsx":     {workbook(t), [3]damage{truncated(0.7), flipped("sheetData", 0), replaced("PK\x01\x02", "PX\x01\x02")}},
		"csv.gz":   {gz.Bytes(), [3]damage{truncated(0.7), flipped("", 0xff), replaced("\x1f\x8b\x08", "\x1f\x8b\x07")}},
		"csv.zst":  {write("t.csv.zst"), [3]damage{truncated(0.7), flipped("", 0xff), replaced("\x28\xb5\x2f\xfd", "\x28\xb5\x2f\xfe")}},
		"csv.zip":  {zippedFile(t, "t.csv", csv), [3]damage{truncated(0.7), flipped("", 0xff), replaced("PK\x01\x02", "PX\x01\x02")}},
	}
	out["csv.bz2"] = struct {
		whole []byte
		ways  [3]damage
	}{bzipped(t, csv), [3]damage{truncated(0.7), flipped("", 0xff), replaced("BZh", "BZi")}}
	return out
}

// TestDamagedFiles: a file of any format that is cut short, changed or says what is not so is an error
// that names it; never a panic, never values. The table is printed with -v.
func TestDamagedFiles(t *testing.T) {
	ways := [3]string{"cut short", "changed byte", "wrong header or size"}
	files := damagedFiles(t)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	dir := t.TempDir()
	for _, name := range names {
		c := files[name]
		if c.whole == nil {
			t.Logf("%s: nothing to make such a file with", name)
			continue
		}
		path := filepath.Join(dir, "t."+name)
		format := ""
		if name == "svmlight" {
			format = "svmlight"
		}
		read := func(b []byte, fromPipe bool) (*dataset.Frame, error) {
			must.OK(t, os.WriteFile(path, b, 0o600))
			if !fromPipe {
				return dataset.Read(path, dataset.ReadOptions{Format: format})
			}
			in, err := dataset.OpenReader(bytes.NewBuffer(b), path, format)
			if err != nil {
				return nil, err
			}
			defer in.Close()
			return in.Read(dataset.ReadOptions{})
		}
		if _, err := read(c.whole, false); err != nil {
			t.Errorf("%s: whole: %v", name, err)
		}
		for i, way := range c.ways {
			broken := way(c.whole)
			if bytes.Equal(broken, c.whole) {
				t.Fatalf("%s: %s: not damaged", name, ways[i])
			}
			for _, fromPipe := range []bool{false, true} {
				f, err := read(broken, fromPipe)
				if err == nil || f != nil || !strings.HasPrefix(err.Error(), path) {
					t.Errorf("%s, %s: %v, %v", name, ways[i], f, err)
				} else if text, _, _ := strings.Cut(strings.ReplaceAll(err.Error(), dir+"/", ""), "\n"); !fromPipe {
					t.Logf("| %s | %s | %s |", name, ways[i], text)
				}
			}
		}
	}
}

// zippedFile is an archive of one file.
func zippedFile(t *testing.T, name string, content []byte) []byte {
	t.Helper()
	return zipOf(t, map[string]string{name: string(content)})
}

// bzipped is a text compressed by the program bzip2, which Go cannot write; nil where it is not there.
func bzipped(t *testing.T, text []byte) []byte {
	t.Helper()
	program, err := exec.LookPath("bzip2")
	if err != nil {
		return must.Get(hex.DecodeString(smallBzip2))(t)
	}
	cmd := exec.Command(program, "-c")
	cmd.Stdin = bytes.NewReader(text)
	return must.Get(cmd.Output())(t)
}

// smallBzip2 is the table of TestDamagedFiles, compressed by bzip2 1.0.8.
const smallBzip2 = "425a683931415926535939533417000155d900001000057fe038003000ecd212a40fd53deaa34da8253d53d506468c120a93f54dea2345a06318d5dd" +
	"0f87a64afb56d26c2aa892421091a51a6156ad34d356872bdae5334d3568686ad316062c30c315f3d0fc2142b84b1555560da634c44451694169492d" +
	"204254111145a74024a0460da6318ce38968529210b551092b210a52ab20c6a51d2b184a3a506a591489b1b177245385090395334170"

// workbook is a small workbook, whose parts are stored as they are.
func workbook(t *testing.T) []byte {
	t.Helper()
	var rows strings.Builder
	rows.WriteString(`<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="inlineStr"><is><t>b</t></is></c></row>`)
	for i := 2; i < 40; i++ {
		fmt.Fprintf(&rows, `<row r="%d"><c r="A%d"><v>%d</v></c><c r="B%d"><v>%d</v></c></row>`, i, i, i*7%29, i, i*5%31)
	}
	return zipOf(t, map[string]string{
		"[Content_Types].xml":        `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"xl/workbook.xml":            `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml":   `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` + rows.String() + `</sheetData></worksheet>`,
	})
}

// zipOf is an archive of files that are stored as they are.
func zipOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f := must.Get(w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store}))(t)
		must.Get(io.WriteString(f, files[name]))(t)
	}
	must.OK(t, w.Close())
	return b.Bytes()
}
