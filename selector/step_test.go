package selector_test

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

const goldenStep = "testdata/step.v1.json"

// TestStepFile: the step that version 1 saved loads, yields what it yielded, and is saved as itself.
func TestStepFile(t *testing.T) {
	file := must.Get(os.ReadFile(goldenStep))(t)
	s := selector.New(selector.Options{})
	must.OK(t, s.Load(bytes.NewReader(file)))
	if want := []string{"pc2", "b"}; !slices.Equal(s.Outputs(), want) || s.Output != selector.Both || s.Features != 3 {
		t.Errorf("loaded, the outputs are %q of %q, want %q of \"both\"", s.Outputs(), s.Output, want)
	}
	out := must.Get(s.Transform(goldenFrame(t)))(t)
	z := must.Get(s.Model().Project(goldenFrame(t).Numeric()))(t)
	for i := range 5 {
		if got := out.(*dataset.Frame).Numeric().RawRowView(i); got[0] != z.At(i, 1) || got[1] != goldenFrame(t).Numeric().At(i, 1) {
			t.Errorf("row %d: %v, want %v and column b", i+1, got, z.At(i, 1))
		}
	}
	var b bytes.Buffer
	must.OK(t, s.Save(&b))
	again := selector.New(selector.Options{})
	must.OK(t, again.Load(bytes.NewReader(b.Bytes())))
	var c bytes.Buffer
	if err := again.Save(&c); err != nil || !bytes.Equal(b.Bytes(), c.Bytes()) {
		t.Errorf("loaded and saved again, %v, the step is\n%s", err, c.Bytes())
	}
}

// TestStepFileDamaged changes one thing in the saved step and looks for a word of it in the error.
func TestStepFileDamaged(t *testing.T) {
	file := must.Get(os.ReadFile(goldenStep))(t)
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{`"version": 1`, `"version": 2`, []string{"version 2", "version 1"}},
		{`"type": "fspca"`, `"type": "center"`, []string{`"center"`, `"fspca"`}},
		{`"output": "both"`, `"output": "selected"`, []string{`"pc2" is not an output`}},
		{`"output": "both"`, `"output": "none"`, []string{`"output"`, `"none"`}},
		{`"outputs": ["pc2", "b"]`, `"outputs": []`, []string{"no output"}},
		{`"outputs": ["pc2", "b"]`, `"outputs": [1]`, []string{`"outputs"`, "want text"}},
		{`"outputs"`, `"output s"`, []string{`"outputs" is missing`, `"output s" is unknown`}},
		{`"format": "fspca-model"`, `"format": "x"`, []string{`"model"`, "not a model file"}},
		{`"rows": 5`, `"rows": -5`, []string{`"model"`, `"data.rows"`}},
	} {
		edited := strings.Replace(string(file), c.old, c.new, 1)
		if edited == string(file) {
			t.Errorf("%q is not in the golden file", c.old)
			continue
		}
		s := selector.New(selector.Options{Features: 9, Components: 9})
		wantError(t, s.Load(strings.NewReader(edited)), append(c.want, "fspca: cannot load")...)
		if s.Model() != nil || s.Features != 9 {
			t.Errorf("%q for %q: a failed Load changes the selector", c.new, c.old)
		}
	}
}

// TestDocumentedModel reads the model in docs/model-format.md.
func TestDocumentedModel(t *testing.T) {
	page := must.Get(os.ReadFile("../docs/model-format.md"))(t)
	block := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("the page has no model")
	}
	m := must.Get(selector.ReadModel(bytes.NewReader(block[1])))(t)
	var b bytes.Buffer
	must.Get(m.WriteTo(&b))(t)
	if b.String() != string(block[1]) {
		t.Errorf("the page does not show what is written:\n%s", b.String())
	}
}
