package parquet

import (
	"errors"
	"math"
	"math/big"
	"strconv"

	"github.com/parquet-go/parquet-go/encoding"
)

// A decimal is read as the float64 that is nearest to it, as the same digits in a text are.

// scaled returns decimals that are stored as integers and have so many digits after the point.
func scaled[T int32 | int64](values []T, count int, buffer *[]float64, scale int) ([]float64, error) {
	values, err := firstOf(values, count)
	if err != nil {
		return nil, err
	}
	out := resized(buffer, count)
	for i, v := range values {
		out[i] = decimal(int64(v), scale)
	}
	return out, nil
}

// decimal returns v/10^scale. Up to 2⁵³ and 10²² both are exact, and the quotient is the nearest number.
func decimal(v int64, scale int) float64 {
	if v >= -1<<53 && v <= 1<<53 && scale <= 22 {
		return float64(v) / math.Pow10(scale)
	}
	return parsed(strconv.FormatInt(v, 10), scale)
}

// parsed returns digits/10^scale for at most 39 digits, which no float64 is too small for.
func parsed(digits string, scale int) float64 {
	v, _ := strconv.ParseFloat(digits+"e-"+strconv.Itoa(scale), 64)
	return v
}

// fromBytes returns decimals that are stored as bytes. One without digits after the point is an integer and
// has to be exact.
func (c *cursor) fromBytes(values *encoding.Values, count int, buffer *[]float64) ([]float64, error) {
	out, i := resized(buffer, count), 0
	err := eachDecimal(values, count, func(b []byte) (err error) {
		out[i], err = c.fromDigits(b)
		i++
		return err
	})
	return out, err
}

func (c *cursor) fromDigits(b []byte) (float64, error) {
	if v, ok := small(b); ok && c.column.scale > 0 {
		return decimal(v, c.column.scale), nil
	} else if ok {
		return float64(v), c.exact(v)
	}
	v := integer(b)
	f := parsed(v.String(), c.column.scale)
	if exact, _ := big.NewFloat(f).Int(nil); c.column.scale == 0 && exact.Cmp(v) != 0 {
		return 0, c.inexact(v.String())
	}
	return f, nil
}

// small returns the integer of bytes; false if it does not fit.
func small(b []byte) (v int64, ok bool) {
	if len(b) > 0 && b[0]&0x80 != 0 {
		v = -1
	}
	for _, digit := range b {
		if v>>55 != 0 && v>>55 != -1 {
			return 0, false
		}
		v = v<<8 | int64(digit)
	}
	return v, true
}

// integer returns the integer of bytes in two's complement, the highest first.
func integer(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}

// eachDecimal passes on the bytes of each of the first count values.
func eachDecimal(values *encoding.Values, count int, take func(b []byte) error) error {
	if values.Kind() == encoding.FixedLenByteArray {
		raw, size := values.FixedLenByteArray()
		if size < 1 || count < 0 || len(raw)/size < count {
			return errShort
		}
		for i := range count {
			if err := take(raw[i*size : (i+1)*size]); err != nil {
				return err
			}
		}
		return nil
	}
	list, err := stringsOf(values, count)
	if err != nil {
		return err
	}
	for _, s := range list {
		if len(s) > maxDecimal {
			return errors.New("a decimal has more than 38 digits")
		}
		if err := take([]byte(s)); err != nil {
			return err
		}
	}
	return nil
}
