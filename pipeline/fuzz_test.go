package pipeline

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
)

// FuzzFolder changes a byte of a model folder, or cuts a file short: it opens only if nothing is
// lost, since every file has a checksum.
func FuzzFolder(f *testing.F) {
	data := machines(f)
	dir := filepath.Join(f.TempDir(), "model")
	must.OK(f, fitted(f, machineChain(f, new(classifier.DecisionTree)), data).SaveDir(dir))
	entries := must.Get(os.ReadDir(dir))(f)
	files := map[string][]byte{}
	var names []string
	for _, e := range entries {
		files[e.Name()] = must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(f)
		names = append(names, e.Name())
	}
	whole := must.Get(LoadDir(dir))(f)
	want := archived(f, whole)
	f.Add(uint8(0), uint32(10), byte(1), false)
	f.Add(uint8(1), uint32(100), byte(0x20), false)
	f.Add(uint8(2), uint32(5), byte(0), true)
	f.Fuzz(func(t *testing.T, which uint8, at uint32, flip byte, cut bool) {
		folder := fstest.MapFS{}
		for i, name := range names {
			text := bytes.Clone(files[name])
			if i == int(which)%len(names) {
				place := int(at) % len(text)
				if text[place] ^= flip; cut {
					text = text[:place]
				}
			}
			folder[name] = &fstest.MapFile{Data: text}
		}
		p, err := LoadFS(folder, ".")
		if (p == nil) == (err == nil) {
			t.Fatalf("pipeline %v, error %v", p, err)
		}
		if p != nil && !bytes.Equal(archived(t, p), want) {
			t.Fatalf("%s with byte %d changed by %#x opens as another model", names[int(which)%len(names)], at, flip)
		}
	})
}

// archived returns a pipeline as one stream.
func archived(t testing.TB, p *Pipeline) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Get(p.WriteTo(&b))(t)
	return b.Bytes()
}
