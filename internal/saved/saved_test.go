package saved

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

func TestVersion(t *testing.T) {
	for version, kind := range map[string]error{"1": nil, "2": nil, "3": ErrVersion, "0": ErrDamaged, "-1": ErrDamaged, "none": ErrDamaged, "1.5": ErrDamaged, `"2"`: ErrDamaged} {
		if err := Version("the file", version, 2); !errors.Is(err, kind) {
			t.Errorf("%s: got %v, want %v", version, err, kind)
		}
	}
	if errors.Is(Version("the file", "3", 2), ErrDamaged) {
		t.Error("too new is not damaged")
	}
	cause := errors.New("cause")
	if err := Damaged("the file", cause); !errors.Is(err, ErrDamaged) || !errors.Is(err, cause) || Damaged("the file") != nil {
		t.Errorf("got %v", err)
	}
}

func TestChecksum(t *testing.T) {
	object := `{"a": "<x> \"&", "b": [1, 2.50]}`
	sum := must.Get(Sum([]byte(object)))(t)
	whole := strings.TrimSuffix(object, "}") + ",\n \"checksum\": \"" + sum + "\"\n}\n"
	inner, err := json.Marshal(json.RawMessage(whole)) // compact, and escaped for HTML
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	must.OK(t, json.Indent(&indented, []byte(whole), "", "\t"))
	for _, same := range [][]byte{[]byte(whole), inner, indented.Bytes()} {
		if err := Verify(same); err != nil {
			t.Errorf("%s: %v", same, err)
		}
	}
	for i := range []byte(object) {
		for bit := range 8 {
			flipped := []byte(whole)
			flipped[i] ^= 1 << bit
			var before, after any
			if json.Unmarshal([]byte(whole), &before) == nil && json.Unmarshal(flipped, &after) == nil && Verify(flipped) == nil {
				b, _ := json.Marshal(before)
				a, _ := json.Marshal(after)
				if !bytes.Equal(a, b) {
					t.Errorf("byte %d, bit %d: changed to %s unseen", i, bit, flipped)
				}
			}
		}
	}
	for _, bad := range []string{object, `{}`, `{"checksum": "` + sum + `"}`, "{"} {
		if Verify([]byte(bad)) == nil {
			t.Errorf("%s passes", bad)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		text, want string
		kind       error
	}{
		{`{"version": 2, "type": "clip", "low": 3}`, "", nil},
		{`{"version": 3, "type": "clip", "new": 3}`, "the step has version 3 and this program reads up to version 2: use a newer fspca", ErrVersion},
		{`{"type": "clip"}`, `the field "version" is missing: this is not a step`, ErrDamaged},
		{`{"version": 1}`, `the field "type" is missing: this is not a step`, ErrDamaged},
		{`{"version": 1, "type": "cut"}`, `the step is of type "cut", want "clip"`, nil},
		{`{"version": 1, "type": "clip", "high": 3}`, `the step is damaged: json: unknown field "high"`, ErrDamaged},
		{`{"version": 1, "type": "clip"} 7`, "the step is damaged: invalid character '7' after top-level value", ErrDamaged},
		{`[]`, "the step is damaged: ", ErrDamaged},
	} {
		var got struct {
			Version int    `json:"version"`
			Type    string `json:"type"`
			Low     int    `json:"low"`
		}
		version, err := Decode([]byte(c.text), "the step", "clip", 2, func(int) any { return &got })
		switch {
		case c.want == "":
			if err != nil || version != 2 || got.Low != 3 {
				t.Errorf("%s: %d, %+v, %v", c.text, version, got, err)
			}
		case err == nil || !strings.HasPrefix(err.Error(), c.want) || c.kind != nil && !errors.Is(err, c.kind):
			t.Errorf("%s: got %v, want %s", c.text, err, c.want)
		}
	}
}

func TestRows(t *testing.T) {
	rows := [][]float64{{1, 2, 3}, {4, 5, 6}}
	m := Dense(rows)
	if got := Rows(m); !slices.EqualFunc(got, rows, slices.Equal[[]float64]) {
		t.Errorf("got %v, want %v", got, rows)
	}
	if m.Set(0, 0, 9); rows[0][0] != 1 {
		t.Error("the matrix shares the numbers of the rows")
	}
}
