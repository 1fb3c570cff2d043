package bind

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// apply calls a function by its name in the registry.
func (b *Binder) apply(name string, at source.Span, s *scope, args ...sql.Expr) (expr.Expr, error) {
	return b.applyTo(function.MustScalar(name), at, s, args)
}

// applyTo calls a function with arguments that are still text, so that advice can quote them.
func (b *Binder) applyTo(f *function.Scalar, at source.Span, s *scope, args []sql.Expr) (expr.Expr, error) {
	bound, err := b.exprs(args, s)
	if err != nil {
		return nil, err
	}
	e, err := expr.NewCall(f, bound)
	var signature *function.SignatureError
	if errors.As(err, &signature) && signature.Remedy != nil {
		signature.Hint = signature.Remedy.Of(b.quoted(args[signature.Remedy.Arg]))
	}
	return e, b.place(err, at)
}

// maxQuoted is how much of a statement a hint repeats.
const maxQuoted = 40

// quoted is the text of an expression for a hint, or an ellipsis if it is long.
func (b *Binder) quoted(e sql.Expr) string {
	text := b.text.Slice(e.Span())
	if len(text) > maxQuoted || strings.ContainsAny(text, "\r\n\t") {
		return "…"
	}
	return text
}

func (b *Binder) newCall(name string, at source.Span, args ...expr.Expr) (expr.Expr, error) {
	e, err := expr.NewCall(function.MustScalar(name), args)
	return e, b.place(err, at)
}

// currentDatabase is a function of the session and not of rows: a query keeps the database that was current when it was bound.
const currentDatabase = "CURRENT_DATABASE"

func (b *Binder) call(e *sql.Call, s *scope) (expr.Expr, error) {
	name := e.Function.Last().Name
	if e.Bare {
		// FLIP-296 has an example with a column current_time: a column of that name wins.
		if i, err := b.find(e.Function, s); err == nil && s.group == nil {
			return s.column(i), nil
		}
	}
	upper := upperASCII(name)
	if upper == procTime {
		return nil, b.noProcTime(e, s.where)
	}
	if e.Over != nil {
		return b.overResult(e, s)
	}
	if _, ok := function.LookupAggregate(upper); ok {
		hint := "aggregate in SELECT or HAVING of a query in FROM, and use its result outside it"
		if s.where == "WHERE" {
			hint = "WHERE looks at single rows; write HAVING behind GROUP BY, or compare the result of a query in FROM"
		}
		return nil, b.errorf(source.CodeGrouping, e.Span(), hint, "aggregate %s cannot stand in %s", upper, s.where)
	}
	if _, ok := function.LookupOver(upper); ok {
		return nil, b.errorf(source.CodeWindow, e.Span(), "write "+upper+"(…) OVER (PARTITION BY … ORDER BY …)", "%s stands before OVER alone", upper)
	}
	if upper == currentWatermark {
		return b.watermarkColumn(e, s)
	}
	if upper == currentDatabase {
		if len(e.Args) > 0 {
			return nil, b.errorf(source.CodeType, e.Span(), "call it as CURRENT_DATABASE()", "%s takes no arguments", currentDatabase)
		}
		return expr.LiteralString(b.session.Current().Database), nil
	}
	if err := b.strayWindow(e, s); err != nil {
		return nil, err
	}
	f, ok := function.LookupScalar(upper)
	if !ok || f.Notation != function.Prefix && f.Notation != function.Bracketed {
		return nil, b.noFunction(e)
	}
	if e.Star || e.Distinct || e.Filter != nil || e.OrderBy != nil {
		return nil, b.errorf(source.CodeType, e.Span(), "DISTINCT, FILTER, ORDER BY and * are for aggregates", "%s is not an aggregate", upper)
	}
	if bound, ok, err := b.jsonCall(f, e, s); ok {
		return bound, err
	}
	return b.applyTo(f, e.Span(), s, e.Args)
}

// foreignFunctions are functions of other systems and what to write for them here.
var foreignFunctions = map[string]string{
	"NVL": "COALESCE(a, b)", "IFF": "IF(condition, a, b)", "LEN": "CHAR_LENGTH(string)", "STRLEN": "CHAR_LENGTH(string)", "CHARINDEX": "LOCATE(part, string)",
	"STRING_AGG": "LISTAGG(string, ',')", "GROUP_CONCAT": "LISTAGG(string, ',')", "DATE_TRUNC": "FLOOR(ts TO DAY)", "DATEDIFF": "TIMESTAMPDIFF(DAY, a, b)",
	"DATE_DIFF": "TIMESTAMPDIFF(DAY, a, b)", "DATEADD": "ts + INTERVAL '1' DAY", "DATE_ADD": "ts + INTERVAL '1' DAY", "DATE_SUB": "ts - INTERVAL '1' DAY",
	"DATE_PART": "EXTRACT(DAY FROM ts)", "TO_CHAR": "DATE_FORMAT(ts, 'yyyy-MM-dd')", "GETDATE": "CURRENT_TIMESTAMP", "SYSDATE": "CURRENT_TIMESTAMP",
	"ANY_VALUE": "FIRST_VALUE(a)", "COUNT_IF": "COUNT(*) FILTER (WHERE condition)", "COUNTIF": "COUNT(*) FILTER (WHERE condition)",
}

// noFunction refuses a function that is not there.
func (b *Binder) noFunction(e *sql.Call) error {
	const list = "SHOW FUNCTIONS lists those there are"
	name := e.Function.Last().Name
	if upperASCII(name) == sourceFunction {
		return b.errorf(source.CodeUnsupported, e.Span(), "write it alone after AS, WATERMARK FOR ts AS SOURCE_WATERMARK(); what the watermark is now says CURRENT_WATERMARK(ts)", "SOURCE_WATERMARK() is a watermark and not a value")
	}
	if instead, ok := function.LookupNotYet(name); ok {
		return b.errorf(source.CodeUnsupported, e.Function.Span(), cmp.Or(instead, list), "%s is not there yet", upperASCII(name))
	}
	if ours, ok := foreignFunctions[upperASCII(name)]; ok {
		return b.errorf(source.CodeUnknownFunc, e.Function.Span(), "write "+ours, "unknown function '%s'", name)
	}
	names := slices.Concat(function.CallNames(), function.AggregateNames())
	return b.errorf(source.CodeUnknownFunc, e.Function.Span(), didYouMean(name, names, list), "unknown function '%s'", name)
}

func upperASCII(s string) string {
	u := []byte(s)
	for i, c := range u {
		if 'a' <= c && c <= 'z' {
			u[i] = c - 'a' + 'A'
		}
	}
	return string(u)
}
