package format

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// everyType has a column of each type that JSON can be read into.
var everyType = types.Schema{
	{Name: "b", Type: types.BooleanType},
	{Name: "i", Type: types.IntType},
	{Name: "l", Type: types.BigIntType},
	{Name: "d", Type: types.DoubleType},
	{Name: "s", Type: types.StringType},
	{Name: "t", Type: types.TimestampType},
	{Name: "z", Type: types.TimestampLTZType},
}

// columns picks columns of everyType: "ls" is l and s.
func columns(names string) types.Schema {
	var schema types.Schema
	for _, name := range names {
		schema = append(schema, everyType[everyType.Index(string(name))])
	}
	return schema
}

// decodeAll decodes text in batches of maxRows rows and returns the rows as JSON, or the error of the first bad line.
func decodeAll(t *testing.T, schema types.Schema, o JSONOptions, text string, maxRows int) (rows []string, skipped int64, err error) {
	t.Helper()
	d, err := NewJSONDecoder(schema, o)
	if err != nil {
		t.Fatal(err)
	}
	encoder := NewJSONEncoder(schema, o)
	var pool vector.Pool
	buf := []byte(text)
	for len(buf) > 0 && err == nil {
		var b *vector.Batch
		var consumed int
		b, consumed, err = Decode(d, Lines, pool.Get(), buf, maxRows)
		if consumed == 0 {
			t.Fatalf("nothing consumed of %q", buf)
		}
		for i := range b.N {
			rows = append(rows, string(encoder.AppendRow(nil, b, i)))
		}
		b.Release()
		buf = buf[consumed:]
	}
	return rows, d.Skipped(), err
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ name, columns, line, want string }{
		{"every type", "bildstz",
			`{"b":true,"i":1,"l":2,"d":2.5,"s":"x","t":"2026-01-01 00:00:00","z":"2026-01-01 00:00:00.5Z"}`,
			`{"b":true,"i":1,"l":2,"d":2.5,"s":"x","t":"2026-01-01 00:00:00.000","z":"2026-01-01 00:00:00.500Z"}`},
		{"null in every type", "bildstz",
			`{"b":null,"i":null,"l":null,"d":null,"s":null,"t":null,"z":null}`,
			`{"b":null,"i":null,"l":null,"d":null,"s":null,"t":null,"z":null}`},
		{"no field", "bl", `{}`, `{"b":null,"l":null}`},
		{"other fields are stepped over", "l", `{"x":"{\"l\":1}","y":[1,{"l":2}],"z":{"l":3},"u":nil,"l":4}`, `{"l":4}`},
		{"order of the columns, not of the keys", "ls", `{"s":"x","l":1}`, `{"l":1,"s":"x"}`},
		{"first of equal keys", "l", `{"l":1,"l":2}`, `{"l":1}`},
		{"first of equal keys while others are sought", "ls", `{"l":1,"l":2,"s":"x"}`, `{"l":1,"s":"x"}`},
		{"white space everywhere", "ls", " \t{ \"s\" : \"x\"\t, \"l\" : 1 \t} \r", `{"l":1,"s":"x"}`},
		{"key with escapes", "l", `{"\u006c":1}`, `{"l":1}`},
		{"key prefix", "l", `{"ll":1,"":2,"l":3}`, `{"l":3}`},
		{"rest after the last needed field is not read", "l", `{"l":1,"s":"x` + "\x01" + `}`, `{"l":1}`},

		{"whole numbers", "il", `{"i":-2147483648,"l":-9223372036854775808}`, `{"i":-2147483648,"l":-9223372036854775808}`},
		{"largest whole numbers", "il", `{"i":2147483647,"l":9223372036854775807}`, `{"i":2147483647,"l":9223372036854775807}`},
		{"minus zero", "ild", `{"i":-0,"l":-0,"d":-0}`, `{"i":0,"l":0,"d":-0.0}`},
		{"numbers in quotes", "ild", `{"i":"1","l":" +0012 ","d":"-1.5e3"}`, `{"i":1,"l":12,"d":-1500.0}`},
		{"number in quotes with escapes", "l", `{"l":"\u0031\u0032"}`, `{"l":12}`},

		{"doubles", "d", `{"d":0.1}`, `{"d":0.1}`},
		{"double with exponent", "d", `{"d":1E+3}`, `{"d":1000.0}`},
		{"double with 15 digits", "d", `{"d":123456789.012345}`, `{"d":1.23456789012345E8}`},
		{"double with 20 digits", "d", `{"d":12345678901234567890}`, `{"d":1.2345678901234567E19}`},
		{"double with 40 digits", "d", `{"d":0.1234567890123456789012345678901234567890}`, `{"d":0.12345678901234568}`},
		{"double at the edge of fast conversion", "d", `{"d":123456789012345e22}`, `{"d":1.23456789012345E36}`},
		{"double beyond it", "d", `{"d":1e23}`, `{"d":1.0E23}`},
		{"least double", "d", `{"d":5e-324}`, `{"d":4.9E-324}`},
		{"double too small", "d", `{"d":1e-400}`, `{"d":0.0}`},
		{"double that is no number", "d", `{"d":"NaN"}`, `{"d":"NaN"}`},
		{"infinite double", "d", `{"d":"-Infinity"}`, `{"d":"-Infinity"}`},
		{"whole number as double", "d", `{"d":7}`, `{"d":7.0}`},

		{"booleans in quotes", "b", `{"b":"false"}`, `{"b":false}`},

		{"empty string", "s", `{"s":""}`, `{"s":""}`},
		{"short escapes", "s", `{"s":"\"\\\/\b\f\n\r\t"}`, `{"s":"\"\\/\u0008\u000c\n\r\t"}`},
		{"escaped quote at the end", "s", `{"s":"12345\\"}`, `{"s":"12345\\"}`},
		{"escape across eight bytes", "s", `{"s":"1234567\n1234567\u00e9"}`, `{"s":"1234567\n1234567é"}`},
		{"surrogate pair", "s", `{"s":"\ud83c\udf0A"}`, `{"s":"🌊"}`},
		{"lone high surrogate", "s", `{"s":"a\ud83cb"}`, `{"s":"a�b"}`},
		{"lone low surrogate", "s", `{"s":"\udf0a"}`, `{"s":"�"}`},
		{"two high surrogates", "s", `{"s":"\ud83c\ud83c\udf0a"}`, `{"s":"�🌊"}`},
		{"high surrogate before another escape", "s", `{"s":"\ud83c\u0041"}`, `{"s":"�A"}`},
		{"UTF-8", "s", `{"s":"Tromsø 潮位 🌊"}`, `{"s":"Tromsø 潮位 🌊"}`},
		{"string from a number", "s", `{"s":1.50}`, `{"s":"1.50"}`},
		{"string from a boolean", "s", `{"s":true}`, `{"s":"true"}`},
		{"string from an object", "s", `{"s":{"a": [1,"}"]} }`, `{"s":"{\"a\": [1,\"}\"]}"}`},
		{"string that says null", "s", `{"s":"null"}`, `{"s":"null"}`},

		{"before 1970", "tz", `{"t":"0001-01-01 00:00:00","z":"1969-12-31 23:59:59.999Z"}`,
			`{"t":"0001-01-01 00:00:00.000","z":"1969-12-31 23:59:59.999Z"}`},
		{"finer than the precision", "t", `{"t":"1969-12-31 23:59:59.999999999"}`, `{"t":"1969-12-31 23:59:59.999"}`},
		{"timestamp with escapes", "t", `{"t":"2026\u002d01-01 00:00:00"}`, `{"t":"2026-01-01 00:00:00.000"}`},

		{"deep nesting", "l", `{"x":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `,"l":1}`, `{"l":1}`},
		{"long key", "l", `{"` + strings.Repeat("k", 1000) + `":0,"l":1}`, `{"l":1}`},
	} {
		// The same line again, now with the layout known; and with something or nothing behind it.
		for _, text := range []string{c.line, c.line + "\n", c.line + "\r\n\n  \n" + c.line + "\n" + c.line} {
			copies := strings.Count(text, c.line)
			for _, maxRows := range []int{1, 2, 1000} {
				got, _, err := decodeAll(t, columns(c.columns), JSONOptions{}, text, maxRows)
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
					continue
				}
				want := strings.TrimSpace(strings.Repeat(c.want+"\n", copies))
				if strings.Join(got, "\n") != want {
					t.Errorf("%s, %d rows at a time: got\n%s\nwant\n%s", c.name, maxRows, strings.Join(got, "\n"), want)
				}
			}
		}
	}
}

// The order of keys of one row says nothing about the next.
func TestChangingLayout(t *testing.T) {
	text := `
{"a":0,"l":1,"s":"one"}
{"a":0,"l":2,"s":"two"}
{"s":"three","l":3}
{"a":0,"s":"four"}
{}
{"a":0, "l":6, "s":"six"}
{"a": 0, "l": 6, "s": "six"}
{"a":0,"lx":7,"s":"seven"}
{"long_key_of_more_than_16_bytes":0,"l":8,"s":"eight"}
{"long_key_of_more_than_16_bytez":0,"l":9,"s":"nine"}
`
	want := `{"l":1,"s":"one"}
{"l":2,"s":"two"}
{"l":3,"s":"three"}
{"l":null,"s":"four"}
{"l":null,"s":null}
{"l":6,"s":"six"}
{"l":6,"s":"six"}
{"l":null,"s":"seven"}
{"l":8,"s":"eight"}
{"l":9,"s":"nine"}`
	for _, maxRows := range []int{1, 3, 100} {
		got, _, err := decodeAll(t, columns("ls"), JSONOptions{}, text, maxRows)
		if err != nil || strings.Join(got, "\n") != want {
			t.Errorf("%d rows at a time: %v, got\n%s", maxRows, err, strings.Join(got, "\n"))
		}
	}
}

func TestTimestampFormats(t *testing.T) {
	for _, c := range []struct {
		format        TimestampFormat
		columns, line string
		want          string
	}{
		{ISO8601, "t", `{"t":"2026-01-01T00:00:00.123"}`, `{"t":"2026-01-01T00:00:00.123"}`},
		{ISO8601, "z", `{"z":"2026-01-01T00:00:00.123Z"}`, `{"z":"2026-01-01T00:00:00.123Z"}`},
		{SQL, "t", `{"t":"2026-01-01 00:00:00.123"}`, `{"t":"2026-01-01 00:00:00.123"}`},
		{SQL, "z", `{"z":"2026-01-01 00:00:00.123Z"}`, `{"z":"2026-01-01 00:00:00.123Z"}`},
	} {
		got, _, err := decodeAll(t, columns(c.columns), JSONOptions{TimestampFormat: c.format}, c.line, 10)
		if err != nil || len(got) != 1 || got[0] != c.want {
			t.Errorf("%s %s: got %s, %v", c.format, c.line, got, err)
		}
	}
}

// Each error names the byte, the field if one is at fault, what is wrong and what to do.
func TestErrors(t *testing.T) {
	notNull := types.Schema{{Name: "l", Type: types.Type{Kind: types.BigInt, NotNull: true}}}
	for _, c := range []struct {
		schema  types.Schema
		options JSONOptions
		line    string
		want    string
	}{
		{columns("l"), JSONOptions{}, `[1]`, "1: expected a JSON object; the format reads one object in braces a line"},
		{columns("l"), JSONOptions{}, `null`, "0: expected a JSON object; the format reads one object in braces a line"},
		{columns("l"), JSONOptions{}, "\ufeff{}", "0: a byte order mark stands in front of the object; write UTF-8 without one"},
		{columns("l"), JSONOptions{}, "\xff\xfe{\x00}\x00", "0: the object is in UTF-16; write it in UTF-8"},
		{columns("l"), JSONOptions{}, `{`, "1: the line ends before its object does; each object stands whole on one line"},
		{columns("l"), JSONOptions{}, `{"l":1`, "6: the line ends before its object does; each object stands whole on one line"},
		{columns("l"), JSONOptions{}, `{"x":{"l":1}`, "12: the line ends before its object does; each object stands whole on one line"},
		{columns("l"), JSONOptions{}, `{"x":{"l":1}  `, "12: the line ends before its object does; each object stands whole on one line"},
		{columns("s"), JSONOptions{}, `{"s":{"l":1}`, "12: the line ends before its object does; each object stands whole on one line"},
		{columns("l"), JSONOptions{}, `{"l":1}}`, "7: unexpected text behind the object; end the line after the object's last brace"},
		{columns("l"), JSONOptions{}, `{} {}`, "3: unexpected text behind the object; write a line feed between two objects"},
		{columns("l"), JSONOptions{}, `{"l":1} x`, "8: unexpected text behind the object; end the line after the object's last brace"},
		{columns("l"), JSONOptions{}, `{"x":{"l":"}"}},`, "15: unexpected text behind the object; end the line after the object's last brace"},
		{columns("l"), JSONOptions{}, `{"l":1}{"l":2} x`, "7: unexpected text behind the object; write a line feed between two objects"},
		{columns("l"), JSONOptions{}, `{l:1}`, "1: expected a key in double quotes"},
		{columns("l"), JSONOptions{}, `{"x":1,}`, "7: expected a key in double quotes"},
		{columns("l"), JSONOptions{}, `{,"l":1}`, "1: expected a key in double quotes"},
		{columns("l"), JSONOptions{}, `{"l"}`, "4: expected ':' after the key"},
		{columns("l"), JSONOptions{}, `{"l" 1}`, "5: expected ':' after the key"},
		{columns("l"), JSONOptions{}, `{"x":}`, "5: expected a value"},
		{columns("l"), JSONOptions{}, `{"l":,"x":1}`, "5: expected a value"},
		{columns("ls"), JSONOptions{}, `{"l":1 "s":""}`, "7: expected ',' or '}' after the value"},
		{columns("l"), JSONOptions{}, `{"l":1 "s":""}`, "7: expected ',' or '}' after the value"},
		{columns("l"), JSONOptions{}, `{"l":1x}`, "6: expected ',' or '}' after the value"},
		{columns("l"), JSONOptions{}, `{"l }`, "1: a string is not closed; each object stands whole on one line, with line feeds in strings written as \\n"},
		{columns("s"), JSONOptions{}, `{"s":"x\"}`, "5: a string is not closed; each object stands whole on one line, with line feeds in strings written as \\n"},
		{columns("l"), JSONOptions{}, `{"x":"x}`, "5: a string is not closed; each object stands whole on one line, with line feeds in strings written as \\n"},
		{columns("s"), JSONOptions{}, "{\"s\":\"a\tb\"}", "7: a control character stands bare in a string; write it as an escape such as \\t or \\u0009"},
		{columns("s"), JSONOptions{}, `{"s":"C:\dir"}`, "8: JSON knows no such escape; write a backslash as \\\\"},
		{columns("s"), JSONOptions{}, `{"s":"\u12g4"}`, "6: JSON knows no such escape; write a backslash as \\\\"},
		{columns("l"), JSONOptions{}, `{"\x":1}`, "2: JSON knows no such escape; write a backslash as \\\\"},
		{columns("s"), JSONOptions{}, "{\"s\":\"a\xff\"}", "5: a string is not valid UTF-8; convert the file to UTF-8"},

		{columns("l"), JSONOptions{FailOnMissingField: true}, `{}`, "1: field 'l': the row has no such field; 'json.fail-on-missing-field' = 'false' reads it as NULL"},
		{notNull, JSONOptions{}, `{"x":1}`, "6: field 'l': the row has no such field; make the column nullable"},
		{notNull, JSONOptions{}, `{"l":null}`, "5: field 'l': null in a column of type BIGINT NOT NULL; make the column nullable"},
		{columns("l"), JSONOptions{}, `{"l":1.0}`, "5: field 'l': expected BIGINT, found 1.0; declare the column DOUBLE"},
		{columns("l"), JSONOptions{}, `{"l":1e3}`, "5: field 'l': expected BIGINT, found 1e3; declare the column DOUBLE"},
		{columns("l"), JSONOptions{}, `{"l":9223372036854775808}`, "5: field 'l': expected BIGINT, found 9223372036854775808; the value does not fit; declare the column STRING or DOUBLE"},
		{columns("i"), JSONOptions{}, `{"i":2147483648}`, "5: field 'i': 2147483648 is out of the range of INT; declare the column BIGINT"},
		{columns("d"), JSONOptions{}, `{"d":1e999}`, "5: field 'd': 1e999 is out of the range of DOUBLE"},
		{columns("l"), JSONOptions{}, `{"l":"one"}`, "5: field 'l': expected BIGINT, found \"one\"; declare the column STRING to read any value as text"},
		{columns("l"), JSONOptions{}, `{"l":nul}`, "5: field 'l': expected BIGINT, found nul; declare the column STRING to read any value as text"},
		{columns("b"), JSONOptions{}, `{"b":1}`, "5: field 'b': expected BOOLEAN, found 1; declare the column STRING to read any value as text"},
		{columns("d"), JSONOptions{}, `{"d":[1,2]}`, "5: field 'd': expected DOUBLE, found [1,2]; declare the column STRING to read any value as text"},
		{columns("s"), JSONOptions{}, `{"s":[1,2}]}`, "5: field 's': expected STRING, found [1,2}; the value is not JSON"},
		{columns("s"), JSONOptions{}, `{"s":[01]}`, "5: field 's': expected STRING, found [01]; the value is not JSON"},

		{columns("z"), JSONOptions{TimestampFormat: ISO8601}, `{"z":1767225600000}`, "5: field 'z': expected TIMESTAMP_LTZ(3), found 1767225600000; declare the column BIGINT and compute TO_TIMESTAMP_LTZ(z, 3) from its milliseconds"},
		{columns("z"), JSONOptions{TimestampFormat: ISO8601}, `{"z":"yesterday"}`, "5: field 'z': expected TIMESTAMP_LTZ(3), found \"yesterday\"; write it as 1970-01-01T00:00:00.000Z"},
		{columns("t"), JSONOptions{}, `{"t":"2026-02-29 00:00:00"}`, "5: field 't': expected TIMESTAMP(3), found \"2026-02-29 00:00:00\"; write it as 1970-01-01 00:00:00.000"},
		{columns("z"), JSONOptions{}, `{"z":"2026-01-01T00:00:00Z"}`, "5: field 'z': expected TIMESTAMP_LTZ(3), found \"2026-01-01T00:00:00Z\"; set 'json.timestamp-format.standard' = 'ISO-8601'"},
		{columns("t"), JSONOptions{TimestampFormat: ISO8601}, `{"t":"2026-01-01 00:00:00"}`, "5: field 't': expected TIMESTAMP(3), found \"2026-01-01 00:00:00\"; set 'json.timestamp-format.standard' = 'SQL'"},
		{columns("t"), JSONOptions{TimestampFormat: ISO8601}, `{"t":"2026-01-01T00:00:00Z"}`, "5: field 't': expected TIMESTAMP(3), found \"2026-01-01T00:00:00Z\"; declare the column TIMESTAMP_LTZ(3), which ends in Z"},
		{columns("z"), JSONOptions{}, `{"z":"2026-01-01T00:00:00"}`, "5: field 'z': expected TIMESTAMP_LTZ(3), found \"2026-01-01T00:00:00\"; set 'json.timestamp-format.standard' = 'ISO-8601' and declare the column TIMESTAMP(3), which has no Z"},
		{columns("z"), JSONOptions{}, `{"z":"2026-01-01 00:00:00+01:00"}`, "5: field 'z': expected TIMESTAMP_LTZ(3), found \"2026-01-01 00:00:00+01:00\"; write it in UTC with a trailing Z instead of an offset, or declare the column STRING and convert it"},
	} {
		// A good row before the bad one is still delivered.
		const good = "{\"b\":true,\"i\":1,\"l\":1,\"d\":1,\"s\":\"\\n\",\"t\":null,\"z\":null}\n"
		rows, _, err := decodeAll(t, c.schema, c.options, good+c.line+"\n"+good, 10)
		var rowError *RowError
		if !errors.As(err, &rowError) {
			t.Errorf("%s: got rows %s, error %v", c.line, rows, err)
			continue
		}
		got := fmt.Sprintf("%d: %s", rowError.Column, rowError.Error())
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
		if len(rows) != 1 || rowError.Offset != len(good) || string(rowError.Line) != strings.TrimRight(c.line, " ") || fault.Of(err) != fault.Data {
			t.Errorf("%s: rows %s, offset %d, line %s, fault %s", c.line, rows, rowError.Offset, rowError.Line, fault.Of(err))
		}
	}
}

// A caller who tolerates a bad line goes on behind it, and the error has the line as it came, without what was
// unescaped of it, and not all of a long one.
func TestGoOnAfterError(t *testing.T) {
	d, err := NewJSONDecoder(columns("sl"), JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	bad := `{"s":"\u0041","l":"` + strings.Repeat("x", 300) + `"}`
	buf := []byte(bad + "\n" + `{"s":"\u0042","l":2}`)
	var pool vector.Pool
	b, consumed, err := Decode(d, Lines, pool.Get(), buf, 10)
	var rowError *RowError
	if !errors.As(err, &rowError) || b.N != 0 || consumed != len(bad)+1 {
		t.Fatalf("got %d rows, %d bytes, %v", b.N, consumed, err)
	}
	if string(rowError.Line) != bad[:200] {
		t.Errorf("line is %s", rowError.Line)
	}
	if want := `expected BIGINT, found "` + strings.Repeat("x", 39) + "…"; rowError.Message != want {
		t.Errorf("message is %s", rowError.Message)
	}
	b, consumed, err = Decode(d, Lines, b.Arena, buf[consumed:], 10)
	if err != nil || b.N != 1 || string(b.Cols[0].Bytes(0)) != "B" || consumed != 20 {
		t.Errorf("then %d rows, %d bytes, %v", b.N, consumed, err)
	}
}

// With json.ignore-parse-errors a bad value is NULL and a malformed line is passed over and counted.
func TestIgnoreParseErrors(t *testing.T) {
	schema := append(columns("ls"), types.Field{Name: "n", Type: types.Type{Kind: types.BigInt, NotNull: true}})
	text := `{"l":1,"s":"a","n":1}
{"l":"x","s":"b","n":2}
{"l":null,"s":"c","n":"x"}
{"l":4,"s":"d\x","n":4}
garbage
{"l":6,"s":"f","n":6}
{"l":7,"s":
{"l":8.5,"s":[01],"n":8}
`
	want := `{"l":1,"s":"a","n":1}
{"l":null,"s":"b","n":2}
{"l":6,"s":"f","n":6}
{"l":null,"s":null,"n":8}`
	for _, maxRows := range []int{1, 100} {
		got, skipped, err := decodeAll(t, schema, JSONOptions{IgnoreParseErrors: true}, text, maxRows)
		if err != nil || strings.Join(got, "\n") != want || skipped != 4 {
			t.Errorf("skipped %d, %v, got\n%s", skipped, err, strings.Join(got, "\n"))
		}
	}
}

// A plan that only counts rows needs no column.
func TestNoColumns(t *testing.T) {
	got, _, err := decodeAll(t, nil, JSONOptions{}, "{}\n\n{\"a\":1}\n", 10)
	if err != nil || len(got) != 2 {
		t.Errorf("got %d rows, %v", len(got), err)
	}
	if _, _, err := decodeAll(t, nil, JSONOptions{}, "{\n", 10); err == nil {
		t.Error("a lone brace is a row")
	}
}

// A column gets a bitmap only when a NULL turns up.
func TestBitmapOnDemand(t *testing.T) {
	d, err := NewJSONDecoder(columns("ls"), JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var pool vector.Pool
	b, _, err := Decode(d, Lines, pool.Get(), []byte("{\"l\":1,\"s\":\"a\"}\n{\"l\":2}\n"), 10)
	if err != nil {
		t.Fatal(err)
	}
	if b.Cols[0].Valid != nil || b.Cols[1].Valid == nil || b.Cols[1].IsNull(0) || !b.Cols[1].IsNull(1) {
		t.Errorf("validity is %v and %v", b.Cols[0].Valid, b.Cols[1].Valid)
	}
}

func TestRefusedDecoders(t *testing.T) {
	for _, c := range []struct {
		schema  types.Schema
		options JSONOptions
		want    string
	}{
		{columns("l"), JSONOptions{FailOnMissingField: true, IgnoreParseErrors: true},
			"'json.fail-on-missing-field' and 'json.ignore-parse-errors' cannot both be true"},
		{types.Schema{{Name: "age", Type: types.IntervalDayType}}, JSONOptions{},
			"column 'age': format 'json' cannot read INTERVAL DAY TO SECOND"},
	} {
		_, err := NewJSONDecoder(c.schema, c.options)
		if err == nil || err.Error() != c.want || fault.Of(err) != fault.User {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
