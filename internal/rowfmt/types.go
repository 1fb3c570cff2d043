package rowfmt

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/types"
)

var typeNames = [types.Kinds]string{types.Null: "NULL", types.Boolean: "BOOLEAN", types.TinyInt: "TINYINT", types.SmallInt: "SMALLINT", types.Int: "INTEGER", types.BigInt: "BIGINT",
	types.Decimal: "DECIMAL", types.Float: "FLOAT", types.Double: "DOUBLE", types.Char: "CHAR", types.String: "VARCHAR", types.Binary: "BINARY", types.VarBinary: "VARBINARY",
	types.Date: "DATE", types.Time: "TIME_WITHOUT_TIME_ZONE", types.Timestamp: "TIMESTAMP_WITHOUT_TIME_ZONE", types.TimestampLTZ: "TIMESTAMP_WITH_LOCAL_TIME_ZONE",
	types.IntervalDay: "INTERVAL_DAY_TIME", types.IntervalMonth: "INTERVAL_YEAR_MONTH", types.Array: "ARRAY", types.Map: "MAP", types.Multiset: "MULTISET", types.Row: "ROW"}

// unlimited is the length of a STRING or BYTES: Flink's greatest.
const unlimited = 1<<31 - 1

// TypeOf is a type as it goes over the wire.
func TypeOf(t types.Type) api.Type {
	out := api.Type{Type: typeNames[t.Kind], Nullable: !t.NotNull}
	number := func(n int) *int { return &n }
	switch t.Kind {
	case types.Decimal:
		out.Precision, out.Scale = number(int(t.Precision)), number(int(t.Scale))
	case types.Char, types.String, types.Binary, types.VarBinary:
		if out.Length = number(int(t.Length)); t.Length == 0 {
			*out.Length = unlimited
		}
	case types.Time, types.Timestamp, types.TimestampLTZ:
		out.Precision = number(int(t.Precision))
	case types.IntervalDay:
		out.Precision, out.FractionalPrecision, out.Resolution = number(6), number(6), "DAY_TO_SECOND"
	case types.IntervalMonth:
		out.Precision, out.Resolution = number(4), "YEAR_TO_MONTH"
	case types.Array, types.Multiset:
		elem := TypeOf(t.Elem())
		out.ElementType = &elem
	case types.Map:
		key, value := TypeOf(t.Key()), TypeOf(t.Elem())
		out.KeyType, out.ValueType = &key, &value
	case types.Row:
		for _, f := range t.Fields() {
			out.Fields = append(out.Fields, api.Field{Name: f.Name, FieldType: TypeOf(f.Type)})
		}
	}
	return out
}

// ReadSchema reads the columns of results.
func ReadSchema(s *api.Schema) (types.Schema, error) {
	schema := types.Schema{}
	for _, c := range s.Columns {
		t, err := ReadType(&c.Type)
		if err != nil {
			return nil, err
		}
		schema = append(schema, types.Field{Name: c.Name, Type: t})
	}
	return schema, nil
}

// ReadType reads a type that TypeOf has written. The error is of class External: it comes from elsewhere.
func ReadType(a *api.Type) (types.Type, error) {
	t, ok := read(a)
	if !ok {
		return t, fault.Errorf(fault.External, "the server tells of a type '%s' that is not known", a.Type)
	}
	t.NotNull = !a.Nullable
	return t, nil
}

func read(a *api.Type) (t types.Type, ok bool) {
	kind := slices.Index(typeNames[:], a.Type)
	if kind < 0 || a.Type == "" {
		return t, false
	}
	t = types.Type{Kind: types.Kind(kind)}
	switch t.Kind {
	case types.Decimal:
		p, s := or(a.Precision, 10), or(a.Scale, 0)
		if p < 1 || p > types.MaxDigits || s < 0 || s > p {
			return t, false
		}
		return types.DecimalOf(p, s), true
	case types.Char, types.String, types.Binary, types.VarBinary:
		if n := or(a.Length, unlimited); n > 0 && n < unlimited {
			t.Length = int32(n)
		}
	case types.Time, types.Timestamp, types.TimestampLTZ:
		p := or(a.Precision, 3)
		if p < 0 || p > 9 {
			return t, false
		}
		t.Precision = int8(p)
	case types.Array, types.Multiset:
		elem, ok := inside(a.ElementType)
		if !ok {
			return t, false
		}
		if t.Kind == types.Array {
			return types.ArrayOf(elem), true
		}
		return types.MultisetOf(elem), true
	case types.Map:
		key, ok1 := inside(a.KeyType)
		value, ok2 := inside(a.ValueType)
		if !ok1 || !ok2 {
			return t, false
		}
		return types.MapOf(key, value), true
	case types.Row:
		var fields types.Schema
		for i := range a.Fields {
			f, ok := inside(&a.Fields[i].FieldType)
			if !ok {
				return t, false
			}
			fields = append(fields, types.Field{Name: a.Fields[i].Name, Type: f})
		}
		return types.RowOf(fields), len(fields) > 0
	}
	return t, true
}

func inside(a *api.Type) (types.Type, bool) {
	if a == nil {
		return types.Type{}, false
	}
	t, ok := read(a)
	t.NotNull = !a.Nullable
	return t, ok
}

func or(n *int, usual int) int {
	if n == nil {
		return usual
	}
	return *n
}
