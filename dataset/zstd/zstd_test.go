package zstd

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// TestReadWrite: a compressed file is what is in it, and one that is cut or changed is an error.
func TestReadWrite(t *testing.T) {
	x := mat.NewDense(500, 4, nil)
	for i := range 500 {
		for j := range 4 {
			x.Set(i, j, float64(i*j)/7)
		}
	}
	f := must.Get(dataset.New(nil, x))(t)
	for _, name := range []string{"t.csv.zst", "t.tsv.zst", "t.npy.zst"} {
		var b bytes.Buffer
		must.OK(t, dataset.WriteAs(&b, name, f))
		path := filepath.Join(t.TempDir(), name)
		try := func(text []byte) (*dataset.Frame, error) {
			must.OK(t, os.WriteFile(path, text, 0o600))
			return dataset.Read(path, dataset.ReadOptions{})
		}
		got := must.Get(try(b.Bytes()))(t)
		if dataset.Hash(got) != dataset.Hash(f) {
			t.Errorf("%s: read as %v", name, got)
		}
		if _, err := try(b.Bytes()[:b.Len()/2]); err == nil || !strings.Contains(err.Error(), "cut short") {
			t.Errorf("%s, cut: %v", name, err)
		}
		changed := bytes.Clone(b.Bytes())
		changed[b.Len()/2] ^= 0x55
		if _, err := try(changed); err == nil {
			t.Errorf("%s, changed: no error", name)
		}
	}
}

// TestTrailing: what follows the frames and is none is told as that.
func TestTrailing(t *testing.T) {
	w := must.Get(zstd.NewWriter(nil))(t)
	packed := w.EncodeAll([]byte("a,b\n1,2\n"), nil)
	packed = w.EncodeAll([]byte("3,5\n"), packed)
	for _, added := range []string{"", "text", strings.Repeat("\x00", 512)} {
		in := must.Get(dataset.OpenReader(strings.NewReader(string(packed)+added), "t.csv.zst", ""))(t)
		f, err := in.Read(dataset.ReadOptions{})
		if added == "" && (err != nil || f.Rows() != 2) || added != "" && !errors.Is(err, dataset.ErrTrailing) {
			t.Errorf("%d bytes behind the end: %v", len(added), err)
		}
		must.OK(t, in.Close())
	}
}

// TestFrames: frames that are to be skipped are, also before all others; what the zstd program alone reads is no
// damage.
func TestFrames(t *testing.T) {
	packed := must.Get(zstd.NewWriter(nil))(t).EncodeAll([]byte("a,b\n1,2\n"), nil)
	skipped := "\x5e\x2a\x4d\x18\x03\x00\x00\x00abc"
	dictionary := must.Get(zstd.BuildDict(zstd.BuildDictOptions{ID: 7, History: []byte("a,b\n1,2\n1,2\n1,2\n"), Offsets: [3]int{1, 4, 8},
		Contents: [][]byte{[]byte("a,b\n1,2\n3,4\n1,2\n1,2\n1,2\n"), []byte("a,b\n7,2\n1,2\n1,2\n3,2\n1,2\n")}}))(t)
	withDictionary := must.Get(zstd.NewWriter(nil, zstd.WithEncoderDict(dictionary)))(t).EncodeAll([]byte("a,b\n1,2\n"), nil)
	for name, c := range map[string]struct{ file, want string }{
		"skipped first":   {skipped + string(packed), ""},
		"skipped between": {string(packed) + skipped + string(must.Get(zstd.NewWriter(nil))(t).EncodeAll(nil, nil)), ""},
		"skipped alone":   {skipped, "t.csv.zst: the file is empty"},
		"a wide window":   {"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", "t.csv.zst: zstd: it takes a window of more than 128 MiB (--long): decompress it"}, // 2³¹ bytes
		"a dictionary":    {string(withDictionary), "t.csv.zst: zstd: it takes a dictionary: decompress it"},
	} {
		in, err := dataset.OpenReader(strings.NewReader(c.file), "t.csv.zst", "")
		if err == nil {
			_, err = in.Read(dataset.ReadOptions{})
			must.OK(t, in.Close())
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}
