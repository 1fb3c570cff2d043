package bind

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/types"
)

var typeNames = map[string]types.Type{
	"BOOLEAN": types.BooleanType,
	"INT":     types.IntType,
	"BIGINT":  types.BigIntType,
	"DOUBLE":  types.DoubleType,
	"STRING":  types.StringType,
}

// insteadOf says what to write in place of a type that is not there.
var insteadOf = map[string]string{
	"TINYINT": "use INT", "SMALLINT": "use INT", "FLOAT": "use DOUBLE", "DECIMAL": "use DOUBLE, or BIGINT of the smallest unit",
	"CHAR": "use STRING", "VARCHAR": "use STRING", "BINARY": "use STRING", "VARBINARY": "use STRING", "BYTES": "use STRING",
	"DATE": "use TIMESTAMP(3)", "TIME": "use BIGINT milliseconds",
}

// typeOf resolves a type as written.
func (b *Binder) typeOf(n *sql.TypeName) (types.Type, error) {
	t, ok := typeNames[n.Name]
	switch n.Name {
	case "TIMESTAMP", "TIMESTAMP_LTZ":
		precision := 6
		if len(n.Args) > 0 {
			precision = n.Args[0]
		}
		if precision > 3 {
			what := fmt.Sprintf("%s(%d)", n.Name, precision)
			if len(n.Args) == 0 {
				what = n.Name + ", which is " + what + ","
			}
			return t, b.unsupported(n.Span(), "write "+n.Name+"(3); watermarks count in milliseconds", "%s is", what)
		}
		t, ok = types.Type{Kind: types.Timestamp, Precision: int8(precision)}, true
		if n.Name == "TIMESTAMP_LTZ" {
			t.Kind = types.TimestampLTZ
		}
	case "INTERVAL":
		t, ok = types.IntervalDayType, true
		if n.Interval != nil && n.Interval.IsYearMonth() {
			t = types.IntervalMonthType
		}
	case "VARCHAR", "CHAR":
		// Flink: STRING is VARCHAR(2147483647).
		if n.Name == "VARCHAR" && len(n.Args) == 1 && n.Args[0] == 1<<31-1 {
			t, ok = types.StringType, true
		}
	}
	if !ok {
		hint := insteadOf[n.Name]
		if hint == "" {
			hint = "the types are BOOLEAN, INT, BIGINT, DOUBLE, STRING, TIMESTAMP(3), TIMESTAMP_LTZ(3) and INTERVAL"
		}
		return t, b.unsupported(n.Span(), hint, "type %s is", n.Name)
	}
	t.NotNull = n.NotNull
	return t, nil
}
