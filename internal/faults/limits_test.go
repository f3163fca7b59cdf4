//go:build faults && linux

package faults

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// bzipped is "1,2,3\n" 2²⁰ times, by bzip2: streams may follow each other.
const bzipped = "QlpoOTFBWSZTWaKnjssDbuNYAAAQAAQ4ACAAUGaATVRjaIKUrEQUpWogpSv5RBSlbIgpSuMUFZJlNZVqdVSAEk9lgAABAABDgAIABQZoBNVD1NRBSld2RBSlcogpSsiClK8ogpSvmKCs" +
	"kyms7p9E/ILcaCwAAAgAAhwAEAA4GaATVRjUQUpWIgpStogpSsRBSlaiClK/6iClK4xQVkmU1nkIZkYA27jWAAAEAAEOAAgAFBmgE1UPUyIKUryIKUrUQUpWyIKUriiClK+YoKyTKazu" +
	"lT7fgkns7AAACAACHAAQACgzQCaqMaiClKyiClK1EFKViIKUr+qIKUrjFBWSZTWd3aNVcCSezYAAAQAAQ4ACAAUGaATVQ9TIgpSvUQUpXciClK5RBSlaRBSlfMUFZJlNZu0C2mwSI5dg" +
	"AABAABDgAIABQZoApUY2ioQjKKhCNoqEIyioQjVFQhHC7kinChIfdgzOYA=="

// TestBombs gives fit files that hold far more than their size. Each is refused in words, and what
// that took of processor time and memory is printed.
func TestBombs(t *testing.T) {
	dir := t.TempDir()
	stream, err := base64.StdEncoding.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	zeros, one := bytes.Repeat([]byte("1,2,3\n"), 1<<18), bytes.Repeat([]byte("1,"), 1<<20)
	write(t, filepath.Join(dir, "rows.csv.bz2"), strings.Repeat(string(stream), 100))
	for name, text := range map[string][]byte{"rows": zeros, "line": one} {
		write(t, filepath.Join(dir, name+".csv.gz"), strings.Repeat(gzipped(t, text), 500))
	}
	archive(t, filepath.Join(dir, "rows.zip"), map[string][]byte{"rows.csv": zeros}, 300)
	archive(t, filepath.Join(dir, "x.npz"), map[string][]byte{"x.npy": make([]byte, 1<<20)}, 300)
	book := map[string][]byte{
		"xl/workbook.xml":            []byte(`<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`),
		"xl/_rels/workbook.xml.rels": []byte(`<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`),
	}
	var far bytes.Buffer
	far.WriteString("<worksheet><sheetData>")
	for i := range 200_000 {
		fmt.Fprintf(&far, `<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, i+1, i+1)
	}
	far.WriteString("</sheetData></worksheet>")
	book["xl/worksheets/sheet1.xml"] = far.Bytes()
	archive(t, filepath.Join(dir, "far.xlsx"), book, 1)
	book["xl/worksheets/sheet1.xml"] = bytes.Repeat([]byte("<row><c><v>1</v></c></row>"), 20_000)
	archive(t, filepath.Join(dir, "rows.xlsx"), book, 1000)
	write(t, filepath.Join(dir, "lie.npy"), "\x93NUMPY\x01\x00\x3e\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1<<40, 9)}  \n")
	write(t, filepath.Join(dir, "lie.mtx"), "%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 2000000000\n1 1 1\n")
	write(t, filepath.Join(dir, "line.csv"), strings.Repeat(string(one), 40))
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, _ := e.Info()
		cmd := exec.Command(program, "fit", e.Name(), "-k", "1", "-m", "1")
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		state := cmd.ProcessState
		usage, _ := state.SysUsage().(*syscall.Rusage) // which begins with what this process has
		said := strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", " ")
		t.Logf("%-13s %9d bytes: code %d, %4d ms of work, %4d MiB: %.150s", e.Name(), info.Size(), state.ExitCode(), (state.UserTime() + state.SystemTime()).Round(time.Millisecond).Milliseconds(), usage.Maxrss>>10, said)
		if state.ExitCode() != 2 && state.ExitCode() != 1 || !strings.HasPrefix(said, "fspca: "+e.Name()) {
			t.Errorf("%s: code %d: %s", e.Name(), state.ExitCode(), said)
		}
		if usage.Maxrss > 1<<20 {
			t.Errorf("%s: it took %d MiB", e.Name(), usage.Maxrss>>10)
		}
	}
}

func gzipped(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

// archive writes a zip archive, with the content of each member so many times, but for the small parts
// of a workbook.
func archive(t *testing.T, path string, members map[string][]byte, times int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, text := range members {
		w, err := z.Create(name)
		repeat := times
		if strings.HasPrefix(name, "xl/") && !strings.Contains(name, "sheet1") {
			repeat = 1
		}
		for range repeat {
			if err == nil {
				_, err = w.Write(text)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}
