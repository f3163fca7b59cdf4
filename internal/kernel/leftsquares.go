package kernel

// LeftSquares sets squares (length d) to the squared lengths of the rows of Xcᵀ·T for x (n×d)
// and t (n×c), Xc = X − 1·meanᵀ; nil means 0. The product is stored nowhere. 2ndc flop, one
// reading of X, on Workers goroutines.
func LeftSquares(squares []float64, x Matrix, mean []float64, t Matrix) {
	x.check("X")
	t.mustBe("T", x.Rows, t.Cols)
	mustLen("squares", squares, x.Cols)
	if mean != nil {
		mustLen("mean", mean, x.Cols)
	}
	blocks := max(1, x.Cols/columnBlock)
	parallelIf(x.Rows*x.Cols*t.Cols, blocks, func(_, b int) {
		j0, j1 := b*columnBlock, (b+1)*columnBlock
		if b == blocks-1 {
			j1 = x.Cols
		}
		leftSquares(squares[j0:j1], x.Slice(0, x.Rows, j0, j1), cut(mean, j0, j1), t)
	})
}

// plainLeftSquares is LeftSquares in Go.
func plainLeftSquares(squares []float64, x Matrix, mean []float64, t Matrix) {
	clear(squares)
	products := make([]float64, t.Cols)
	for j := range squares {
		center := 0.0
		if mean != nil {
			center = mean[j]
		}
		clear(products)
		for i := range x.Rows {
			axpy(x.Row(i)[j]-center, t.Row(i), products)
		}
		for _, v := range products {
			squares[j] = fma(v, v, squares[j])
		}
	}
}
