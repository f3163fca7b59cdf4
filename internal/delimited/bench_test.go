package delimited

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// cells are the kinds of numbers that are measured.
var cells = map[string]func(*rand.Rand) string{
	"decimals3": func(r *rand.Rand) string { return strconv.FormatFloat(10*r.NormFloat64(), 'f', 3, 64) },
	"digits17":  func(r *rand.Rand) string { return strconv.FormatFloat(r.NormFloat64(), 'g', -1, 64) },
	"integers":  func(r *rand.Rand) string { return strconv.Itoa(r.IntN(100000)) },
	"words":     func(r *rand.Rand) string { return "w" + strconv.Itoa(r.IntN(100)) },
}

func BenchmarkRead20000x100(b *testing.B) {
	for name, cell := range cells {
		rng := rand.New(rand.NewPCG(1, 2))
		var text strings.Builder
		for i := range 100 {
			fmt.Fprintf(&text, "%sx%d", []string{",", ""}[min(1, max(0, 1-i))], i)
		}
		text.WriteByte('\n')
		for range 20000 {
			for j := range 100 {
				if j > 0 {
					text.WriteByte(',')
				}
				text.WriteString(cell(rng))
			}
			text.WriteByte('\n')
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				s := must.Get(Open(Input{Reader: strings.NewReader(text.String())}))(b)
				head, _ := s.Head(Format{Delimiter: ','}, 1)
				plan := Plan{Fields: 100}
				for j := range 100 {
					plan.Columns = append(plan.Columns, Column{Field: j})
				}
				s.Skip(head[0])
				if t := s.Read(Format{Delimiter: ','}, plan); t.Rows != 20000 {
					b.Fatal(t.Rows)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2e6, "ns/cell")
		})
	}
}
