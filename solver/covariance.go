package solver

import (
	"context"
	"fmt"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"gonum.org/v1/gonum/mat"
)

// MaxEntriesOrder is the largest order d for which Entries forms the d×d
// matrix from an implicit operator (8·d² bytes: 200 MB at 5000).
const MaxEntriesOrder = 5000

// Covariance is a symmetric positive semidefinite matrix A of order d, as an
// operator: products, a diagonal, principal blocks and leading eigenpairs. An
// implementation is immutable and safe for concurrent use.
//
// A method with a context may fail. A shape or an index that does not fit is an error. An operator
// that reads a file or asks other machines returns their error, or the context's once that has ended.
// The operators of this package that hold their data in memory finish a product or a block even then.
// They check the context before they form A and while they iterate.
type Covariance interface {
	// Order returns d.
	Order() int

	// Diag returns the diagonal of A, of length d. It is shared: read only.
	Diag() []float64

	// Mul stores A·W in dst; dst and W are d×c and do not overlap.
	Mul(ctx context.Context, dst, w *mat.Dense) error

	// MulRows stores A·W in dst (d×c), where the rows of W are zero except
	// those in support (ascending), which are the rows of v (len(support)×c).
	MulRows(ctx context.Context, dst *mat.Dense, support []int, v *mat.Dense) error

	// Block returns the principal block A_SS for the indices S in support.
	// The caller owns it.
	Block(ctx context.Context, support []int) (*mat.SymDense, error)

	// Leading returns the r leading eigenvalues of A, descending, and the
	// eigenvectors as the orthonormal columns of a d×r matrix, 1 ≤ r ≤ d.
	// The error is that of the context or a failure to converge.
	Leading(ctx context.Context, r int) (values []float64, vectors *mat.Dense, err error)

	// Entries returns A itself, shared and read only. Above MaxEntriesOrder
	// an operator that does not hold its entries returns ErrTooLarge.
	Entries(ctx context.Context) (*mat.SymDense, error)
}

// ErrTooLarge is returned (wrapped) by Entries for an implicit operator of
// an order above MaxEntriesOrder.
var ErrTooLarge = fmt.Errorf("the entries of an implicit covariance are formed up to order %d only", MaxEntriesOrder)

// EntryError reports an entry that makes a matrix unusable.
type EntryError = param.EntryError

// trace returns Tr(A), the total variance.
func trace(a Covariance) float64 {
	return lists.Sum(a.Diag())
}
