package function

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// castAll converts a column and writes the results, the message of an error in place of the rows.
func castAll(t *testing.T, from, to types.Type, try bool, v *vector.Vector, rows vector.Rows) string {
	t.Helper()
	o, err := ResolveCast(from, to, try)
	if err != nil {
		return "refused"
	}
	var pool vector.Pool
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	out, err := o.Eval(pool.Get(), &Env{Zone: berlin}, []*vector.Vector{v}, rows, rows.N)
	var row *RowError
	if errors.As(err, &row) {
		return "row " + string(rune('0'+row.Row)) + ": " + row.Err.Error()
	}
	var texts []string
	for k := range rows.Count() {
		texts = append(texts, string(valuefmt.Append(nil, to, out, rows.At(k))))
	}
	return strings.Join(texts, " | ")
}

// nestedColumns makes ARRAY<STRING>, MAP<STRING, STRING> and ROW<a STRING, b STRING> of lists of words; a nil list is NULL, the word NULL a NULL.
func nestedColumns(t *testing.T, lists [][]string) (arrays, maps, rows *vector.Vector) {
	t.Helper()
	var pool vector.Pool
	a := pool.Get()
	build := func(write func(dst []byte, words *vector.Vector) []byte) *vector.Vector {
		b := vector.NewBuilder(a, vector.Bytes, len(lists))
		for _, list := range lists {
			if list == nil {
				b.AppendNull()
				continue
			}
			words := vector.NewBuilder(a, vector.Bytes, len(list))
			for _, word := range list {
				if word == "NULL" {
					words.AppendNull()
				} else {
					words.AppendBytes([]byte(word))
				}
			}
			b.AppendBytes(write(nil, words.Done()))
		}
		return b.Done()
	}
	return build(packArray), build(packMap), build(packRow)
}

func packArray(dst []byte, words *vector.Vector) []byte {
	return nested.AppendArray(dst, words.Kind, words, 0, words.Len())
}

func packMap(dst []byte, words *vector.Vector) []byte {
	var pool vector.Pool
	a := pool.Get()
	return nested.AppendMap(dst, words.Kind, words.Take(a, []int32{0}), words.Kind, words.Take(a, []int32{1}), 0, 1)
}

func packRow(dst []byte, words *vector.Vector) []byte {
	var pool vector.Pool
	a := pool.Get()
	return nested.AppendRow(dst, []*vector.Vector{words.Take(a, []int32{0}), words.Take(a, []int32{1})}, 0)
}

func TestCastNested(t *testing.T) {
	text := types.StringType
	bigNotNull := types.BigIntType
	bigNotNull.NotNull = true
	arrays, maps, rows := nestedColumns(t, [][]string{{"1", "-2"}, nil, {"NULL", "3"}, {"x", "4"}})
	all := vector.All(4)
	some := vector.Rows{Sel: []int32{0, 2}, N: 4}
	arrayOf, mapOf := types.ArrayOf, types.MapOf
	rowOf := func(a, b types.Type) types.Type {
		return types.RowOf(types.Schema{{Name: "a", Type: a}, {Name: "b", Type: b}})
	}
	for _, c := range []struct {
		v        *vector.Vector
		from, to types.Type
		try      bool
		rows     vector.Rows
		want     string
	}{
		{arrays, arrayOf(text), arrayOf(types.BigIntType), false, some, "[1, -2] | [NULL, 3]"},
		{arrays, arrayOf(text), arrayOf(types.BigIntType), false, all, "row 3: cannot cast the string 'x' to BIGINT"},
		{arrays, arrayOf(text), arrayOf(types.BigIntType), true, all, "[1, -2] | NULL | [NULL, 3] | NULL"},
		{arrays, arrayOf(text), arrayOf(bigNotNull), true, all, "[1, -2] | NULL | NULL | NULL"},
		{arrays, arrayOf(text), arrayOf(bigNotNull), false, all, "row 3: cannot cast the string 'x' to BIGINT"},
		{arrays, arrayOf(text), arrayOf(bigNotNull), false, some, "row 2: a NULL cannot become part of a value where NOT NULL is asked for"},
		{arrays, arrayOf(text), arrayOf(types.DecimalOf(20, 1)), false, some, "[1.0, -2.0] | [NULL, 3.0]"},
		{arrays, arrayOf(text), types.Type{Kind: types.Char, Length: 4}, false, all, "[1,  | NULL | [NUL | [x, "},
		{arrays, arrayOf(text), types.MultisetOf(text), false, all, "refused"},
		{maps, mapOf(text, text), mapOf(types.DoubleType, text), false, vector.Rows{Sel: []int32{0}, N: 4}, "{1.0=-2}"},
		{maps, mapOf(text, text), mapOf(text, types.IntType), false, all, "{1=-2} | NULL | {NULL=3} | {x=4}"},
		{maps, mapOf(text, text), mapOf(types.IntType, types.IntType), true, all, "{1=-2} | NULL | {NULL=3} | NULL"},
		{rows, rowOf(text, text), rowOf(types.IntType, types.TinyIntType), false, some, "(1, -2) | (NULL, 3)"},
		{rows, rowOf(text, text), rowOf(types.IntType, types.TinyIntType), false, all, "row 3: cannot cast the string 'x' to INT"},
		{rows, rowOf(text, text), rowOf(types.IntType, types.TinyIntType), true, all, "(1, -2) | NULL | (NULL, 3) | NULL"},
		{rows, rowOf(text, text), rowOf(bigNotNull, types.BigIntType), false, some, "row 2: a NULL cannot become part of a value where NOT NULL is asked for"},
		{rows, rowOf(text, text), types.RowOf(types.Schema{{Name: "a", Type: text}}), false, all, "refused"},
		{rows, rowOf(text, text), text, false, all, "(1, -2) | NULL | (NULL, 3) | (x, 4)"},
	} {
		if got := castAll(t, c.from, c.to, c.try, c.v, c.rows); got != c.want {
			t.Errorf("CAST(%s AS %s), try %v: got %s, want %s", c.from, c.to, c.try, got, c.want)
		}
	}
}

// Instants inside a value are written in the zone of the session, and bytes as text.
func TestCastNestedToText(t *testing.T) {
	var pool vector.Pool
	a := pool.Get()
	instants := vector.NewBuilder(a, vector.Int64, 1)
	instants.AppendInt(0)
	b := vector.NewBuilder(a, vector.Bytes, 1)
	b.AppendBytes(packArray(nil, instants.Done()))
	if got := castAll(t, types.ArrayOf(types.TimestampLTZType), types.StringType, false, b.Done(), vector.All(1)); got != "[1970-01-01 01:00:00.000]" {
		t.Error(got)
	}
	raw := vector.NewBuilder(a, vector.Bytes, 1)
	raw.AppendBytes([]byte{'a', 0xff})
	b = vector.NewBuilder(a, vector.Bytes, 1)
	b.AppendBytes(packArray(nil, raw.Done()))
	if got := castAll(t, types.ArrayOf(types.BytesType), types.StringType, false, b.Done(), vector.All(1)); got != "[a\ufffd]" {
		t.Errorf("%q", got)
	}
}
