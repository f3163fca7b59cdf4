package dataset

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestDamage: whatever byte of a compressed table is changed, the error is that the file is damaged, and
// no mistakes are listed that come of it; of one that is cut short it is the first.
func TestDamage(t *testing.T) {
	tables := map[string]string{"t.csv": "a,b\n", "t.svm": "", "t.mtx": "%%MatrixMarket matrix array real general\n300 2\n"}
	for i := range 300 {
		tables["t.csv"] += fmt.Sprintf("%d.5,-%d.25\n", i*i%97, i)
		tables["t.svm"] += fmt.Sprintf("1 1:%d.5 2:-%d.25\n", i*i%97, i)
		tables["t.mtx"] += fmt.Sprintf("%d.5\n-%d.25\n", i*i%97, i)
	}
	for name, text := range tables {
		for layer, pack := range map[string]func(io.Writer) io.WriteCloser{
			"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
			"zip": func(w io.Writer) io.WriteCloser {
				archive := zip.NewWriter(w)
				return struct {
					io.Writer
					io.Closer
				}{must.Get(archive.Create(name))(t), archive}
			},
		} {
			var packed bytes.Buffer
			w := pack(&packed)
			must.Get(io.WriteString(w, text))(t)
			must.OK(t, w.Close())
			checkDamage(t, name, layer, packed.Bytes())
		}
	}
}

func checkDamage(t *testing.T, name, layer string, whole []byte) {
	t.Helper()
	read := func(text []byte) error {
		f, err := OpenReader(bytes.NewReader(text), name, "")
		if err == nil {
			defer f.Close()
			_, err = f.Read(ReadOptions{})
		}
		return err
	}
	if err := read(whole); err != nil {
		t.Fatalf("%s in %s: %v", name, layer, err)
	}
	for at := 60; at < len(whole)-150; at += 7 { // between the heads and what stands at the end
		changed := bytes.Clone(whole)
		changed[at] ^= 0x5a
		err := read(changed)
		if err == nil {
			t.Fatalf("%s in %s, byte %d changed: no error", name, layer, at)
		}
		text := err.Error()
		damaged := strings.Contains(text, ": the file is damaged: "+layer+": ") && !strings.Contains(text, "\n")
		if !damaged && !strings.Contains(text, "cut short") {
			t.Errorf("%s in %s, byte %d changed: %v", name, layer, at, err)
		}
		if strings.Contains(text, layer+": "+layer) {
			t.Errorf("%s in %s: %q names it twice", name, layer, text)
		}
	}
}
