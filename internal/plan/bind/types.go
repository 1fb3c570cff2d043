package bind

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// plainTypes take no arguments.
var plainTypes = map[string]types.Type{
	"BOOLEAN": types.BooleanType, "TINYINT": types.TinyIntType, "SMALLINT": types.SmallIntType, "INT": types.IntType, "BIGINT": types.BigIntType,
	"FLOAT": types.FloatType, "DOUBLE": types.DoubleType, "STRING": types.StringType, "BYTES": types.BytesType, "DATE": types.DateType,
}

// sizedTypes take a length. Flink 2.3: CHAR and BINARY alone have length 1, and VARCHAR and VARBINARY are STRING and BYTES.
var sizedTypes = map[string]types.Kind{
	"CHAR": types.Char, "VARCHAR": types.String, "BINARY": types.Binary, "VARBINARY": types.VarBinary,
}

// typeNames are what there is, for advice.
var typeNames = []string{"BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "DECIMAL", "FLOAT", "DOUBLE", "CHAR", "VARCHAR", "STRING", "BINARY", "VARBINARY",
	"BYTES", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ", "INTERVAL", "ARRAY", "MAP", "MULTISET", "ROW"}

// maxFraction is how many digits of a second there are: inside, time counts in microseconds.
const maxFraction = 6

// typeOf resolves a type as written.
func (b *Binder) typeOf(n *sql.TypeName) (types.Type, error) {
	t, err := b.baseType(n)
	t.NotNull = n.NotNull
	return t, err
}

func (b *Binder) baseType(n *sql.TypeName) (types.Type, error) {
	if t, ok := plainTypes[n.Name]; ok {
		return t, b.noArgs(n)
	}
	if kind, ok := sizedTypes[n.Name]; ok {
		return b.sizedType(n, kind)
	}
	switch n.Name {
	case "DECIMAL":
		return b.decimalType(n)
	case "TIME":
		return b.timeType(n, types.Time, 0)
	case "TIMESTAMP":
		return b.timeType(n, types.Timestamp, maxFraction)
	case "TIMESTAMP_LTZ":
		return b.timeType(n, types.TimestampLTZ, maxFraction)
	case "INTERVAL":
		if n.Interval != nil && n.Interval.IsYearMonth() {
			return types.IntervalMonthType, nil
		}
		return types.IntervalDayType, nil
	case "ARRAY", "MULTISET", "MAP", "ROW":
		return b.nestedType(n)
	}
	hint := "there are " + strings.Join(typeNames, ", ")
	if ours, ok := foreignTypes[n.Name]; ok {
		hint = "write " + ours
	} else if near := source.Nearest(n.Name, typeNames); near != "" {
		hint = "did you mean " + near + "?"
	}
	return types.Type{}, b.unsupported(n.Span(), hint, "type %s is", n.Name)
}

// foreignTypes are types of other systems and what they are called here.
var foreignTypes = map[string]string{
	"TEXT": "STRING", "NVARCHAR": "VARCHAR", "VARCHAR2": "VARCHAR", "BLOB": "BYTES", "BYTEA": "BYTES", "CLOB": "STRING", "UUID": "STRING",
	"DATETIME": "TIMESTAMP", "TIMESTAMPTZ": "TIMESTAMP_LTZ", "BOOL": "BOOLEAN", "INT2": "SMALLINT", "INT4": "INT", "INT8": "BIGINT", "INT64": "BIGINT", "LONG": "BIGINT",
	"FLOAT4": "FLOAT", "FLOAT8": "DOUBLE", "FLOAT64": "DOUBLE", "NUMBER": "DECIMAL", "MONEY": "DECIMAL", "STRUCT": "ROW",
	"JSON": "STRING, and take parts of it with JSON_VALUE and JSON_QUERY", "JSONB": "STRING, and take parts of it with JSON_VALUE and JSON_QUERY",
}

func (b *Binder) noArgs(n *sql.TypeName) error {
	if len(n.Args) == 0 {
		return nil
	}
	return b.errorf(source.CodeType, n.Span(), "write "+n.Name, "type %s takes no length", n.Name)
}

// maxLength is the length that stands for no limit.
const maxLength = 1<<31 - 1

func (b *Binder) sizedType(n *sql.TypeName, kind types.Kind) (types.Type, error) {
	limited := kind == types.Char || kind == types.Binary
	length := maxLength
	switch {
	case len(n.Args) > 1:
		return types.Type{}, b.errorf(source.CodeType, n.Span(), "write "+n.Name+"(n)", "type %s takes one length", n.Name)
	case len(n.Args) == 1:
		length = n.Args[0]
	case limited:
		length = 1
	}
	t := types.Type{Kind: kind, Length: int32(length)}
	switch {
	case length < 1 || length > maxLength:
		return t, b.errorf(source.CodeType, n.Span(), fmt.Sprintf("the length is from 1 to %d", maxLength), "a length of %d is out of range", length)
	case length == maxLength && !limited:
		t.Length = 0
	}
	return t, nil
}

func (b *Binder) decimalType(n *sql.TypeName) (types.Type, error) {
	precision, scale := 10, 0
	switch {
	case len(n.Args) > 2:
		return types.Type{}, b.errorf(source.CodeType, n.Span(), "write DECIMAL(precision, scale)", "type DECIMAL takes a precision and a scale")
	case len(n.Args) == 2:
		scale = n.Args[1]
		fallthrough
	case len(n.Args) == 1:
		precision = n.Args[0]
	}
	if precision < 1 || precision > types.MaxDigits || scale > precision {
		return types.Type{}, b.errorf(source.CodeType, n.Span(), fmt.Sprintf("the precision is from 1 to %d, and the scale from 0 to the precision", types.MaxDigits),
			"DECIMAL(%d, %d) is out of range", precision, scale)
	}
	return types.DecimalOf(precision, scale), nil
}

func (b *Binder) timeType(n *sql.TypeName, kind types.Kind, precision int) (types.Type, error) {
	if len(n.Args) > 0 {
		precision = n.Args[0]
	}
	if precision > maxFraction {
		return types.Type{}, b.unsupported(n.Span(), fmt.Sprintf("write %s(%d); time counts in microseconds", n.Name, maxFraction), "%s(%d) is", n.Name, precision)
	}
	return types.Type{Kind: kind, Precision: int8(precision)}, nil
}

func (b *Binder) nestedType(n *sql.TypeName) (types.Type, error) {
	if n.Name == "ROW" {
		var fields types.Schema
		named := make(map[string]bool, len(n.Fields))
		for _, f := range n.Fields {
			t, err := b.typeOf(f.Type)
			if err != nil {
				return t, err
			}
			if named[f.Name.Name] {
				return t, b.errorf(source.CodeDuplicate, f.Name.Span(), "give it another name", "the ROW has two fields '%s'", f.Name.Name)
			}
			named[f.Name.Name] = true
			fields = append(fields, types.Field{Name: f.Name.Name, Type: t})
		}
		return types.RowOf(fields), nil
	}
	elem, err := b.typeOf(n.Elem)
	if err != nil {
		return elem, err
	}
	switch n.Name {
	case "ARRAY":
		return types.ArrayOf(elem), nil
	case "MULTISET":
		return types.MultisetOf(elem), nil
	}
	key, err := b.typeOf(n.Key)
	return types.MapOf(key, elem), err
}
