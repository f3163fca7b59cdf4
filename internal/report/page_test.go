package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// digits is a fit of the embedded digits and the table.
func digits(t *testing.T) (*selector.Model, *dataset.Frame) {
	t.Helper()
	f := must.Get(dataset.Builtin("digits"))(t)
	s := selector.New(selector.Options{Features: 12, Components: 4, Bootstrap: 3, Reconstruction: true, Ledger: true})
	must.OK(t, s.Fit(f))
	return s.Model(), f
}

func inputOf(t *testing.T) Input {
	t.Helper()
	m, f := digits(t)
	rows := f.Subset(Sample(f.Rows()))
	z := must.Get(m.Transform(rows, selector.Projection))(t)
	summary := m.Summary()
	summary.Scree = ScreeOf(t.Context(), m, f)
	return Input{Title: "a <b> & c", Command: "fspca fit 'a <b>.csv'", Shape: []int{8, 8}, Selection: summary, Table: f, Scores: NewScores(z.Numeric(), z.Class(), f.Rows())}
}

func written(t *testing.T, in Input) string {
	t.Helper()
	var b bytes.Buffer
	must.OK(t, Write(&b, in))
	return b.String()
}

// everyKey has each key that a page knows of a run, as report.json writes them.
const everyKey = `{"name": "all <keys>", "seed": 3, "config": {"version": 1}, "versions": {"fspca": "v1", "go": "go1"},
"data": {"source": "x.csv", "hash": "sha256:1", "rows": 9, "columns": 4, "class": "c", "classes": [{"class": "a", "rows": 5}, {"class": "b", "rows": 4}]},
"split": {"kind": "folds", "train": [6, 6], "test": [3, 3]}, "selection": {"of": 4}, "constant": ["flat"],
"metrics": {"columns": 2, "accuracy": 0.8, "accuracy_se": 0.05, "brand_new_figure": 0.125, "fold_accuracy": [0.7, 0.9],
 "per_class": [{"class": "a", "precision": 1, "recall": 0.5, "f1": 0.6, "support": 5}], "confusion": {"labels": ["a", "b"], "counts": [[3, 1], [0, 2]]},
 "calibration": {"error": 0.1, "bins": [{"rows": 2, "probability": 0.6, "right": 0.5}, {"rows": 4, "probability": 0.9, "right": 1}]}},
"all_columns": {"columns": 4, "accuracy": 0.75, "accuracy_se": 0.06}, "difference": {"accuracy": 0.05, "se": 0.02, "p": 0.3},
"baselines": {"dummy": {"accuracy": 0.5}, "pca": {"accuracy": 0.7}},
"search": {"metric": "accuracy", "rule": "best", "folds": 5, "chosen": {"k": 3}, "points": [{"setting": {"k": 2}, "score": 0.7, "se": 0.1, "columns": 2}, {"setting": {"k": 3}, "score": 0.8, "se": 0.1, "columns": 3}]},
"stability": {"folds": 2, "mean_jaccard": 0.5, "frequency": [{"feature": "x1", "folds": 2}]},
"warnings": ["plain words", {"code": "W7", "message": "with a code"}]}`

type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// pages are one of each kind.
func pages(t *testing.T) map[string]Input {
	t.Helper()
	fit := inputOf(t)
	path, run := fit, fit
	path.Path = rawJSON(`[{"k": 2, "components": 2, "objective": 3, "explained_variance_ratio": 0.3, "normalized_explained_variance": 0.5, "upper_bound": 4, "r2_components": 0.2, "features": ["a", "b"], "contributions": [0.6, 0.4], "added": ["a", "b"]},
{"k": 3, "components": 2, "objective": 5, "explained_variance_ratio": 0.5, "normalized_explained_variance": 0.8333, "upper_bound": 5, "proved": true, "features": ["a", "c<", "d"], "added": ["c<", "d"], "removed": ["b"]}]`)
	run.Run = rawJSON(everyKey)
	return map[string]Input{"fit": fit, "path": path, "run": run, "empty": {},
		"evaluation": {Selection: fit.Selection, Evaluation: rawJSON(`{"rows": 3, "r2": 0.5, "columns": [{"name": "a", "r2": -3}, {"name": "b", "r2": 0.4}, {"name": "flat"}], "residuals": [1, 3, 2]}`)},
		"alone":      {Run: rawJSON(everyKey)}}
}

var (
	drawn = regexp.MustCompile(`(?s)<svg.*?</svg>`)
	named = regexp.MustCompile(` id="([^"]*)"`)
)

