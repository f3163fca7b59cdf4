//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"unsafe"
)

// readFloats reads the bytes of an array file into numbers, as fast as the file system gives them: the
// header, which is no multiple of the numbers, is passed over.
func readFloats(path string) (x []float64, columns int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, err
	}
	x = make([]float64, (end-arrayHeader)/8)
	_, err = io.ReadFull(io.NewSectionReader(file, arrayHeader, end-arrayHeader), unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 8*len(x)))
	return x, 1, err
}

// The array that is read beside the texts, and the bytes before its numbers.
const (
	arrayRows    = 160_000
	arrayColumns = 150
	arrayHeader  = 128
)

// compareArrays measures the reader of .npy beside reading the same bytes.
func compareArrays(ctx context.Context, w io.Writer, self string, opt options) error {
	path := filepath.Join(opt.dir, "read-array.npy")
	if err := unlessThere(path, func() error { return writeNPY(path, noise(arrayRows, arrayColumns, rand.NewPCG(7, 7))) }); err != nil {
		return err
	}
	seconds, cpu := map[string][]float64{}, map[string][]float64{}
	var ratios []float64
	order := []string{"dataset", "floats"}
	for round := range max(2*opt.rounds, 10) + 1 {
		pair := map[string]float64{}
		for _, reader := range order {
			r, err := readOnce(ctx, []string{self, "readone", reader, path}, false)
			if err != nil {
				return err
			}
			if round > 0 { // the first brings the file into the page cache
				seconds[reader], cpu[reader] = append(seconds[reader], r.Seconds), append(cpu[reader], r.cpu)
			}
			pair[reader] = r.Seconds
		}
		if round > 0 {
			ratios = append(ratios, pair["dataset"]/pair["floats"])
		}
		slices.Reverse(order)
	}
	_, err := fmt.Fprintf(w, "\nAn .npy of %d × %d, %d MiB: %.3f s, and %.3f s of all processors; the same bytes by io.ReadFull into a []float64 on one\ngoroutine: %.3f s and %.3f s. Ours ÷ that, the median of %d pairs in turn: %.2f (wanted: at most 1.1; quartiles %.2f and %.2f). Both\nread from the page cache into new memory.\n",
		arrayRows, arrayColumns, 8*arrayRows*arrayColumns>>20, medianOf(seconds["dataset"]), medianOf(cpu["dataset"]), medianOf(seconds["floats"]), medianOf(cpu["floats"]),
		len(ratios), medianOf(ratios), quantileOf(ratios, 0.25), quantileOf(ratios, 0.75))
	return err
}

// quantileOf returns the value below which a share of all is.
func quantileOf(values []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(share*float64(len(sorted)-1)+0.5)]
}
