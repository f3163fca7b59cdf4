package baseline

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/solver"
)

// TestReadsNamesAllFields: a field of Params that no method reads has been
// forgotten, and what is read exists.
func TestReadsNamesAllFields(t *testing.T) {
	fields := []string{"Features", "Components", "Method", "Progress", "Tell"}
	for _, method := range Methods() {
		read, known := Reads(method)
		if !known {
			t.Errorf("%s is not in the table", method)
		}
		for _, f := range read {
			name, part, _ := strings.Cut(f, ".")
			field, found := reflect.TypeFor[solver.Params]().FieldByName(name)
			if found && part != "" {
				_, found = field.Type.FieldByName(part)
			}
			if !found {
				t.Errorf("%s reads %s, which is no field", method, f)
			}
		}
		fields = append(fields, read...)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[solver.Params]()) {
		if !slices.Contains(fields, f.Name) {
			t.Errorf("no method reads %s", f.Name)
		}
	}
	if _, known := Reads("soup"); known {
		t.Error("soup is a method")
	}
}
