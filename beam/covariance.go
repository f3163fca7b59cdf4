package beam

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
)

// Covariance is the covariance of a table in shards, a solver.Covariance. Up to solver.MaxEntriesOrder
// columns A is formed, by one job, and lies in the memory of the submitter. Above that each product
// with it is a job.
type Covariance struct {
	*solver.Stream

	Names   []string        // of the columns
	Reading dataset.Reading // how the first shard with rows was read, for the model
	Shards  int             // that were found
	Omitted int             // rows with missing cells that were left out
}

var _ solver.Covariance = (*Covariance)(nil)

// NewCovariance sums the shards of a table in one job, or in two where squares leave the range of
// float64. The same shards, in the same order, give the same bytes on any runner. Errors: what is
// wrong with the shards, all at once; a *JobError where the job did not end well; those of
// solver.NewData.
func NewCovariance(ctx context.Context, t Table, o Options) (*Covariance, error) {
	shards, err := t.find(ctx)
	if err != nil {
		return nil, err
	}
	names, err := t.header(ctx, shards)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("beam: %s has no feature column", shards[0].Name)
	}
	w := o.sumsOf(t, shards, names)
	sums, c, err := o.moments(ctx, w)
	if err == nil {
		if w.Units = sums.Units(); w.Units != nil {
			sums, c, err = o.moments(ctx, w)
		}
	}
	if err != nil {
		return nil, err
	}
	products := o.products(w, c)
	c.Names, c.Shards = names, len(shards)
	if c.Stream, err = sums.Covariance(products); err != nil {
		return nil, fmt.Errorf("beam: %w", err)
	}
	return c, nil
}

// sumsOf is the work of summing the shards.
func (o Options) sumsOf(t Table, shards []shard, names []string) *work {
	d := len(names)
	w := &work{Kind: kindSums, Read: t.Read, OmitMissing: t.OmitMissing, Names: names, Uncentered: o.Uncentered, Form: d <= solver.MaxEntriesOrder, Shards: shards}
	bytes := int64(32 * d)
	if w.Form {
		bytes += 4 * int64(d) * int64(d)
	}
	w.Groups = o.groups(len(shards), bytes)
	return w
}

// products returns what multiplies by A in further jobs; nil where A is formed.
func (o Options) products(w *work, c *Covariance) (products solver.Products) {
	if !w.Form {
		products = func(ctx context.Context, dst *mat.Dense, rows, columns []int, v *mat.Dense) error {
			return o.product(ctx, w, c, dst, rows, columns, v)
		}
	}
	return products
}

// sumsPart is the part of a group in the moments: this as JSON, and then its sums.
type sumsPart struct {
	Reading dataset.Reading
	Omitted int

	sums *solver.Sums
}

// MarshalBinary returns the length of the JSON, the JSON, and the sums.
func (p *sumsPart) MarshalBinary() ([]byte, error) {
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	body, err := p.sums.MarshalBinary()
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, 4+len(head)+len(body))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	return append(append(b, head...), body...), nil
}

// UnmarshalBinary reads what MarshalBinary gave.
func (p *sumsPart) UnmarshalBinary(b []byte) error {
	if len(b) < 4 || len(b)-4 < int(binary.LittleEndian.Uint32(b)) {
		return errors.New("beam: a part is cut short")
	}
	head, body := b[4:4+binary.LittleEndian.Uint32(b)], b[4+binary.LittleEndian.Uint32(b):]
	if err := json.Unmarshal(head, p); err != nil {
		return err
	}
	p.sums = &solver.Sums{}
	return p.sums.UnmarshalBinary(body)
}

// sums works on a group.
func (w *work) sums(ctx context.Context, g int) error {
	p := &sumsPart{sums: &solver.Sums{}}
	opt := solver.SumOptions{Uncentered: w.Uncentered, Form: w.Form, Units: w.Units}
	return w.group(ctx, g, func(s shard) error {
		return w.open(ctx, s, func(rows solver.Rows, reading dataset.Reading, omitted int) error {
			p.Omitted += omitted
			if rows == nil {
				return nil
			}
			part, err := solver.Sum(ctx, rows, opt)
			if err != nil {
				return located(s, w.Names, err)
			}
			if p.sums.Rows() == 0 {
				p.Reading, p.sums = reading, part
				return nil
			}
			return p.sums.Merge(part)
		})
	}, p.MarshalBinary)
}

