package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
)

// CheckShape returns an error unless an image of so many rows and columns has
// exactly one pixel for each column of the table.
func CheckShape(shape []int, columns int) error {
	switch {
	case len(shape) == 0:
		return nil
	case len(shape) != 2 || shape[0] < 1 || shape[1] < 1:
		return errors.New("the shape of an image is two numbers from 1 on: its rows and columns of pixels")
	case shape[0]*shape[1] != columns:
		return fmt.Errorf("an image of %d × %d has %d pixels, and the table has %s: want one for each", shape[0], shape[1], shape[0]*shape[1], words.Count(columns, "column"))
	}
	return nil
}

func (p *page) checkShape() error {
	columns := len(p.Columns)
	if columns == 0 && p.selection != nil {
		columns = p.selection.Columns
	}
	return CheckShape(p.Shape, columns)
}

// places are the pixels of the chosen columns.
func (p *page) places() []int {
	if p.Columns == nil {
		return p.selection.Support
	}
	return lists.Map(p.selection.Features, func(name string) int { return slices.Index(p.Columns, name) })
}

// pixels shows the chosen columns in the image that they are pixels of.
func (p *page) pixels(shares []float64) []figure {
	s := p.selection
	if len(p.Shape) != 2 {
		return nil
	}
	high, wide := p.Shape[0], p.Shape[1]
	heat := chart.Heat{Caption: "Chosen pixels", Square: true, Present: true, Rows: make([]string, high), Columns: make([]string, wide)}
	for range high {
		row, labels := make([]float64, wide), make([]string, wide)
		for j := range row {
			row[j] = math.NaN()
		}
		heat.Values, heat.Labels = append(heat.Values, row), append(heat.Labels, labels)
	}
	numbers := table{Caption: "Chosen pixels", Head: []string{"column", "row of the image", "column of the image", "contribution"}}
	for i, at := range p.places() {
		if at < 0 || at >= high*wide {
			continue
		}
		heat.Values[at/wide][at%wide] = shares[i]
		heat.Labels[at/wide][at%wide] = s.Features[i] + ": " + percent(shares[i])
		numbers.Rows = append(numbers.Rows, []string{s.Features[i], strconv.Itoa(at/wide + 1), strconv.Itoa(at%wide + 1), percent(shares[i])})
	}
	return []figure{newFigure("pixels", fmt.Sprintf("The chosen pixels of %d × %d", high, wide),
		"The image that the columns are pixels of; a chosen pixel is stronger where its contribution is larger.",
		heat.At, numbers)}
}

// place is the number that the name of a column is, such as a wavelength; false if it is none.
func place(name string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(name), 64)
	return v, err == nil && v-v == 0
}

// extent is the least and the largest number that is the name of a column, chosen or not.
func (p *page) extent() []float64 {
	names := slices.Concat(p.selection.Features, p.Columns)
	if p.Table != nil {
		names = append(names, p.Table.NumericNames()...)
	}
	if f := p.selection.Figures; f != nil {
		for _, c := range f.Columns {
			names = append(names, c.Name)
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, name := range names {
		if v, ok := place(name); ok {
			low, high = min(low, v), max(high, v)
		}
	}
	return []float64{low, high}
}

// spectrum shows the chosen columns on the axis that their names are numbers of, as
// wavelengths are. The axis is as long as that of all columns.
func (p *page) spectrum(shares []float64) []figure {
	const least = 3
	s := p.selection
	x := make([]float64, len(s.Features))
	for i, name := range s.Features {
		var ok bool
		if x[i], ok = place(name); !ok {
			return nil
		}
	}
	if len(x) < least {
		return nil
	}
	nothing := []float64{math.NaN(), math.NaN()}
	lines := chart.Lines{Caption: "Chosen columns on their axis", XLabel: "name of the column", YLabel: "contribution, %",
		Series: []chart.Series{{Style: "first", Stems: true, X: x, Y: percents(shares)}, {Loose: true, X: p.extent(), Y: nothing}}}
	numbers := table{Caption: "Chosen columns on their axis", Head: []string{"column", "contribution"}}
	for i, name := range s.Features {
		numbers.Rows = append(numbers.Rows, []string{name, percent(shares[i])})
	}
	return []figure{newFigure("spectrum", "The chosen columns on their axis",
		"A stem for each chosen column at the number that is its name, as high as its contribution. The axis spans all columns.",
		lines.At, numbers)}
}

func percents(shares []float64) []float64 {
	return lists.Map(shares, func(v float64) float64 { return 100 * v })
}
