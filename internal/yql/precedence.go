package yql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// Binding strengths, weakest first. They are YDB's: NOT binds like a sign, XOR more than AND, ?? less than the bit operators and to the right.
const (
	bindOr = iota + 1
	bindAnd
	bindXor
	bindEqual // = != IS IN LIKE BETWEEN
	bindLess  // < <= > >=
	bindCoalesce
	bindBits // & | ^ << >> |<< >>|
	bindAdd
	bindMultiply
	bindConcat
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
	case OpXor:
		return bindXor
	case OpLess, OpLessEqual, OpGreater, OpGreaterEqual:
		return bindLess
	case OpCoalesce:
		return bindCoalesce
	case OpBitAnd, OpBitOr, OpBitXor, OpShiftLeft, OpShiftRight, OpRotateLeft, OpRotateRight:
		return bindBits
	case OpAdd, OpSubtract:
		return bindAdd
	case OpMultiply, OpDivide, OpModulo:
		return bindMultiply
	case OpConcat:
		return bindConcat
	}
	return bindEqual
}

// infixOp returns the operator that stands here and how many tokens it is; IS DISTINCT FROM is read elsewhere.
func (p *parser) infixOp() (BinaryOp, int) {
	t := p.Token()
	switch t.Kind {
	case tokens.Word:
		if t.Upper == "OR" || t.Upper == "AND" || t.Upper == "XOR" {
			return BinaryOp(t.Upper), 1
		}
	case tokens.Symbol:
		switch t.Value {
		case ">":
			if next := p.Ahead(1); next.IsSymbol(">") && next.Span.Start == t.Span.End {
				return OpShiftRight, 2
			}
			return OpGreater, 1
		case "=", "!=", "<", "<=", ">=", "??", "&", "|", "^", "<<", "|<<", ">>|", "+", "-", "*", "/", "%", "||":
			return BinaryOp(t.Value), 1
		case "==":
			return OpEqual, 1
		case "<>":
			return OpNotEqual, 1
		}
	}
	return "", 0
}

// strength returns how strongly an expression holds together: an operand that binds less than its operator needs parentheses.
func strength(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		return e.Op.strength()
	case *IsNull, *Between, *In, *Match:
		return bindEqual
	case *Unary:
		return bindSign
	}
	return bindPostfix
}
