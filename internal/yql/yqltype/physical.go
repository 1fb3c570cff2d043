package yqltype

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/types"
)

var physical = [...]types.Type{Null: types.NullType, Bool: types.BooleanType, Int8: types.TinyIntType, Int16: types.SmallIntType, Int32: types.IntType,
	Int64: types.BigIntType, Uint8: types.SmallIntType, Uint16: types.IntType, Uint32: types.BigIntType, Uint64: types.BigIntType, Float: types.FloatType,
	Double: types.DoubleType, String: types.StringType, Utf8: types.StringType, Json: types.StringType, Yson: types.StringType, Uuid: types.StringType,
	Date: types.DateType, Datetime: {Kind: types.TimestampLTZ}, Timestamp: {Kind: types.TimestampLTZ, Precision: 6}, Interval: types.IntervalDayType,
	Node: types.StringType, Moment: {Kind: types.TimestampLTZ, Precision: 6}}

// Physical is the type of the engine that holds values of t; NOT NULL unless t is Optional. The members of a Struct are the fields of a ROW in the order of
// their names, those of a Tuple are called as Flink calls fields without a name.
func (t Type) Physical() types.Type {
	p := t.physical()
	p.NotNull = !t.Optional && t.Kind != Null
	return p
}

func (t Type) physical() types.Type {
	switch t.Kind {
	case Decimal:
		return types.DecimalOf(int(t.Precision), int(t.Scale))
	case List:
		return types.ArrayOf(t.Elem().Physical())
	case EmptyList:
		return types.ArrayOf(types.NullType)
	case Dict:
		return types.MapOf(t.Key().Physical(), t.Value().Physical())
	case EmptyDict:
		return types.MapOf(types.NullType, types.NullType)
	case Struct, Tuple:
		fields := make(types.Schema, len(t.inside.types))
		for i, part := range t.inside.types {
			name := types.FieldName(i)
			if t.Kind == Struct {
				name = t.inside.names[i]
			}
			fields[i] = types.Field{Name: name, Type: part.Physical()}
		}
		return types.RowOf(fields)
	}
	return physical[t.Kind]
}

// OfPhysical is the type that a column of a table has in YQL: a STRING is Utf8 and BYTES are String. A TIMESTAMP is an instant as in UTC. exact says that Physical
// gives p again, but for NOT NULL inside; if not, values have to be converted. ok is false for what YQL has no type for: TIME, INTERVAL YEAR TO MONTH, MULTISET.
func OfPhysical(p types.Type) (t Type, exact, ok bool) {
	t, ok = ofPhysical(p)
	if !ok {
		return t, false, false
	}
	t.Optional = !p.NotNull
	return t, types.Same(t.Physical(), p), true
}

func ofPhysical(p types.Type) (Type, bool) {
	switch p.Kind {
	case types.Char, types.String:
		return Of(Utf8), true
	case types.Binary, types.VarBinary:
		return Of(String), true
	case types.Decimal:
		return DecimalOf(int(p.Precision), int(p.Scale)), true
	case types.Timestamp, types.TimestampLTZ:
		return Of(Timestamp), true
	case types.Array:
		elem, _, ok := OfPhysical(p.Elem())
		return ListOf(elem), ok
	case types.Map:
		key, _, ok := OfPhysical(p.Key())
		value, _, ok2 := OfPhysical(p.Elem())
		return DictOf(key, value), ok && ok2
	case types.Row:
		return ofRow(p.Fields())
	}
	i := slices.IndexFunc(physical[:], func(q types.Type) bool { return q.Kind == p.Kind })
	if i < 0 || p.IsNested() {
		return Type{}, false
	}
	return Of(Kind(i)), true
}

// ofRow is a Tuple if no field has a name of its own, else a Struct.
func ofRow(fields types.Schema) (Type, bool) {
	members := make([]Member, len(fields))
	elems := make([]Type, len(fields))
	named := false
	for i, f := range fields {
		t, _, ok := OfPhysical(f.Type)
		if !ok {
			return Type{}, false
		}
		members[i], elems[i] = Member{f.Name, t}, t
		named = named || f.Name != types.FieldName(i)
	}
	if !named {
		return TupleOf(elems...), true
	}
	return StructOf(members), true
}

// Range is the least and the greatest value of a whole number. Those of a Uint64 are 0 and 2^63-1: there is no room for more.
func (t Type) Range() (least, greatest int64) {
	bits := t.Bits()
	switch {
	case t.IsUnsigned() && bits < 64:
		return 0, 1<<bits - 1
	case t.IsUnsigned():
		return 0, 1<<63 - 1
	}
	return -1 << (bits - 1), 1<<(bits-1) - 1
}
