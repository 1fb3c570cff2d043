package function

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/jsontext"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// The binder hands values over as JSON text, and what becomes of NULL as a constant behind them: NULL or ABSENT.

var jsonArrayAggAggregate = Aggregate{
	Name:       "JSON_ARRAYAGG",
	Signatures: []string{"JSON_ARRAYAGG(value [NULL ON NULL | ABSENT ON NULL])"},
	Doc:        "The values as a JSON array, in the order in which they came; NULL is left out unless NULL ON NULL says otherwise. It is [] if there are none.",
	Example:    "JSON_ARRAYAGG(x NULL ON NULL)", ExampleResult: "[1,2,2,null]",
	resolve: func(c AggregateCall) (AggregateOverload, error) {
		if len(c.Args) != 2 || !c.Args[0].IsText() {
			return AggregateOverload{}, nil
		}
		nulls, ok := c.nullsWord(1)
		if !ok {
			return AggregateOverload{}, nil
		}
		write := func(dst []byte, args []*vector.Vector, i int) ([]byte, bool) {
			if args[0].IsNull(i) {
				return append(dst, "null"...), nulls
			}
			return append(dst, args[0].Bytes(i)...), true
		}
		finish := func(a *vector.Arena, values *bag, ids []uint32) *vector.Vector {
			out := vector.NewBuilder(a, vector.Bytes, len(ids))
			var text []byte
			for _, id := range ids {
				text = append(text[:0], '[')
				for entry := range values.all(id) {
					text = append(append(text, values.value(entry)...), ',')
				}
				out.AppendBytes(closed(text, ']'))
			}
			return out.Done()
		}
		g := gathering{sort: collecting, write: write, valid: ofSize(vector.Bytes), finish: finish}
		return AggregateOverload{Params: []types.Type{types.StringType}, Result: notNull(types.StringType), New: g.accumulators(c.Updates)}, nil
	},
}

var jsonObjectAggAggregate = Aggregate{
	Name:       "JSON_OBJECTAGG",
	Signatures: []string{"JSON_OBJECTAGG([KEY] key VALUE value [NULL ON NULL | ABSENT ON NULL])"},
	Doc: "The keys and values as a JSON object, in the order of the keys; a value that is NULL becomes null unless ABSENT ON NULL says otherwise. It is {} if there are none. " +
		"Of equal keys the last stays, and a key that is NULL is left out, where Flink 2.3 stops the statement.",
	Example: "JSON_OBJECTAGG(KEY CAST(x AS STRING) VALUE x)", ExampleResult: `{"1":1,"2":2}`,
	resolve: func(c AggregateCall) (AggregateOverload, error) {
		if len(c.Args) != 3 || !c.Args[0].IsText() || !c.Args[1].IsText() {
			return AggregateOverload{}, nil
		}
		nulls, ok := c.nullsWord(2)
		if !ok {
			return AggregateOverload{}, nil
		}
		pair := tuple{vector.Bytes, vector.Bytes}
		write := func(dst []byte, args []*vector.Vector, i int) ([]byte, bool) {
			return pair.append(dst, args, i), !args[0].IsNull(i) && (nulls || !args[1].IsNull(i))
		}
		g := gathering{sort: collecting, write: write, valid: pair.valid, finish: objects}
		return AggregateOverload{Params: []types.Type{types.StringType, types.StringType}, Result: notNull(types.StringType), New: g.accumulators(c.Updates)}, nil
	},
}

// nullsWord reads the constant argument i: whether NULL is written.
func (c AggregateCall) nullsWord(i int) (nulls, ok bool) {
	v := c.constant(i)
	if v == nil || v.Kind != vector.Bytes || v.IsNull(0) {
		return false, false
	}
	word := string(v.Bytes(0))
	return word == "NULL", word == "NULL" || word == "ABSENT"
}

// objects makes a JSON object of the entries of each group, which are pairs of a name and a value as JSON.
func objects(a *vector.Arena, values *bag, ids []uint32) *vector.Vector {
	type member struct{ name, value []byte }
	out := vector.NewBuilder(a, vector.Bytes, len(ids))
	var text []byte
	var members []member
	for _, id := range ids {
		members = members[:0]
		for entry := range values.all(id) {
			var m member
			var rest []byte
			// The bag holds what was written, or passed for it when it was decoded.
			m.name, rest, _ = readString(values.value(entry)[1:])
			if m.value = []byte("null"); rest[0] != 0 {
				m.value, _, _ = readString(rest[1:])
			}
			members = append(members, m)
		}
		slices.SortStableFunc(members, func(m, n member) int { return jsontext.CompareNames(m.name, n.name) })
		text = append(text[:0], '{')
		for i, m := range members {
			if i+1 < len(members) && jsontext.CompareNames(m.name, members[i+1].name) == 0 {
				continue
			}
			text = append(jsontext.AppendQuoted(text, m.name), ':')
			text = append(append(text, m.value...), ',')
		}
		out.AppendBytes(closed(text, '}'))
	}
	return out.Done()
}

// closed ends a list whose elements are each followed by a comma.
func closed(text []byte, end byte) []byte {
	if len(text) > 1 {
		text = text[:len(text)-1]
	}
	return append(text, end)
}
