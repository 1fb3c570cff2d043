package parquet

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// arrowSchema is how a table is written.
func arrowSchema(schema types.Schema) (*arrow.Schema, error) {
	fields, err := arrowFields(schema)
	if err != nil {
		return nil, err
	}
	return arrow.NewSchema(fields, nil), nil
}

func arrowFields(schema types.Schema) ([]arrow.Field, error) {
	var fields []arrow.Field
	for _, f := range schema {
		a, err := arrowType(f.Type)
		if err != nil {
			return nil, &connector.OptionError{Message: fmt.Sprintf("column '%s': %s", f.Name, err), Hint: "declare the column with another type"}
		}
		fields = append(fields, arrow.Field{Name: f.Name, Type: a, Nullable: !f.Type.NotNull})
	}
	return fields, nil
}

// arrowType is what stands for t, such that Parquet has the type in the file that Flink writes.
func arrowType(t types.Type) (arrow.DataType, error) {
	switch t.Kind {
	case types.Boolean:
		return arrow.FixedWidthTypes.Boolean, nil
	case types.TinyInt:
		return arrow.PrimitiveTypes.Int8, nil
	case types.SmallInt:
		return arrow.PrimitiveTypes.Int16, nil
	case types.Int:
		return arrow.PrimitiveTypes.Int32, nil
	case types.BigInt:
		return arrow.PrimitiveTypes.Int64, nil
	case types.Float:
		return arrow.PrimitiveTypes.Float32, nil
	case types.Double:
		return arrow.PrimitiveTypes.Float64, nil
	case types.Char, types.String:
		return arrow.BinaryTypes.String, nil
	case types.Binary, types.VarBinary:
		return arrow.BinaryTypes.Binary, nil
	case types.Decimal:
		return &arrow.Decimal128Type{Precision: int32(t.Precision), Scale: int32(t.Scale)}, nil
	case types.Date:
		return arrow.FixedWidthTypes.Date32, nil
	case types.Time:
		if t.Precision <= 3 {
			return arrow.FixedWidthTypes.Time32ms, nil
		}
		return arrow.FixedWidthTypes.Time64us, nil
	case types.Timestamp, types.TimestampLTZ:
		a := &arrow.TimestampType{Unit: arrow.Microsecond}
		if t.Precision <= 3 {
			a.Unit = arrow.Millisecond
		}
		if t.Kind == types.TimestampLTZ {
			a.TimeZone = "UTC"
		}
		return a, nil
	case types.Array:
		elem, err := arrowType(t.Elem())
		if err != nil {
			return nil, err
		}
		return arrow.ListOfField(arrow.Field{Name: "element", Type: elem, Nullable: !t.Elem().NotNull}), nil
	case types.Map, types.Multiset:
		key, value := entryTypes(t)
		k, err := arrowType(key)
		if err != nil {
			return nil, err
		}
		v, err := arrowType(value)
		if err != nil {
			return nil, err
		}
		m := arrow.MapOf(k, v)
		m.SetItemNullable(!value.NotNull)
		return m, nil
	case types.Row:
		fields, err := arrowFields(t.Fields())
		return arrow.StructOf(fields...), err
	}
	return nil, fmt.Errorf("format 'parquet' has no %s", t.Nullable())
}

// entryTypes are the types of the keys and values of a MAP or MULTISET.
func entryTypes(t types.Type) (key, value types.Type) {
	if t.Kind == types.Map {
		return t.Key(), t.Elem()
	}
	return t.Elem(), types.IntType
}
