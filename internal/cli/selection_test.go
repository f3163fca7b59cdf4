package cli

import (
	"reflect"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/selector"
)

// Every option of the selector has a flag, by which Check's mistakes are told, but for what a command
// sets; and no flag is of another field.
func TestOptionFlagsAreWhole(t *testing.T) {
	others := []string{"Output", "Progress"}
	cmd := &cobra.Command{}
	new(Selection).Register(cmd, false)
	known := map[string]bool{"Cost.File": true, "Cost.Column": true}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[selector.Options]()) {
		known[f.Name] = true
		found := slices.ContainsFunc(selectionFlags, func(row flag) bool { return row.field == f.Name && cmd.Flags().Lookup(row.name) != nil })
		if found == slices.Contains(others, f.Name) {
			t.Errorf("%s has a flag: %v", f.Name, found)
		}
	}
	for _, row := range selectionFlags {
		if !known[row.field] {
			t.Errorf("--%s is of a field %s, which selector.Options has not", row.name, row.field)
		}
	}
}
