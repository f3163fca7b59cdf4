package dataset

import (
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestLabelPlace: for a model whose label was the first of columns without names, every reader gives
// the same columns the same names, with the label or without, and refuses other places.
func TestLabelPlace(t *testing.T) {
	noHeader := ReadOptions{NoHeader: true}
	fit := must.Get(ReadCSV(strings.NewReader("u,1,2\nv,3,4\nu,5,6\n"), "t.csv", ReadOptions{NoHeader: true, Label: "x1"}))(t)
	as := fit.Reading()
	read := func(text string, opt ReadOptions) (*Frame, error) {
		opt.As, opt.Only = &as, []string{"x2", "x3"}
		if strings.HasPrefix(text, "%%") || strings.Contains(text, ":") {
			s, err := ReadMatrixMarket(strings.NewReader(text), "t.mtx", opt)
			if strings.Contains(text, ":") {
				s, err = ReadSVMLight(strings.NewReader(text), "t.svm", opt)
			}
			if err != nil {
				return nil, err
			}
			return s.Dense()
		}
		return ReadCSV(strings.NewReader(text), "t.csv", opt)
	}
	for _, text := range []string{"u,1,2\nv,3,4\n", "1,2\n3,4\n", "7 1:1 2:2\n8 1:3 2:4\n", marketStart + "array real general\n2 2\n1\n3\n2\n4\n"} {
		opt := noHeader
		if strings.Contains(text, ":") || strings.HasPrefix(text, "%%") {
			opt = ReadOptions{}
		}
		f, err := read(text, opt)
		if err != nil || f.Numeric().At(1, 0) != 3 || f.Numeric().At(1, 1) != 4 {
			t.Errorf("%q: %v, %v", text, f, err)
		}
	}
	for text, want := range map[string]string{
		"1,2,u\n3,4,v\n":     "column 1 holds numbers",
		"u,1,2,3\n":          "want 3 as in the data that the model was fitted on, or 2 without the label",
		"7 1:1 3:2\n8 1:3\n": "an entry is in column 3",
	} {
		opt := noHeader
		if strings.Contains(text, ":") {
			opt = ReadOptions{}
		}
		if _, err := read(text, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := read("u,1,2\nv,3,4\n", ReadOptions{NoHeader: true, Label: "x3"}); err == nil {
		t.Error("another label: no error")
	}
}
