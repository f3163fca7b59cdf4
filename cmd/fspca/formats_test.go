package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline/config"
)

// Whatever says which formats are read names all that the registry of readers has.
func TestFormatsAreToldAlike(t *testing.T) {
	endings := []string{".gz", ".bz2", ".zst", ".zip"}
	for _, name := range dataset.FormatNames() {
		ending := "." + name
		if name == "svmlight" {
			ending = ".svm"
		}
		if dataset.FormatByName("x"+ending) != name {
			t.Errorf("the ending %s is not that of the format %s", ending, name)
		}
		endings = append(endings, ending)
	}
	if !slices.Contains(endings, ".xlsx") || !slices.Contains(endings, ".parquet") {
		t.Fatalf("the formats are %v", endings)
	}
	text := func(path string) string { return string(mustRead(t, "../../"+path)) }
	root := newRoot()
	source, _ := reflect.TypeFor[config.Data]().FieldByName("Source")
	for place, says := range map[string]string{
		"README.md": text("README.md"), "docs/guide.md": text("docs/guide.md"), "docs/decisions.md": text("docs/decisions.md"),
		"fspca help": root.Long, "fspca fit --help": newFit().Long, "data.source": source.Tag.Get("doc"),
	} {
		for _, ending := range endings {
			if !strings.Contains(strings.ReplaceAll(says, "Parquet", ".parquet"), ending) {
				t.Errorf("%s does not name %s", place, ending)
			}
		}
	}
}
