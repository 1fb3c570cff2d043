package expr

import (
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Expr is a node of a typed expression.
//
// Eval computes the node over rows of b. The result is positional: its index is the row number in b, flat vectors hold b.N values, and only the rows asked
// for mean anything. It may be a column of b itself, so it must not be written to. An error of a row is a *RowError; other rows may have
// been computed or not.
type Expr interface {
	Type() types.Type
	Eval(c *Context, b *vector.Batch, rows vector.Rows) (*vector.Vector, error)
	// String writes the expression as SQL, with parentheses around every operator.
	String() string
	// Children are the operands in order; the slice must not be changed.
	Children() []Expr

	// withChildren makes a copy with other operands of the same types.
	withChildren(children []Expr) Expr
	// same compares the node itself, operands aside, with another of the same Go type.
	same(other Expr) bool
}

// Context is what an evaluation needs beside the batch.
type Context struct {
	Arena *vector.Arena
	Env   *function.Env
}

// RowError is an error of one row of a batch; its class is fault.Data.
type RowError = function.RowError
