package beam

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

// groupFn works on groups of shards.
type groupFn struct{ Folder string }

// ProcessElement works on group g. What comes of it is in the folder of the job.
func (f *groupFn) ProcessElement(ctx context.Context, g int, emit func(int)) error {
	w, err := workOf(ctx, f.Folder)
	if err != nil {
		return err
	}
	if w.Kind == kindScore {
		err = w.score(ctx, g)
	} else {
		err = w.sums(ctx, g)
	}
	if err == nil {
		emit(g)
	}
	return err
}

// productFn multiplies the rows of groups of shards with a matrix, its side input.
type productFn struct {
	Folder string

	by *operand
}

// ProcessElement works on group g.
func (f *productFn) ProcessElement(ctx context.Context, g int, side []byte, emit func(int)) error {
	w, err := workOf(ctx, f.Folder)
	if err != nil {
		return err
	}
	if f.by == nil {
		by := &operand{}
		if err := decode(side, by); err != nil {
			return err
		}
		f.by = by
	}
	if err := w.product(ctx, g, f.by); err != nil {
		return err
	}
	emit(g)
	return nil
}

// operandFn reads the matrix of a product on a worker: a large one makes a graph slow.
type operandFn struct{ Folder string }

// ProcessElement returns the matrix, encoded.
func (f *operandFn) ProcessElement(ctx context.Context, _ []byte) ([]byte, error) {
	return readFile(ctx, join(f.Folder, operandFile))
}

// doneFn ends the pipeline: a stage without output makes Prism spin.
type doneFn struct{}

// ProcessElement does nothing.
func (*doneFn) ProcessElement(_ int, groups func(*int) bool) {}

func init() {
	register.DoFn3x1[context.Context, int, func(int), error](&groupFn{})
	register.DoFn4x1[context.Context, int, []byte, func(int), error](&productFn{})
	register.DoFn2x2[context.Context, []byte, []byte, error](&operandFn{})
	register.DoFn2x0[int, func(*int) bool](&doneFn{})
	register.Emitter1[int]()
	register.Iter1[int]()
	beam.RegisterType(reflect.TypeFor[groupFn]())
}
