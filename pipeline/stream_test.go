package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/transformer"
)

// A stream, a folder and a file system give the pipeline that was saved.
func TestEveryWayOfSavingGivesThePipelineBack(t *testing.T) {
	f := machines(t)
	p := fitted(t, machineChain(t, new(classifier.DecisionTree)), f)
	want := answers(t, p, f)
	var a, b bytes.Buffer
	n, err := p.WriteTo(&a)
	if err != nil || n != int64(a.Len()) {
		t.Fatal(n, err)
	}
	if _, err := p.WriteTo(&b); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("two streams differ, %v", err)
	}
	dir := filepath.Join(t.TempDir(), "model")
	must.OK(t, p.SaveDir(dir))
	memory := fstest.MapFS{}
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		memory["models/a/"+e.Name()] = &fstest.MapFile{Data: read(t, filepath.Join(dir, e.Name()))}
	}
	ways := map[string]func() (*Pipeline, error){
		"stream":      func() (*Pipeline, error) { return ReadPipeline(bytes.NewReader(a.Bytes())) },
		"folder":      func() (*Pipeline, error) { return LoadDir(dir) },
		"file system": func() (*Pipeline, error) { return LoadFS(memory, "models/a") },
	}
	for way, load := range ways {
		got, err := load()
		if err != nil {
			t.Fatalf("%s: %v", way, err)
		}
		if answers(t, got, f) != want {
			t.Errorf("%s: what was loaded answers otherwise", way)
		}
	}
	if _, err := LoadFS(memory, "models"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no model there: %v", err)
	}
}

func TestDamagedStreams(t *testing.T) {
	p := fitted(t, wineChain(t), builtinFrame(t, "wine"))
	var b bytes.Buffer
	must.Get(p.WriteTo(&b))(t)
	whole := b.Bytes()
	for cut := 0; cut < len(whole)-2048; cut += 500 {
		if _, err := ReadPipeline(bytes.NewReader(whole[:cut])); !errors.Is(err, transformer.ErrDamaged) {
			t.Errorf("cut at %d of %d: %v", cut, len(whole), err)
		}
	}
	at := bytes.LastIndex(whole, []byte(`"version": `)) + len(`"version": `) // the manifest's, which is last
	text := bytes.Clone(whole)
	text[at] = '9'
	if _, err := ReadPipeline(bytes.NewReader(text)); !errors.Is(err, transformer.ErrVersion) || errors.Is(err, transformer.ErrDamaged) {
		t.Errorf("a newer version: %v", err)
	}
	if _, err := ReadPipeline(bytes.NewReader([]byte("not a tar"))); !errors.Is(err, transformer.ErrDamaged) {
		t.Errorf("no archive: %v", err)
	}
}

// A pipeline does not become an empty object of JSON, alone or in a document.
func TestPipelineIsNotJSON(t *testing.T) {
	for _, v := range []any{&Pipeline{}, struct{ P *Pipeline }{&Pipeline{}}} {
		if text, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "WriteTo") {
			t.Errorf("%T: got %s and %v", v, text, err)
		}
	}
	if err := json.Unmarshal([]byte("{}"), &Pipeline{}); err == nil || !strings.Contains(err.Error(), "ReadPipeline") {
		t.Errorf("got %v", err)
	}
}
