package main

import (
	"context"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestSections runs the sections that need no data, small.
func TestSections(t *testing.T) {
	var out strings.Builder
	opt := &options{instances: 2, problems: 30, seed: 5, data: t.TempDir(), sdp: 10}
	names := []string{"schemes", "large", "bounds", "real", "path"}
	must.OK(t, run(context.Background(), &out, opt, names, names))
	for _, want := range []string{"with a proof: 12 of 12", "scheme D, d = 100", "30 random problems", "lymphoma_cov.npy is not there"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, out.String())
		}
	}
	if err := run(context.Background(), &out, opt, []string{"magic"}, names); err == nil {
		t.Error("no error for an unknown section")
	}
}
