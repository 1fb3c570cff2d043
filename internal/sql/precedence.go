package sql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// Binding strengths, weakest first. They are Flink's (Calcite's): || binds like *, IS
// less than a comparison, NOT between AND and IS.
const (
	bindOr = iota + 1
	bindAnd
	bindNot
	bindIs
	bindCompare
	bindBetween // BETWEEN, IN, LIKE, SIMILAR TO
	bindAdd
	bindMultiply
	bindSign
	bindPostfix // a.b, a[1], calls and everything that needs no parentheses
)

// strength returns how strongly an infix operator binds.
func (op BinaryOp) strength() int {
	switch op {
	case OpOr:
		return bindOr
	case OpAnd:
		return bindAnd
	case OpAdd, OpSubtract:
		return bindAdd
	case OpMultiply, OpDivide, OpModulo, OpConcat:
		return bindMultiply
	}
	return bindCompare
}

// infixOp returns the operator that a token is; IS DISTINCT FROM is not one token.
func infixOp(t tokens.Token) (BinaryOp, bool) {
	switch t.Kind {
	case tokens.Word:
		if t.Upper == "OR" || t.Upper == "AND" || t.Upper == "OVERLAPS" {
			return BinaryOp(t.Upper), true
		}
	case tokens.Symbol:
		switch t.Value {
		case "=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "||":
			return BinaryOp(t.Value), true
		case "!=":
			return OpNotEqual, true
		}
	}
	return "", false
}

// strength returns how strongly an expression holds together: an operand that
// binds less than its operator needs parentheses.
func strength(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		return e.Op.strength()
	case *Is:
		return bindIs
	case *Between, *In, *Like:
		return bindBetween
	case *Unary:
		if e.Op == OpNot {
			return bindNot
		}
		return bindSign
	}
	return bindPostfix
}
