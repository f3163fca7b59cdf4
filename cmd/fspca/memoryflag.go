package main

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fspca/fspca/internal/memory"
)

// memoryFlag is the value of --memory: a number of bytes, 0 if it was not given.
type memoryFlag struct{ bytes int64 }

var _ pflag.Value = (*memoryFlag)(nil)

func (m *memoryFlag) register(cmd *cobra.Command, what string) {
	cmd.Flags().Var(m, "memory", "`SIZE` of memory for "+what+", such as 2GiB; a larger table is read in blocks of rows (default half of the free memory)")
}

// units are those of --memory, the longest names first.
var units = []struct {
	name  string
	bytes float64
}{{"tib", 1 << 40}, {"gib", 1 << 30}, {"mib", 1 << 20}, {"kib", 1 << 10}, {"tb", 1e12}, {"gb", 1e9}, {"mb", 1e6}, {"kb", 1e3}, {"b", 1}}

// Set reads a size.
func (m *memoryFlag) Set(text string) error {
	number, unit := strings.ToLower(strings.TrimSpace(text)), 0.0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, unit = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || unit == 0 || !(v > 0) || v*unit > math.MaxInt64/2 {
		return errors.New("want a size with its unit, such as 500MiB or 2GiB")
	}
	if m.bytes = int64(v * unit); m.bytes < leastMemory {
		return fmt.Errorf("want at least %s", memory.Amount(leastMemory))
	}
	return nil
}

// String writes the size; "" if it was not given.
func (m *memoryFlag) String() string {
	if m.bytes == 0 {
		return ""
	}
	return memory.Amount(m.bytes)
}

// Type names the value in messages.
func (m *memoryFlag) Type() string { return "size" }

const (
	// programMemory is what the program takes by itself: its code, and what reading
	// and writing hold.
	programMemory = 48 << 20

	// leastMemory is the least that can be asked for.
	leastMemory = 64 << 20
)

// limit returns how much memory may be taken; false where nobody knows.
func (m *memoryFlag) limit() (int64, bool) {
	if m.bytes != 0 {
		return m.bytes, true
	}
	free, known := available()
	return free.Bytes / 2, known
}

// keep lets the collector keep the process below the limit until restore is called.
func (m *memoryFlag) keep() (restore func()) {
	limit, known := m.limit()
	if !known {
		return func() {}
	}
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, limit-programMemory/2))
	return func() { debug.SetMemoryLimit(before) }
}

// keepIfGiven is keep where --memory was given.
func (m *memoryFlag) keepIfGiven() (restore func()) {
	if m.bytes == 0 {
		return func() {}
	}
	return m.keep()
}
