package main

import (
	"reflect"
	"slices"
	"testing"

	"github.com/fspca/fspca/selector"
)

// Every option of the selector has a flag of fit, by which Check's mistakes are told, but for those
// that other flags turn round or that the command sets.
func TestOptionFlagsAreWhole(t *testing.T) {
	others := []string{"Output", "Uncentered", "Standardize", "Reconstruction", "Progress"}
	flags := newFit().Flags()
	for _, f := range reflect.VisibleFields(reflect.TypeFor[selector.Options]()) {
		flag, found := optionFlags[f.Name]
		if found == slices.Contains(others, f.Name) {
			t.Errorf("%s: flag %q", f.Name, flag)
		}
		if found && flags.Lookup(flag) == nil {
			t.Errorf("%s: fit has no flag --%s", f.Name, flag)
		}
	}
}
