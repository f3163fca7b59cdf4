package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
)

// TestVerifyInBlocks: a table that is larger than the memory gets its certificate as one in memory does, and verify
// reads it in blocks too.
func TestVerifyInBlocks(t *testing.T) {
	const n, d = 36000, 100 // 27 MiB
	dir := t.TempDir()
	data, model, proof := filepath.Join(dir, "t.npy"), filepath.Join(dir, "m.json"), filepath.Join(dir, "p.json")
	x := mat.NewDense(n, d, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = float64((i/d)%17*(i%d%5)*(i%d%7) + i*i%11)
	}
	var b bytes.Buffer
	must.OK(t, dataset.WriteAs(&b, data, must.Get(dataset.New(lists.Make(d, func(j int) string { return fmt.Sprintf("x%d", j+1) }), x))(t)))
	must.OK(t, os.WriteFile(data, b.Bytes(), 0o600))
	const memory = "--memory=72MiB"
	code, _, stderr := alone(t, "fit", data, "-k", "2", "-m", "1", "--effort", "exact", "--memory-limit", "1", memory, "--no-reconstruction", "-o", model, "--certificate", proof)
	if code != 0 || !strings.Contains(stderr, "read in blocks") {
		t.Fatalf("fit: code %d, stderr %q", code, stderr)
	}
	for _, args := range [][]string{{memory}, {"--memory=4GiB"}} {
		if code, stdout, stderr := alone(t, append([]string{"verify", model, data, "--certificate", proof}, args...)...); code != 0 {
			t.Errorf("verify %v: code %d, %q, stderr %q", args, code, stdout, stderr)
		}
	}
}

// TestUnproved: a proof that the deadline cuts off says what to do, any other its reason.
func TestUnproved(t *testing.T) {
	other := errors.New("the bound does not hold")
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("proof: %w", context.DeadlineExceeded), "longer than --deadline 3s"},
		{other, other.Error()},
	} {
		if got := unproved(c.err, 3*time.Second).Error(); !strings.HasPrefix(got, "no certificate was written: ") || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}
