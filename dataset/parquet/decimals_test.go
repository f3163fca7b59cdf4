package parquet

import (
	"math"
	"math/big"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// bytesOf returns an integer in two's complement, the highest byte first.
func bytesOf(digits string) (b [16]byte) {
	v, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		panic(digits)
	}
	v.Mod(v, new(big.Int).Lsh(big.NewInt(1), 128)).FillBytes(b[:])
	return b
}

// TestDecimals: a decimal is the number that the same digits in a text are, however it is stored.
func TestDecimals(t *testing.T) {
	type row struct {
		Small int32    `parquet:"small,decimal(2:9)"`
		Large int64    `parquet:"large,decimal(4:18)"`
		Bytes [16]byte `parquet:"bytes,decimal(6:38)"`
		Dict  [16]byte `parquet:"dict,dict,decimal(30:38)"`
		Whole [16]byte `parquet:"whole,decimal(0:38)"`
	}
	digits := []string{"0", "-1", "5", "99999999999999999999999999999999999999", "-12345678901234567890123", "9007199254740993", "127", "-128", "-129", "65536"}
	wholes := []string{"0", "1", "-1", "9007199254740992", "18446744073709551616", "-4", "5", "6", "7", "8"}
	var rows []row
	for i, s := range digits {
		rows = append(rows, row{int32(i*1001 - 3), int64(math.MaxInt64/10) - int64(i)*7, bytesOf(s), bytesOf(s), bytesOf(wholes[i])})
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	must.OK(t, parquet.WriteFile(path, rows))
	f, err := dataset.Read(path, dataset.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		for j, text := range []string{strconv.Itoa(int(r.Small)) + "e-2", strconv.FormatInt(r.Large, 10) + "e-4", digits[i] + "e-6", digits[i] + "e-30", wholes[i]} {
			want, err := strconv.ParseFloat(text, 64)
			if got := f.Numeric().At(i, j); err != nil || got != want {
				t.Errorf("%s is read as %v, want %v", text, got, want)
			}
		}
	}
	f, err = dataset.Read(path, dataset.ReadOptions{Categorical: []string{"whole"}})
	if err != nil || strings.Join(f.Columns()[4].Factor.Levels, " ") != "-4 -1 0 1 5 6 7 8 9007199254740992 18446744073709551616" {
		t.Errorf("%v, levels %q", err, f.Columns()[4].Factor.Levels)
	}
	rows[3].Whole = bytesOf("18446744073709551617")
	must.OK(t, parquet.WriteFile(path, rows))
	if _, err := dataset.Read(path, dataset.ReadOptions{}); err == nil || !strings.Contains(err.Error(), `column "whole": the integer 18446744073709551617, from row 1 on, is not exact`) {
		t.Errorf("got %v", err)
	}
}
