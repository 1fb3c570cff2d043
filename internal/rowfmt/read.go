package rowfmt

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Reader makes batches of rows that AppendRow has written.
type Reader struct {
	schema types.Schema
	pool   vector.Pool
}

// NewReader makes a reader of rows of a schema.
func NewReader(schema types.Schema) *Reader { return &Reader{schema: schema} }

// Batch reads rows. Whoever gets it releases it. The error is of class External: rows come from elsewhere.
func (r *Reader) Batch(rows []api.Row) (*vector.Batch, error) {
	arena := r.pool.Get()
	b := &vector.Batch{Cols: arena.Columns(len(r.schema)), N: len(rows), Arena: arena}
	columns := make([]*vector.Builder, len(r.schema))
	for c, f := range r.schema {
		columns[c] = vector.NewBuilder(arena, vector.KindOf(f.Type), len(rows))
	}
	for i, row := range rows {
		if row.Op < 0 || row.Op > int(vector.Delete) {
			return nil, fault.Errorf(fault.External, "a row of the server has the op %d", row.Op)
		}
		if row.Op != 0 && b.Ops == nil {
			b.Ops = make([]vector.Op, len(rows))
		}
		if b.Ops != nil {
			b.Ops[i] = vector.Op(row.Op)
		}
		if !each(arena, columns, r.schema, row.Row) {
			return nil, fault.Errorf(fault.External, "a row of the server cannot be read: %.200s", row.Row)
		}
	}
	for c := range columns {
		b.Cols[c] = columns[c].Done()
	}
	return b, nil
}

// each reads an array with a cell for each of the fields.
func each(a *vector.Arena, into []*vector.Builder, fields types.Schema, text []byte) bool {
	cells, ok := list(text)
	if !ok || len(cells) != len(fields) {
		return false
	}
	for i, f := range fields {
		if !cell(a, into[i], f.Type, cells[i]) {
			return false
		}
	}
	return true
}

func list(text []byte) (cells []json.RawMessage, ok bool) {
	return cells, json.Unmarshal(text, &cells) == nil && cells != nil
}

// cell reads a value of a type into a column.
func cell(a *vector.Arena, into *vector.Builder, t types.Type, text json.RawMessage) bool {
	if bytes.Equal(text, []byte("null")) {
		into.AppendNull()
		return true
	}
	var value []byte
	var ok bool
	switch t.Kind {
	case types.Array:
		value, ok = array(a, t.Elem(), text)
	case types.Map:
		value, ok = pairs(a, t.Key(), t.Elem(), text)
	case types.Multiset:
		value, ok = pairs(a, t.Elem(), types.IntType, text)
	case types.Row:
		value, ok = row(a, t.Fields(), text)
	default:
		var s string
		return json.Unmarshal(text, &s) == nil && scalar(into, t, s)
	}
	if ok {
		into.AppendBytes(value)
	}
	return ok
}

func array(a *vector.Arena, elem types.Type, text []byte) ([]byte, bool) {
	cells, ok := list(text)
	if !ok {
		return nil, false
	}
	elems := vector.NewBuilder(a, vector.KindOf(elem), len(cells))
	for _, c := range cells {
		if !cell(a, elems, elem, c) {
			return nil, false
		}
	}
	return nested.AppendArray(nil, vector.KindOf(elem), elems.Done(), 0, len(cells)), true
}

func pairs(a *vector.Arena, key, value types.Type, text []byte) ([]byte, bool) {
	all, ok := list(text)
	if !ok {
		return nil, false
	}
	keys, values := vector.NewBuilder(a, vector.KindOf(key), len(all)), vector.NewBuilder(a, vector.KindOf(value), len(all))
	both := types.Schema{{Type: key}, {Type: value}}
	for _, pair := range all {
		if !each(a, []*vector.Builder{keys, values}, both, pair) {
			return nil, false
		}
	}
	return nested.AppendMap(nil, vector.KindOf(key), keys.Done(), vector.KindOf(value), values.Done(), 0, len(all)), true
}

func row(a *vector.Arena, fields types.Schema, text []byte) ([]byte, bool) {
	builders := make([]*vector.Builder, len(fields))
	for i, f := range fields {
		builders[i] = vector.NewBuilder(a, vector.KindOf(f.Type), 1)
	}
	if !each(a, builders, fields, text) {
		return nil, false
	}
	columns := make([]*vector.Vector, len(fields))
	for i, b := range builders {
		columns[i] = b.Done()
	}
	return nested.AppendRow(nil, columns, 0), true
}

// scalar reads what CAST to STRING has made of a value.
func scalar(into *vector.Builder, t types.Type, s string) bool {
	switch t.Kind {
	case types.Null:
		return false
	case types.Boolean:
		into.AppendBool(strings.EqualFold(s, "TRUE"))
		return strings.EqualFold(s, "TRUE") || strings.EqualFold(s, "FALSE")
	case types.Decimal:
		digits, reading := numfmt.ReadDecimal([]byte(s), int(t.Precision), int(t.Scale))
		into.AppendDigits(digits)
		return reading == numfmt.Read
	case types.Float, types.Double:
		size := 64
		if t.Kind == types.Float {
			size = 32
		}
		f, err := strconv.ParseFloat(s, size)
		into.AppendFloat(f)
		return err == nil
	case types.Char, types.String:
		into.AppendBytes([]byte(s))
		return true
	case types.Binary, types.VarBinary:
		digits, ok1 := strings.CutPrefix(s, "x'")
		digits, ok2 := strings.CutSuffix(digits, "'")
		b, err := hex.DecodeString(digits)
		into.AppendBytes(b)
		return ok1 && ok2 && err == nil
	}
	n, ok := whole(t, s)
	into.AppendInt(n)
	return ok
}

// whole reads what is an int64 in a column.
func whole(t types.Type, s string) (n int64, ok bool) {
	switch t.Kind {
	case types.Date:
		return timefmt.ReadDate([]byte(s))
	case types.Time:
		return timefmt.ReadTime([]byte(s))
	case types.Timestamp, types.TimestampLTZ:
		return timefmt.ReadTimestamp([]byte(s))
	case types.IntervalDay:
		return timefmt.ReadDayInterval([]byte(s))
	case types.IntervalMonth:
		return timefmt.ReadMonthInterval([]byte(s))
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil
	}
	return 0, false
}
