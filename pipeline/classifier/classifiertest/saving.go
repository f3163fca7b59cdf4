package classifiertest

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
)

func saveLoad(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris)
	want := answers(t, c, iris)
	path := filepath.Join(t.TempDir(), "model")
	must.OK(t, c.Save(path))
	text := stateOf(t, c)
	loads := map[string]func(classifier.Classifier) error{
		"LoadFrom": func(c classifier.Classifier) error { return c.LoadFrom(strings.NewReader(text)) },
		"Load":     func(c classifier.Classifier) error { return c.Load(path) },
	}
	for name, load := range loads {
		other := fresh.new()
		if err := load(other); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if answers(t, other, iris) != want || !slices.Equal(other.Classes(), c.Classes()) || !slices.Equal(other.Inputs(), c.Inputs()) {
			t.Errorf("%s: what was loaded predicts otherwise", name)
		}
		if again := stateOf(t, other); again != text {
			t.Errorf("%s: saved again it is\n%s\nand was\n%s", name, again, text)
		}
	}
}

// archive keeps two classifiers in one golearn archive.
func archive(t *testing.T, fresh maker, iris *dataset.Frame) {
	path := filepath.Join(t.TempDir(), "two")
	all, few := fresh.fitted(t, iris), fresh.fitted(t, iris.Subset(rowsEvery(150, 3, 0)))
	w := must.Get(base.CreateSerializedClassifierStub(path, all.GetMetadata()))(t)
	must.OK(t, errors.Join(all.SaveWithPrefix(w, "one"), few.SaveWithPrefix(w, "two"), w.Close()))
	r := must.Get(base.ReadSerializedClassifierStub(path))(t)
	defer r.Close()
	metadata, err := r.ReadMetadataAtPrefix("two")
	if err != nil || metadata.ClassifierName != all.GetMetadata().ClassifierName {
		t.Errorf("metadata %v, %v", metadata, err)
	}
	for prefix, want := range map[string]classifier.Classifier{"one": all, "two": few} {
		got := fresh.new()
		must.OK(t, got.LoadWithPrefix(r, prefix))
		if !slices.Equal(texts(t, got, iris), texts(t, want, iris)) {
			t.Errorf("%s predicts otherwise", prefix)
		}
	}
	if err := fresh.new().LoadWithPrefix(r, "three"); err == nil || !strings.Contains(err.Error(), "holds no") {
		t.Errorf("a prefix that is not there: got %v", err)
	}
}

// damagedArchive cuts golearn's archive: an error, never a panic.
func damagedArchive(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris)
	path := filepath.Join(t.TempDir(), "model")
	must.OK(t, c.Save(path))
	archive := must.Get(os.ReadFile(path))(t)
	for cut := 0; cut < len(archive)*9/10; cut += 1 + len(archive)/40 {
		must.OK(t, os.WriteFile(path, archive[:cut], 0o666))
		if err := fresh.new().Load(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("cut at %d of %d: got %v, want an error that names the file", cut, len(archive), err)
		}
	}
	if err := fresh.new().Load(path + ".none"); err == nil {
		t.Error("no file: no error")
	}
}

// damagedState cuts and changes what was saved.
func damagedState(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris.Subset(rowsEvery(150, 10, 0)))
	want := texts(t, c, iris)
	text := stateOf(t, c)
	for name, change := range changesOf(c, text) {
		if !strings.Contains(text, change[0]) {
			if name == "type" || name == "version" {
				t.Errorf("the state does not have %s: %s", change[0], text)
			}
			continue
		}
		if err := c.LoadFrom(strings.NewReader(strings.ReplaceAll(text, change[0], change[1]))); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for cut := 0; cut < len(text)-1; cut += 1 + len(text)/50 {
		if err := c.LoadFrom(strings.NewReader(text[:cut])); err == nil {
			t.Errorf("cut at %d: no error", cut)
		}
	}
	if err := c.LoadFrom(strings.NewReader(text + text)); err == nil {
		t.Error("twice in one file: no error")
	}
	if !slices.Equal(texts(t, c, iris), want) {
		t.Error("a failed load changed the classifier")
	}
}

// changesOf are texts of a state of iris, each with another that makes it no state of the classifier.
func changesOf(c classifier.Classifier, text string) map[string][2]string {
	kind := c.GetMetadata().ClassifierName
	version := regexp.MustCompile(`"version":\d+`).FindString(text)
	return map[string][2]string{
		"type":           {`"type":"` + kind, `"type":"other`},
		"version":        {version, `"version":99`},
		"unknown field":  {version, version + `,"more":0`},
		"another field":  {`"classes":[`, `"klasses":[`},
		"a class less":   {`"classes":["` + c.Classes()[0] + `",`, `"classes":[`},
		"a class twice":  {`"classes":["` + c.Classes()[0] + `"`, `"classes":["` + c.Classes()[1] + `"`},
		"other features": {c.Inputs()[2], c.Inputs()[3]},
	}
}
