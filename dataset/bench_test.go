package dataset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// random returns an n×d frame of normal numbers.
func random(b *testing.B, n, d int) *Frame {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	return must.Get(New(nil, x))(b)
}

func BenchmarkReadCSV10000x100(b *testing.B) {
	var text bytes.Buffer
	must.OK(b, WriteCSV(&text, random(b, 10000, 100)))
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		must.Get(ReadCSV(bytes.NewReader(text.Bytes()), "b.csv", ReadOptions{}))(b)
	}
}

func BenchmarkReadSVMLight10000x100(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 3))
	var text bytes.Buffer
	for range 10000 {
		text.WriteString("1")
		for j := range 100 {
			fmt.Fprintf(&text, " %d:%.3f", 1+200*j+rng.IntN(200), rng.ExpFloat64())
		}
		text.WriteString("\n")
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		must.Get(ReadSVMLight(bytes.NewReader(text.Bytes()), "b.svm", ReadOptions{}))(b)
	}
}

func BenchmarkWriteCSV10000x100(b *testing.B) {
	f := random(b, 10000, 100)
	var text bytes.Buffer
	for b.Loop() {
		text.Reset()
		must.OK(b, WriteCSV(&text, f))
	}
	b.SetBytes(int64(text.Len()))
}

func BenchmarkReadNPY10000x1000(b *testing.B) {
	const n, d = 10000, 1000
	for kind, append := range map[string]func([]byte, float64) []byte{
		"<f8": func(p []byte, v float64) []byte { return binary.LittleEndian.AppendUint64(p, math.Float64bits(v)) },
		"<f4": func(p []byte, v float64) []byte {
			return binary.LittleEndian.AppendUint32(p, math.Float32bits(float32(v)))
		},
		"<u2": func(p []byte, v float64) []byte { return binary.LittleEndian.AppendUint16(p, uint16(v)) },
	} {
		for _, fortran := range []string{"False", "True"} {
			var numbers []byte
			for i := range n * d {
				numbers = append(numbers, float64(i%1000))
			}
			text := npyText(fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d)}", kind, fortran, n, d), numbers)
			b.Run(fmt.Sprintf("%s/fortran=%s", kind, fortran), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					must.Get(ReadNPY(bytes.NewReader(text), "b.npy"))(b)
				}
			})
		}
	}
}

func BenchmarkFromGrid10000x1000(b *testing.B) {
	f := random(b, 10000, 1000)
	dense := base.NewDenseCopy(f)
	for name, g := range map[string]base.FixedDataGrid{
		"dense":   dense,
		"view":    base.NewInstancesViewFromAttrs(dense, dense.AllAttributes()),
		"onframe": base.NewInstancesViewFromAttrs(f, f.AllAttributes()),
		"foreign": struct{ base.FixedDataGrid }{dense},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				must.Get(FromGrid(g))(b)
			}
		})
	}
}

func BenchmarkGolearnSide10000Columns(b *testing.B) {
	x := mat.NewDense(1, 10000, nil)
	for b.Loop() {
		f := must.Get(New(nil, x))(b)
		f.AllAttributes()
	}
}

func BenchmarkPick30Of10000(b *testing.B) {
	f := random(b, 100, 10000)
	names := f.Names()[5000:5030]
	for b.Loop() {
		must.Get(f.Pick(names))(b)
	}
}
