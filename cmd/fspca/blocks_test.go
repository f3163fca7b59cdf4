package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// TestFitInBlocks: a table larger than the memory gives the model of the table in
// memory, whatever its format and what is done to its cells before.
func TestFitInBlocks(t *testing.T) {
	dir := t.TempDir()
	rows, d := 24000, 400 // 73 MiB
	var text bytes.Buffer
	text.WriteString("label")
	for j := range d {
		text.WriteString(",c" + string(rune('a'+j%26)) + strings.Repeat("x", j/26))
	}
	text.WriteString("\n")
	state := uint64(1)
	for i := range rows {
		text.WriteString([]string{"u", "v"}[i%2])
		f := i % 17
		for j := range d {
			state = state*6364136223846793005 + 1442695040888963407
			v := int(state>>60) + f*(j%5)*(j%7)
			text.WriteByte(',')
			if j == 3 && i%1000 == 999 {
				continue // missing
			}
			if v >= 10 {
				if v >= 100 {
					text.WriteByte(byte('0' + v/100))
				}
				text.WriteByte(byte('0' + v/10%10))
			}
			text.WriteByte(byte('0' + v%10))
		}
		text.WriteByte('\n')
	}
	csv := filepath.Join(dir, "t.csv")
	must.OK(t, os.WriteFile(csv, text.Bytes(), 0o600))
	frame := must.Get(dataset.Read(csv, dataset.ReadOptions{Drop: []string{"label", "cd"}}))(t)
	npy := filepath.Join(dir, "t.npy")
	var b bytes.Buffer
	must.OK(t, dataset.WriteAs(&b, npy, frame))
	must.OK(t, os.WriteFile(npy, b.Bytes(), 0o600))
	for _, args := range [][]string{
		{npy}, {npy, "--standardize"}, {csv, "--label", "label", "--impute", "mean"}, {csv, "--drop", "label", "--omit-missing", "--no-center"},
		{csv, "--label", "label", "--drop", "cd", "--bootstrap", "2"},
		{csv, "--drop", "label", "--impute", "mean", "--weight", "cb"},
	} {
		fit := func(memory string) (m struct {
			Support   []int
			Objective float64
		}) {
			code, stdout, stderr := alone(t, append([]string{"fit", "-k", "6", "-m", "2", "--json", "-v", "--no-reconstruction", "--memory", memory}, args...)...)
			if streamed := strings.Contains(stderr, "read in blocks of rows, in one pass"); code != 0 || streamed != (memory != "4GiB") {
				t.Fatalf("%v with %s: code %d, stderr %q", args, memory, code, stderr)
			}
			if told := strings.Contains(stderr, "the rows were read in "); told != (memory != "4GiB") {
				t.Errorf("%v with %s: passes told: %v, in %q", args, memory, told, stderr)
			}
			must.OK(t, json.Unmarshal([]byte(stdout), &m))
			return m
		}
		want, got := fit("4GiB"), fit("110MiB")
		if !slices.Equal(got.Support, want.Support) || math.Abs(got.Objective-want.Objective) > 1e-9*want.Objective {
			t.Errorf("%v: %+v, want %+v", args, got, want)
		}
	}
	for _, test := range []struct{ args, want string }{
		{"--impute median", "--impute median needs the table in memory"},
		{"--label label", "fill them with --impute mean"},
		{"", "fit takes numbers only, but"},
	} {
		args := append([]string{"fit", csv, "-k", "6", "-m", "2", "--memory", "110MiB"}, strings.Fields(test.args)...)
		if code, _, stderr := alone(t, args...); code == 0 || !strings.Contains(stderr, test.want) {
			t.Errorf("%v: code %d, stderr %q, want %q", args, code, stderr, test.want)
		}
	}
}

// TestFiguresCountInMemory: a wide table that fits in the memory without the figures of all columns is not read
// with them.
func TestFiguresCountInMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	x := mat.NewDense(40, 20000, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	frame := must.Get(dataset.New(nil, x))(t)
	path := filepath.Join(t.TempDir(), "wide.npy")
	var b bytes.Buffer
	must.OK(t, dataset.WriteAs(&b, path, frame))
	must.OK(t, os.WriteFile(path, b.Bytes(), 0o600))
	fit := []string{"fit", path, "-k", "400", "-m", "2", "--effort", "ipu", "--memory", "110MiB"}
	if code, _, stderr := quiet(fit...); code == 0 || !strings.Contains(stderr, "leave them out (--no-reconstruction)") {
		t.Errorf("code %d, stderr %q: want an error that says what does not fit", code, stderr)
	}
	if code, _, stderr := quiet(append(fit, "--no-reconstruction")...); code != 0 || strings.Contains(stderr, "in blocks") {
		t.Errorf("without the figures: code %d, stderr %q", code, stderr)
	}
	fit[len(fit)-1] = "4GiB"
	if code, _, stderr := quiet(fit...); code != 0 {
		t.Errorf("with enough: code %d, stderr %q", code, stderr)
	}
}

// TestMemoryFlag: sizes with their units.
func TestMemoryFlag(t *testing.T) {
	for text, want := range map[string]int64{"2GiB": 2 << 30, "300 MiB": 300 << 20, "1.5gb": 1500000000, "100000000B": 1e8} {
		var m memoryFlag
		if err := m.Set(text); err != nil || m.bytes != want {
			t.Errorf("%q: %d, want %d (%v)", text, m.bytes, want, err)
		}
	}
	for _, text := range []string{"", "2", "GiB", "-1GiB", "1MiB", "NaNGiB", "1e30GiB"} {
		var m memoryFlag
		if err := m.Set(text); err == nil {
			t.Errorf("%q: %d bytes, want an error", text, m.bytes)
		}
	}
}

// TestAtOnce: a file that its reader names already is not named twice.
func TestAtOnce(t *testing.T) {
	for text, want := range map[string]string{
		"row 3 is short":                  "a.npy: row 3 is short",
		"a.npy: row 3 is short":           "a.npy: row 3 is short",
		"fspca: a.npy: one\nfspca: other": "a.npy: one\na.npy: other",
	} {
		if got := at("a.npy", errors.New(text)).Error(); got != want {
			t.Errorf("%q is told as %q, want %q", text, got, want)
		}
	}
}