// located says of a number that cannot be in which shard and column it is.
func located(s shard, names []string, err error) error {
	var entry *solver.EntryError
	if errors.As(err, &entry) {
		return mistakef("%s: row %d, column %q is %v: %s", s.Name, entry.Row+1, names[entry.Col], entry.Value, entry.Reason)
	}
	return err
}

// moments sums all shards.
func (o Options) moments(ctx context.Context, w *work) (*solver.Sums, *Covariance, error) {
	all, c := &solver.Sums{}, &Covariance{}
	err := o.run(ctx, "moments", w, nil, func() error {
		for g := range w.Groups {
			var p sumsPart
			if err := w.read(ctx, g, p.UnmarshalBinary); err != nil {
				return err
			}
			c.Omitted += p.Omitted
			if all.Rows() == 0 {
				c.Reading, all = p.Reading, p.sums
				continue
			}
			if err := all.Merge(p.sums); err != nil {
				return err
			}
		}
		return nil
	})
	return all, c, err
}

// operand is what a product job multiplies with: see solver.Products.
type operand struct {
	Mean          []float64 // nil: 0
	Rows, Columns []int
	All           [2]bool // rows, columns: all of them
	W             []float64
	Width         int // columns of W
}

// productPart is the part of a group in a product.
type productPart struct {
	N int // rows
	X []float64
}

// product works on a group.
func (w *work) product(ctx context.Context, g int, v *operand) error {
	rows, columns := v.Rows, v.Columns
	outs := len(rows)
	if v.All[0] {
		rows, outs = nil, len(w.Names)
	}
	if v.All[1] {
		columns = nil
	}
	p := productPart{X: make([]float64, outs*v.Width)}
	sum, part := mat.NewDense(outs, v.Width, p.X), mat.NewDense(outs, v.Width, nil)
	by := mat.NewDense(len(v.W)/v.Width, v.Width, v.W)
	return w.group(ctx, g, func(s shard) error {
		return w.open(ctx, s, func(from solver.Rows, _ dataset.Reading, _ int) error {
			if from == nil {
				return nil
			}
			n, _ := from.Dims()
			p.N += n
			if err := solver.Product(ctx, from, v.Mean, part, rows, columns, by, 0); err != nil {
				return err
			}
			sum.Add(sum, part)
			return nil
		})
	}, func() ([]byte, error) { return encode(p) })
}

// product stores a product with the centred rows of all shards in dst.
func (o Options) product(ctx context.Context, moments *work, c *Covariance, dst *mat.Dense, rows, columns []int, v *mat.Dense) error {
	w := *moments
	w.Kind = kindProduct
	outs, width := dst.Dims()
	w.Groups = o.groups(len(w.Shards), 8*int64(outs)*int64(width))
	by := &operand{Rows: rows, Columns: columns, All: [2]bool{rows == nil, columns == nil}, Width: width, W: slices.Clone(mat.DenseCopyOf(v).RawMatrix().Data)}
	if !w.Uncentered {
		by.Mean = c.Mean()
	}
	dst.Zero()
	n := 0
	err := o.run(ctx, "product", &w, by, func() error {
		for g := range w.Groups {
			var p productPart
			if err := w.read(ctx, g, func(data []byte) error { return decode(data, &p) }); err != nil {
				return err
			}
			dst.Add(dst, mat.NewDense(outs, width, p.X))
			n += p.N
		}
		return nil
	})
	if err == nil && n != c.Rows() {
		err = fmt.Errorf("beam: the shards had %d rows and have %d: they must not change meanwhile: %w", c.Rows(), n, solver.ErrChanged)
	}
	return err
}
