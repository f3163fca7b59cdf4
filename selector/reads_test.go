package selector

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/solver/baseline"
)

func TestReadsNamesOptions(t *testing.T) {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	names = append(names, "memory_limit") // in MiB, by MarshalJSON
	for _, method := range baseline.Methods() {
		read, some := Reads(string(method))
		for _, name := range slices.Concat(read, some) {
			if !slices.Contains(names, name) {
				t.Errorf("%s: %s is no option", method, name)
			}
		}
		if len(read) > len(some) || method == baseline.MethodCSSP && len(read) > 0 {
			t.Errorf("%s reads %v", method, read)
		}
	}
	if read, some := Reads("soup"); len(read) != len(some) {
		t.Errorf("what is no method reads %v", read)
	}
}
