package dataset

import (
	"context"
	"errors"
	"fmt"
	"os"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/parallel"
)

// mostPieces is how many columns are read apart from each other for a block of rows. Of more, the pieces are so
// small that finding them takes longer than reading them.
const mostPieces = 4096

// turnedColumns and turnedRows are how many numbers are turned at a time: 4 MiB.
const (
	turnedColumns = 512
	turnedRows    = 1024
)

// errNoRoom is the error of a disk that is full.
var errNoRoom = errors.New("there is no room for a temporary file")

// turn copies the numbers of very many columns, if these lie one after another in the file, row by row to a
// temporary file. Where the disk has no room for that, they are read where they are.
func (b *Blocks) turn(ctx context.Context) error {
	if h := b.numbers.header; !h.columnMajor || len(b.names) <= mostPieces {
		return nil
	}
	spill, err := newSpill()
	if err != nil {
		return nil
	}
	turned := numberFile{file: spill.File, closer: spill, header: nativeHeader(b.rows, len(b.names))}
	if err = b.turnInto(ctx, spill.File); err == nil {
		err = turned.note()
	}
	if err != nil {
		err = errors.Join(err, spill.Close())
		if errors.Is(err, errNoRoom) {
			return nil
		}
		return err
	}
	err = b.numbers.close()
	b.numbers = turned
	return err
}

// turnInto writes the numbers row by row, a tile of rows and columns at a time.
func (b *Blocks) turnInto(ctx context.Context, to *os.File) error {
	d := len(b.names)
	fields := b.numbers.fields
	if fields == nil {
		fields = lists.Upto[int](d)
	}
	across, down := (d+turnedColumns-1)/turnedColumns, (b.rows+turnedRows-1)/turnedRows
	return parallel.Each(context.Background(), across*down, kernel.Processors(), func(i int) error {
		part := b.numbers // others read other fields meanwhile
		left, from := i%across*turnedColumns, i/across*turnedRows
		part.fields = fields[left:min(d, left+turnedColumns)]
		tile := mat.NewDense(min(turnedRows, b.rows-from), len(part.fields), nil)
		rows, _ := tile.Dims()
		if err := part.load(ctx, from, rows, tile, b.missing.nan, new(kernel.Digest)); err != nil {
			return err
		}
		for r := range rows {
			if _, err := to.WriteAt(bytesOf(tile.RawRowView(r)), 8*(int64(from+r)*int64(d)+int64(left))); err != nil {
				return fmt.Errorf("%w: %w", errNoRoom, err)
			}
		}
		return nil
	})
}
