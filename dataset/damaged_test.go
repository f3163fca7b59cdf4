package dataset

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
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

// TestTrailing: bytes behind the end of the compressed ones are told as that, however many they are; what is
// compressed in parts is read to the end of the last.
func TestTrailing(t *testing.T) {
	bzip2 := must.Get(base64.StdEncoding.DecodeString("QlpoOTFBWSZTWdEV3scAAAVZAAAQAAQ6ADAAIAAiHqGIQwInNOOAHi7kinChIaIrvY4="))(t) // "a,b\n1,2\n3,5\n"
	read := func(packed string) (*Frame, error) {
		f, err := OpenReader(strings.NewReader(packed), "t.csv", "")
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return f.Read(ReadOptions{})
	}
	empty := "BZh9\x17rE8P\x90\x00\x00\x00\x00" // what bzip2 makes of an empty file
	if f := must.Get(read(empty + string(bzip2) + empty))(t); f.Rows() != 2 {
		t.Errorf("%d rows", f.Rows())
	}
	for _, whole := range []string{string(bzip2), gzipped("a,b\n1,2\n3,5\n"), gzipped("a,b\n") + gzipped("") + gzipped("1,2\n3,5\n")} {
		if f := must.Get(read(whole))(t); f.Rows() != 2 {
			t.Errorf("%d rows", f.Rows())
		}
		for _, added := range []string{"\n\n", "\x1f", "hello", "\x1f\x8bhello, this is none", strings.Repeat("\x00", 512), strings.Repeat("text ", 100)} {
			if whole == string(bzip2) && len(added) < 2 {
				continue // the library tells no end of two bytes
			}
			if _, err := read(whole + added); !errors.Is(err, ErrTrailing) || strings.Contains(err.Error(), "cut short") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q behind the end: %v", clip(added), err)
			}
		}
		for cut := 3; cut < 12; cut += 4 {
			if _, err := read(whole[:len(whole)-cut]); err == nil || errors.Is(err, ErrTrailing) || !strings.Contains(err.Error(), "cut short") {
				t.Errorf("%d bytes less: %v", cut, err)
			}
		}
	}
}

// TestDamagedStart: damage that hides how a compressed file starts is told as damage, not as another format.
func TestDamagedStart(t *testing.T) {
	for _, name := range []string{"t.npy", "t.mtx"} {
		text := "another start than that of the format\n"
		packed := []byte(gzipped(text))
		for _, format := range []string{"", strings.TrimPrefix(name, "t.")} {
			_, whole := OpenReader(bytes.NewReader(packed), name, format)
			changed := bytes.Clone(packed)
			changed[len(changed)-6] ^= 1 // the checksum
			_, err := OpenReader(bytes.NewReader(changed), name, format)
			if whole == nil || err == nil || !strings.Contains(whole.Error(), "does not start as the format") || !strings.Contains(err.Error(), "the file is damaged: gzip: ") {
				t.Errorf("%s: %v; %v", name, whole, err)
			}
		}
	}
}
