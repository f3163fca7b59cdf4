package zstd

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// FuzzRead: whatever the bytes, an error or a frame, the same whether they come as a file or a stream.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"a,b\n1,2\n", "a,b\n1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n13,14\n", ""} {
		for _, level := range []zstd.EncoderLevel{zstd.SpeedFastest, zstd.SpeedBestCompression} {
			w := must.Get(zstd.NewWriter(nil, zstd.WithEncoderLevel(level)))(f)
			packed := w.EncodeAll([]byte(text), nil)
			f.Add(packed)
			f.Add(append(packed, packed...))
		}
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		in, err := dataset.OpenReader(bytes.NewReader(packed), "t.csv.zst", "")
		if err != nil {
			return
		}
		defer in.Close()
		frame, err := in.Read(dataset.ReadOptions{})
		if (err == nil) == (frame == nil) {
			t.Fatalf("%v and %v", frame, err)
		}
		if err != nil || !bytes.HasPrefix(packed, []byte("\x28\xb5\x2f\xfd")) {
			return
		}
		r := must.Get(zstd.NewReader(nil))(t)
		defer r.Close()
		text, err := r.DecodeAll(packed, nil)
		if err != nil {
			t.Fatalf("read %v from what is damaged: %v", frame, err)
		}
		plain, err := dataset.ReadCSV(bytes.NewReader(text), "t.csv", dataset.ReadOptions{})
		if err == nil && dataset.Hash(plain) != dataset.Hash(frame) {
			t.Fatalf("read %v, and %v when decompressed first", frame, plain)
		}
	})
}
