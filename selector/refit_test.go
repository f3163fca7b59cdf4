package selector_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/countdown"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// A second fit that fails or is cancelled leaves the first; one that is cut short
// with a usable choice replaces it as a whole. What is fitted holds nothing of the
// caller's memory.
func TestRefitIsATransaction(t *testing.T) {
	x, other := sample(3, 40, 12), sample(4, 40, 12)
	for _, o := range []selector.Options{
		{Features: 4, Components: 2, Standardize: true},
		{Features: 4, Components: 2, Effort: "thorough", Bootstrap: 3, Ledger: true},
		{Features: 4, Components: 2, Effort: "exact"},
	} {
		s := selector.New(o)
		for n := 0; ; n += 1 + n/4 {
			must.OK(t, s.FitMatrix(t.Context(), x, nil))
			was := bytesOf(t, s.Model())
			ctx := countdown.New(n)
			err := s.FitMatrix(ctx, other, nil)
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				t.Fatal(err)
			case err != nil && !bytes.Equal(bytesOf(t, s.Model()), was):
				t.Fatalf("%+v: cancelled at look %d, the second fit changed the model", o, n)
			case err == nil && bytes.Equal(bytesOf(t, s.Model()), was):
				t.Fatalf("%+v: at look %d, no error and the old model", o, n)
			}
			if !ctx.Ended() {
				break
			}
		}
		was := bytesOf(t, s.Model())
		if err := s.FitMatrix(t.Context(), mat.NewDense(3, 2, nil), nil); err == nil || !bytes.Equal(bytesOf(t, s.Model()), was) {
			t.Errorf("a fit that fails, with %v, changes the model", err)
		}
	}
}

// Once columns are chosen, the end of the context loses nothing: what is not computed yet is left out, and
// the model is a whole one.
func TestCancelledAfterTheChoice(t *testing.T) {
	x := sample(3, 40, 12)
	for _, o := range []selector.Options{
		{Features: 4, Components: 2, Decoder: true, Ledger: true, Bootstrap: 3, Reconstruction: true},
		{Features: 4, Components: 2, Decoder: true, Criterion: "reconstruction", Effort: "exact"},
		{Features: 4, Components: 2, Decoder: true, MaxCorrelation: 0.9, Effort: "thorough"},
	} {
		chosen := false
		for n := 0; ; n += 1 + n/16 {
			ctx := countdown.New(n)
			s := selector.New(o)
			err := s.FitMatrix(ctx, x, nil)
			switch {
			case err == nil:
				chosen = true
				must.Get(selector.ReadModel(bytes.NewReader(bytesOf(t, s.Model()))))(t)
			case chosen:
				t.Errorf("%q, %q: cancelled at look %d: %v, and a model if cancelled before", o.Criterion, o.Effort, n, err)
			}
			if !ctx.Ended() {
				break
			}
		}
	}
}

func TestModelHoldsNothingOfTheCallers(t *testing.T) {
	x := sample(5, 30, 8)
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	include := []string{"a"}
	s := selector.New(selector.Options{Features: 3, Components: 2, Include: include, Standardize: true, Ledger: true, Bootstrap: 2})
	must.OK(t, s.FitMatrix(t.Context(), x, names))
	was := bytesOf(t, s.Model())
	x.Zero()
	clear(names)
	include[0] = "z"
	if !bytes.Equal(bytesOf(t, s.Model()), was) {
		t.Error("overwriting the caller's memory changes the model")
	}
}

func bytesOf(t *testing.T, m *selector.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Get(m.WriteTo(&b))(t)
	return b.Bytes()
}
