package rowfmt

import (
	"encoding/json"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// AppendRow writes row i of b as Confluent Cloud shows a row of results: a JSON array in which a value is a string as CAST would make it, NULL is null, an ARRAY or a ROW is an array, and a
// MAP or MULTISET an array of pairs. A TIMESTAMP_LTZ is in UTC, without a zone.
func AppendRow(dst []byte, schema types.Schema, b *vector.Batch, i int) []byte {
	dst = append(dst, '[')
	for c, f := range schema {
		if c > 0 {
			dst = append(dst, ',')
		}
		dst = appendCell(dst, f.Type, b.Cols[c], i)
	}
	return append(dst, ']')
}

var cellStyle = valuefmt.Style{
	Instant: func(dst []byte, t types.Type, micros int64) []byte {
		return timefmt.AppendTimestamp(dst, micros, int(t.Precision), ' ', false)
	},
	Bytes: valuefmt.AppendBytes,
}

func appendCell(dst []byte, t types.Type, v vector.Values, i int) []byte {
	if v.IsNull(i) {
		return append(dst, "null"...)
	}
	switch t.Kind {
	case types.Array:
		a := nested.ReadArray(v.Bytes(i), vector.KindOf(t.Elem()))
		return appendEach(dst, a.Len(), func(dst []byte, k int) []byte { return appendCell(dst, t.Elem(), a, k) })
	case types.Map:
		return appendPairs(dst, t.Key(), t.Elem(), v.Bytes(i))
	case types.Multiset:
		return appendPairs(dst, t.Elem(), types.IntType, v.Bytes(i))
	case types.Row:
		fields := t.Fields()
		r := nested.ReadRow(v.Bytes(i), len(fields))
		return appendEach(dst, len(fields), func(dst []byte, k int) []byte { return appendCell(dst, fields[k].Type, r, k) })
	}
	text, err := json.Marshal(string(cellStyle.Append(nil, t, v, i)))
	if err != nil {
		panic("tidemark bug: " + err.Error())
	}
	return append(dst, text...)
}

func appendPairs(dst []byte, key, value types.Type, b []byte) []byte {
	keys, values := nested.ReadMap(b, vector.KindOf(key), vector.KindOf(value))
	return appendEach(dst, keys.Len(), func(dst []byte, k int) []byte {
		dst = appendCell(append(dst, '['), key, keys, k)
		return append(appendCell(append(dst, ','), value, values, k), ']')
	})
}

func appendEach(dst []byte, n int, one func(dst []byte, k int) []byte) []byte {
	dst = append(dst, '[')
	for k := range n {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = one(dst, k)
	}
	return append(dst, ']')
}