// TestPages: the same bytes again, nothing from anywhere, every drawing well-formed
// and without a missing number, and every name once.
func TestPages(t *testing.T) {
	for kind, in := range pages(t) {
		page := written(t, in)
		if again := written(t, in); again != page {
			t.Errorf("%s: the same input gives other bytes", kind)
		}
		for _, far := range []string{"http://", "https://", "url(", "@import", "<link", "<iframe", "src="} {
			if strings.Contains(page, far) {
				t.Errorf("%s: %q is in the page", kind, far)
			}
		}
		seen := map[string]bool{}
		for _, m := range named.FindAllStringSubmatch(page, -1) {
			if seen[m[1]] {
				t.Errorf("%s: the id %q stands there twice", kind, m[1])
			}
			seen[m[1]] = true
		}
		for _, svg := range drawn.FindAllString(page, -1) {
			for d := xml.NewDecoder(strings.NewReader(svg)); ; {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v in %s", kind, err, svg)
				}
			}
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Errorf("%s: a number is missing in %s", kind, svg)
			}
		}
		figures := strings.Count(page, `<figure`)
		if n := strings.Count(page, `<svg`); n != 2*figures {
			t.Errorf("%s: %d drawings for %d figures, want one for each width", kind, n, figures)
		}
		if n := strings.Count(page, "The numbers as a table"); n != figures {
			t.Errorf("%s: %d tables for %d figures", kind, n, figures)
		}
	}
}

// TestOneColumn: of one column and one component the page speaks in the singular.
func TestOneColumn(t *testing.T) {
	f := must.Get(dataset.Builtin("iris"))(t)
	s := selector.New(selector.Options{Features: 1, Components: 1, Reconstruction: true})
	must.OK(t, s.Fit(f))
	page := written(t, Input{Selection: s.Model().Summary()})
	for _, want := range []string{"1 of 4 columns is chosen, for 1 component.", "It explains ", "The chosen column tells "} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not there", want)
		}
	}
}

// TestMeanOfScores: a mean that is rounding is 0.
func TestMeanOfScores(t *testing.T) {
	s := NewScores(mat.NewDense(3, 2, []float64{0.1, 1, 0.2, 2, -0.3, 3}), nil, 3)
	rows := s.table([]string{"a", "b"}).Rows
	if rows[0][2] != "0" || rows[1][2] != "2" {
		t.Errorf("the means are %s and %s, want 0 and 2", rows[0][2], rows[1][2])
	}
}

// TestManyLeftOut: of many columns of which only the nearest chosen one is known the page shows the first, and
// the others where they are asked for.
func TestManyLeftOut(t *testing.T) {
	var summary struct {
		Features []string         `json:"features"`
		Ledger   []map[string]any `json:"ledger"`
	}
	summary.Features = make([]string, mostCells+1) // too many for a picture
	for i := range summary.Features {
		summary.Features[i] = "kept" + strconv.Itoa(i)
	}
	for i := range 3 * mostBars {
		summary.Ledger = append(summary.Ledger, map[string]any{"name": "left" + strconv.Itoa(i), "nearest": summary.Features[i%len(summary.Features)], "correlation": float64(i) / 1000})
	}
	page := written(t, Input{Selection: summary})
	whole, folded, _ := strings.Cut(page, "<details><summary>The columns that were left out")
	if n := strings.Count(whole, `<th scope="row">left`); n != mostBars {
		t.Errorf("%d columns are shown, want %d", n, mostBars)
	}
	if n := strings.Count(folded, `<th scope="row">left`); n != 3*mostBars {
		t.Errorf("%d columns are in the table that opens, want %d", n, 3*mostBars)
	}
}

// TestSections: a section is there exactly where its keys are.
func TestSections(t *testing.T) {
	all := pages(t)
	for _, tc := range []struct{ page, has, not string }{
		{"fit", "contributions pixels loadings variances scree scatter told correlations draws trace origin everything", "over-k comparison settings spectrum"},
		{"path", "over-k columns-over-k contributions", "confusion"},
		{"run", "comparison confusion calibration folds settings agreement", "over-k"},
		{"alone", "comparison confusion", "contributions scatter"},
		{"evaluation", "evaluated contributions", "scatter"},
		{"empty", "", "columns contributions everything origin warnings"},
	} {
		page := written(t, all[tc.page])
		for _, id := range strings.Fields(tc.has) {
			if !strings.Contains(page, ` id="`+id+`"`) {
				t.Errorf("%s lacks %s", tc.page, id)
			}
		}
		for _, id := range strings.Fields(tc.not) {
			if strings.Contains(page, ` id="`+id+`"`) {
				t.Errorf("%s has %s", tc.page, id)
			}
		}
	}
	run := written(t, all["run"])
	for _, text := range []string{"brand new figure", "plain words", "W7: with a code", "all &lt;keys&gt;", "0.8000 ± 0.0500", "p = 0.3"} {
		if !strings.Contains(run, text) {
			t.Errorf("the page of a run lacks %q", text)
		}
	}
	if strings.Contains(run, "<keys>") {
		t.Error("a name is not escaped")
	}
}

