package saved

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
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
	sum, err := Sum([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.TrimSuffix(object, "}") + ",\n \"checksum\": \"" + sum + "\"\n}\n"
	inner, err := json.Marshal(json.RawMessage(whole)) // compact, and escaped for HTML
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(whole), "", "\t"); err != nil {
		t.Fatal(err)
	}
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
