package parquet

import (
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// convert makes a vector of t of an array. What it returns points to nothing of the array.
func convert(a *vector.Arena, from arrow.Array, t types.Type) (*vector.Vector, error) {
	n := from.Len()
	v := a.Flat(vector.KindOf(t), n)
	if from.NullN() > 0 {
		v.Valid = a.AllValid(n)
		for i := range n {
			if from.IsNull(i) {
				v.Valid.Clear(i)
			}
		}
	}
	err := fill(a, v, from, t)
	for i := range n {
		if v.Valid != nil && !v.Valid.Get(i) {
			v.Zero(i)
		}
	}
	return v, err
}

// fill sets the values of v; those that are NULL may be anything.
func fill(a *vector.Arena, v *vector.Vector, from arrow.Array, t types.Type) error {
	switch from := from.(type) {
	case *array.Boolean:
		if t.Kind == types.Boolean {
			for i := range v.Bools {
				v.Bools[i] = 0
				if from.Value(i) {
					v.Bools[i] = 1
				}
			}
			return nil
		}
	case *array.Int8:
		return integers(v, from, from.Int8Values(), t)
	case *array.Int16:
		return integers(v, from, from.Int16Values(), t)
	case *array.Int32:
		return integers(v, from, from.Int32Values(), t)
	case *array.Int64:
		return integers(v, from, from.Int64Values(), t)
	case *array.Uint8:
		return integers(v, from, from.Uint8Values(), t)
	case *array.Uint16:
		return integers(v, from, from.Uint16Values(), t)
	case *array.Uint32:
		return integers(v, from, from.Uint32Values(), t)
	case *array.Float32:
		if t.Kind == types.Float || t.Kind == types.Double {
			for i, f := range from.Float32Values() {
				v.Floats[i] = float64(f)
			}
			return nil
		}
	case *array.Float64:
		if t.Kind == types.Double {
			copy(v.Floats, from.Float64Values())
			return nil
		}
	case *array.String:
		if n := from.Len(); n > 0 && (t.IsText() || t.IsBytes()) {
			first := from.ValueOffset(0)
			return contiguous(a, v, t, from.ValueBytes(), func(i int) int { return from.ValueOffset(i) - first })
		}
	case *array.Binary:
		if n := from.Len(); n > 0 && (t.IsText() || t.IsBytes()) {
			first := from.ValueOffset(0)
			return contiguous(a, v, t, from.ValueBytes(), func(i int) int { return from.ValueOffset(i) - first })
		}
	case *array.FixedSizeBinary:
		if t.IsBytes() {
			width := from.DataType().(*arrow.FixedSizeBinaryType).ByteWidth
			v.Buf = a.Bytes(width * from.Len())
			for i := range v.Views {
				if from.IsValid(i) {
					copy(v.Buf[i*width:], from.Value(i))
				}
				v.Views[i] = vector.View{Off: uint32(i * width), Len: uint32(width)}
			}
			return nil
		}
	case *array.Decimal128:
		if t.Kind == types.Decimal {
			return wideDecimals(v, from, t)
		}
	case *array.Date32:
		if t.Kind == types.Date {
			for i, d := range from.Date32Values() {
				v.Ints[i] = int64(d)
			}
			return nil
		}
	case *array.Time32:
		if t.Kind == types.Time {
			for i, x := range from.Time32Values() {
				v.Ints[i] = int64(x)
			}
			return times(v, from, from.DataType().(*arrow.Time32Type).Unit, t)
		}
	case *array.Time64:
		if t.Kind == types.Time {
			for i, x := range from.Time64Values() {
				v.Ints[i] = int64(x)
			}
			return times(v, from, from.DataType().(*arrow.Time64Type).Unit, t)
		}
	case *array.Timestamp:
		if t.Kind == types.Timestamp || t.Kind == types.TimestampLTZ {
			unit := from.DataType().(*arrow.TimestampType).Unit
			for i, x := range from.TimestampValues() {
				v.Ints[i] = int64(x)
			}
			return times(v, from, unit, t)
		}
	case *array.Map: // which is a list, too
		if t.Kind == types.Map || t.Kind == types.Multiset {
			return maps(a, v, from, t)
		}
	case *array.List:
		if t.Kind == types.Array {
			return lists(a, v, from, t)
		}
	case *array.Struct:
		if t.Kind == types.Row {
			return structs(a, v, from, t)
		}
	}
	if from.Len() == 0 || from.NullN() == from.Len() {
		return nil // nothing tells that the types are not the same
	}
	return fmt.Errorf("%s in the file cannot be read as %s", from.DataType(), t.Nullable())
}

func integers[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](v *vector.Vector, from arrow.Array, values []T, t types.Type) error {
	if !t.IsInteger() {
		return fmt.Errorf("%s in the file cannot be read as %s", from.DataType(), t.Nullable())
	}
	least, greatest := t.Range()
	for i, x := range values {
		if n := int64(x); (n < least || n > greatest) && from.IsValid(i) {
			return outOfRange(n, t)
		}
		v.Ints[i] = int64(x)
	}
	return nil
}

// times makes instants, or times of day, of numbers.
func times(v *vector.Vector, from arrow.Array, unit arrow.TimeUnit, t types.Type) error {
	for i, x := range v.Ints {
		if from.IsNull(i) {
			continue
		}
		var ok bool
		if v.Ints[i], ok = micros(x, unit, t); !ok {
			return timeOutOfRange(x, unit, t)
		}
	}
	return nil
}

// contiguous copies strings or bytes, which stand one after the other in all; at is where one begins.
func contiguous(a *vector.Arena, v *vector.Vector, t types.Type, all []byte, at func(i int) int) error {
	v.Buf = a.Bytes(len(all))
	copy(v.Buf, all)
	for i := range v.Views {
		lo, hi := at(i), len(all)
		if i+1 < len(v.Views) {
			hi = at(i + 1)
		}
		v.Views[i] = vector.View{Off: uint32(lo), Len: uint32(hi - lo)}
	}
	if t.IsBytes() {
		return nil
	}
	return checkText(v.Buf, 0, v.Views)
}

func wideDecimals(v *vector.Vector, from *array.Decimal128, t types.Type) error {
	scale := int(from.DataType().(*arrow.Decimal128Type).Scale)
	for i := range from.Len() {
		if from.IsNull(i) {
			continue
		}
		x, err := decimal(digits(from.Value(i)), scale, t)
		if err != nil {
			return err
		}
		set(v, i, x)
	}
	return nil
}

func digits(d decimal128.Num) int128.Int { return int128.Int{Hi: d.HighBits(), Lo: d.LowBits()} }

func lists(a *vector.Arena, v *vector.Vector, from *array.List, t types.Type) error {
	elems, err := convert(a, from.ListValues(), t.Elem())
	if err != nil {
		return err
	}
	pack(v, from, func(dst []byte, i int) []byte {
		lo, hi := from.ValueOffsets(i)
		return nested.AppendArray(dst, elems.Kind, elems, int(lo), int(hi))
	})
	return nil
}

func maps(a *vector.Arena, v *vector.Vector, from *array.Map, t types.Type) error {
	key, value := entryTypes(t)
	keys, err := convert(a, from.Keys(), key)
	if err != nil {
		return err
	}
	values, err := convert(a, from.Items(), value)
	if err != nil {
		return err
	}
	pack(v, from, func(dst []byte, i int) []byte {
		lo, hi := from.ValueOffsets(i)
		return nested.AppendMap(dst, keys.Kind, keys, values.Kind, values, int(lo), int(hi))
	})
	return nil
}

func structs(a *vector.Arena, v *vector.Vector, from *array.Struct, t types.Type) error {
	cols := make([]*vector.Vector, len(t.Fields()))
	have := from.DataType().(*arrow.StructType).Fields()
	for k, f := range t.Fields() {
		at := slices.IndexFunc(have, func(h arrow.Field) bool { return h.Name == f.Name })
		if at < 0 {
			cols[k] = a.Flat(vector.KindOf(f.Type), from.Len())
			cols[k].Valid = a.AllNull(from.Len())
			continue
		}
		var err error
		if cols[k], err = convert(a, from.Field(at), f.Type); err != nil {
			return fmt.Errorf("field '%s': %w", f.Name, err)
		}
	}
	pack(v, from, func(dst []byte, i int) []byte { return nested.AppendRow(dst, cols, i) })
	return nil
}

// pack sets the values of a nested type, each of which value appends.
func pack(v *vector.Vector, from arrow.Array, value func(dst []byte, i int) []byte) {
	var buf []byte
	for i := range from.Len() {
		v.Views[i] = vector.View{}
		if from.IsNull(i) {
			continue
		}
		at := len(buf)
		buf = value(buf, i)
		vector.CheckBytes(len(buf))
		v.Views[i] = vector.View{Off: uint32(at), Len: uint32(len(buf) - at)}
	}
	v.Buf = buf
}
