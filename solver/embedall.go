package solver

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// embedAll returns the embeddings of supports of at most directOrder columns.
func embedAll(ctx context.Context, at ascender, supports [][]int, m int) ([]*embedding, error) {
	switch at := at.(type) {
	case *rowsAscender:
		at.foresee(supports)
	case *streamAscender:
		if err := at.foresee(ctx, supports); err != nil {
			return nil, err
		}
	}
	later := make([]func() (*embedding, error), len(supports))
	for q, support := range supports {
		var err error
		if later[q], err = embedLater(ctx, at, support, m); err != nil {
			return nil, err
		}
	}
	all, errs := make([]*embedding, len(supports)), make([]error, len(supports))
	kernel.Parallel(len(supports), func(_, q int) { all[q], errs[q] = later[q]() })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// embedLater does what one embedding after another has to do, which is to find the block, and
// returns what several can do at once.
func embedLater(ctx context.Context, at ascender, support []int, m int) (func() (*embedding, error), error) {
	var block *mat.SymDense
	switch at := at.(type) {
	case blockAscender:
		var err error
		if block, err = at.a.Block(ctx, support); err != nil {
			return nil, err
		}
	case *rowsAscender:
		if at.c.n < len(support) {
			return func() (*embedding, error) { return at.embedByGram(ctx, support, m) }, nil
		}
		at.move(support)
		block = symmetric(at.block)
	default:
		e, err := at.embed(ctx, support, m, nil)
		return func() (*embedding, error) { return e, err }, err
	}
	return func() (*embedding, error) {
		p, err := leadingBlock(ctx, block, m, nil)
		if err != nil {
			return nil, err
		}
		return newEmbedding(support, p, block), nil
	}, nil
}
