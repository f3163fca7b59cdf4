package delimited

import "encoding/binary"

// Eight characters at a time, as one uint64 whose lowest byte is the first.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
	zeros = 0x3030303030303030 // eight '0'
)

func load(s []byte, i int) uint64 { return binary.LittleEndian.Uint64(s[i:]) }

// zeroBytes marks bytes of x that are 0 by their highest bit. Bytes above the
// first of them may be marked wrongly.
func zeroBytes(x uint64) uint64 { return (x - ones) &^ x & highs }

// areDigits reports whether all bytes are '0'…'9'.
func areDigits(x uint64) bool {
	return x&0xf0f0f0f0f0f0f0f0|(x+0x0606060606060606)&0xf0f0f0f0f0f0f0f0>>4 == 0x3333333333333333
}

// digits8 returns the value of eight digits.
func digits8(x uint64) uint64 { return digitValues(x - zeros) }

// digitValues is digits8 of the digits' values.
func digitValues(x uint64) uint64 {
	x = x*10 + x>>8
	return ((x&0x000000ff000000ff)*(100+1000000<<32) + (x>>16&0x000000ff000000ff)*(1+10000<<32)) >> 32
}

// lastDigits replaces all but the last n ≤ 8 bytes by '0'.
func lastDigits(x uint64, n int) uint64 {
	mask := uint64(1)<<(64-8*n) - 1
	return x&^mask | zeros&mask
}