// TestStandIns: where nothing is told of the columns that were left out, the table says which chosen
// column each is nearest to.
func TestStandIns(t *testing.T) {
	in := inputOf(t)
	m, f := digits(t)
	s := m.Summary()
	s.Reconstruction, s.Ledger = nil, nil
	in.Selection, in.Table = s, f
	page := written(t, in)
	for _, want := range []string{` id="correlations"`, "those least like a chosen one first", "(r = "} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	in.Table = nil
	if strings.Contains(written(t, in), ` id="left-out"`) {
		t.Error("without a table something is told of other columns")
	}
}

// TestSearchCurves: a line for each setting of the other options, and the chosen setting marked.
func TestSearchCurves(t *testing.T) {
	s := &search{Metric: "accuracy", Chosen: []byte(`{"fspca.features":8,"knn.k":1}`)}
	for _, k := range []string{"1", "5"} {
		for _, d := range []string{"16", "8"} {
			score, columns := 0.5, 8.0
			if d == "16" {
				columns = 16
			}
			s.Points = append(s.Points, tried{Setting: []byte(`{"fspca.features":` + d + `,"knn.k":` + k + `}`), Score: &score, Columns: columns})
		}
	}
	lines := s.curves()
	if len(lines.Series) != 3 || lines.Series[0].Name != "k 1" || lines.Series[0].X[0] != 8 || !lines.Series[2].Mark {
		t.Errorf("got %+v", lines.Series)
	}
}

// TestShape: an image has a pixel for each column.
func TestShape(t *testing.T) {
	in := inputOf(t)
	for _, shape := range [][]int{{8, 7}, {8}, {0, 64}, {-8, -8}} {
		in.Shape = shape
		if err := Write(io.Discard, in); err == nil {
			t.Errorf("the shape %v is taken", shape)
		}
	}
}

// TestSpectrum: columns that are called by numbers stand on their axis.
func TestSpectrum(t *testing.T) {
	in := Input{Selection: rawJSON(`{"features": ["400", "410.5", "900"], "support": [0, 1, 5], "components": 1, "explained_variance": [2], "w": [[0.6], [0.6], [0.5]], "n_columns": 9}`)}
	if !strings.Contains(written(t, in), ` id="spectrum"`) {
		t.Error("there is no axis")
	}
}

// luminance is that of WCAG 2.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	v := must.Get(strconv.ParseUint(hex, 16, 32))(t)
	l := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(v>>(16-8*i)&255) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		l += weight * c
	}
	return l
}

// TestContrast: text has at least 4.5 on every ground, and marks 3, by light and dark.
func TestContrast(t *testing.T) {
	blocks := regexp.MustCompile(`(?s):root\{([^}]*)\}`).FindAllStringSubmatch(style, -1)
	if len(blocks) < 2 {
		t.Fatal("there are not two sets of colours")
	}
	for i, block := range blocks[:2] {
		colour := map[string]float64{}
		for _, m := range regexp.MustCompile(`--(\w+):#(\w+)`).FindAllStringSubmatch(block[1], -1) {
			colour[m[1]] = luminance(t, m[2])
		}
		for ink, least := range map[string]float64{"ink": 4.5, "soft": 4.5, "first": 4.5, "second": 4.5, "third": 4.5, "faint": 3,
			"c0": 3, "c1": 3, "c2": 3, "c3": 3, "c4": 3, "c5": 3, "c6": 3, "c7": 3, "c8": 3, "c9": 3} {
			for _, ground := range []string{"paper", "shade"} {
				a, b := colour[ink]+0.05, colour[ground]+0.05
				if ratio := max(a, b) / min(a, b); !(ratio >= least) {
					t.Errorf("set %d: %s on %s has the contrast %.2f, want %v", i, ink, ground, ratio, least)
				}
			}
		}
	}
}
