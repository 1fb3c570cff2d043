package format

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

func required(t types.Type) types.Type { t.NotNull = true; return t }

// TestMessages: a message is read into all its rows, or is an error as a whole.
func TestMessages(t *testing.T) {
	text, number := types.StringType, types.BigIntType
	clicks := types.Schema{{Name: "who", Type: text}, {Name: "n", Type: number}}
	strict := types.Schema{{Name: "who", Type: required(text)}, {Name: "n", Type: required(number)}}
	pair := types.Schema{{Name: "p", Type: types.RowOf(types.Schema{types.Field{Name: "a", Type: number}, types.Field{Name: "b", Type: text}})}}
	strictPair := types.Schema{{Name: "p", Type: types.RowOf(types.Schema{types.Field{Name: "a", Type: number}, types.Field{Name: "b", Type: required(text)}})}}
	one := types.Schema{{Name: "data", Type: text}}
	for _, c := range []struct {
		format, options string
		schema          types.Schema
		message         string
		rows            []string
		fault           string
	}{
		// Objects with line feeds between them.
		{"json_each_row", "", clicks, `{"who":"a","n":1}`, []string{`{"who":"a","n":1}`}, ""},
		{"json_each_row", "", clicks, `{"n":1,"other":[{}],"who":"a"}`, []string{`{"who":"a","n":1}`}, ""},
		{"json_each_row", "", clicks, "{\"who\":\"a\"}\n{\"n\":2}\n", []string{`{"who":"a","n":null}`, `{"who":null,"n":2}`}, ""},
		{"json_each_row", "", clicks, "{\"who\":\n  \"a\",\n \"n\": 1\n}\r\n\r\n {\"n\":2}", []string{`{"who":"a","n":1}`, `{"who":null,"n":2}`}, ""},
		{"json_each_row", "", clicks, "  \n ", nil, ""},
		{"json_each_row", "", clicks, `{"who":"a\nb","n":null}`, []string{`{"who":"a\nb","n":null}`}, ""},
		{"json_each_row", "", clicks, `[{"who":"a"}]`, nil, "expected an object, found an array; the format reads objects with line feeds between them; read an array of objects with 'json_list'"},
		{"json_each_row", "", clicks, "{\"n\":1}\n[{\"n\":2}]", nil, "expected a JSON object"},
		{"json_each_row", "", clicks, `{"who":"a","n":1} {"who":"b","n":2}`, nil, "unexpected text behind the object"},
		{"json_each_row", "", clicks, "{\"n\":1}{\"n\":2}\n{\"n\":3}", nil, "unexpected text behind the object; write a line feed between two objects"},
		{"json_each_row", "", clicks, "{\"n\":1}\n{\"n\":\"x\"}\n{\"n\":3}", nil, `field 'n': expected BIGINT, found "x"`},
		{"json_each_row", "", clicks, "{\"n\":1}\n{\"n\":2", nil, "the line ends before its object does"},
		{"json_each_row", "", clicks, `{"n":1} x`, nil, "unexpected text behind the object"},
		{"json_each_row", "", clicks, "1\n2", nil, "expected a JSON object"},
		// Fields.
		{"json_each_row", "", strict, `{"who":"a"}`, nil, "field 'n': the row has no such field"},
		{"json_each_row", "", strict, `{"who":null,"n":1}`, nil, "field 'who': null in a column of type STRING NOT NULL"},
		{"json_each_row", "", clicks, `{"who":5}`, nil, "field 'who': expected STRING, found 5"},
		{"json_each_row", "", clicks, `{"who":{"a":1}}`, nil, `field 'who': expected STRING, found {"a":1}`},
		{"json_each_row", "", clicks, `{"who":"5","n":"5"}`, []string{`{"who":"5","n":5}`}, ""},
		{"json_each_row", "", clicks, `{"n":1.5}`, nil, "field 'n': expected BIGINT, found 1.5"},
		{"json_each_row", "json-fields=who", clicks, `{"who": {"b" : [1, "x\n"]}, "n":1}`, []string{`{"who":"{\"b\" : [1, \"x\\n\"]}","n":1}`}, ""},
		{"json_each_row", "json-fields=who", clicks, `{"who":"text"}`, []string{`{"who":"\"text\"","n":null}`}, ""},
		{"json_each_row", "json-fields=who", clicks, `{"who":null}`, []string{`{"who":null,"n":null}`}, ""},
		{"json_each_row", "json-fields=who", clicks, `{"who":12}`, []string{`{"who":"12","n":null}`}, ""},
		{"json_each_row", "unsigned-fields=n=8", clicks, `{"n":255}`, []string{`{"who":null,"n":255}`}, ""},
		{"json_each_row", "unsigned-fields=n=8", clicks, `{"n":256}`, nil, "field 'n': 256 is no number of 8 bits without a sign"},
		{"json_each_row", "unsigned-fields=n=64", clicks, `{"n":-1}`, nil, "field 'n': -1 is no number of 64 bits without a sign"},
		{"json_each_row", "unsigned-fields=n=64", clicks, `{"n":9223372036854775807}`, []string{`{"who":null,"n":9223372036854775807}`}, ""},
		{"json_each_row", "unsigned-fields=p.a=8", pair, `{"p":{"a":255}}`, []string{`{"p":{"a":255,"b":null}}`}, ""},
		{"json_each_row", "unsigned-fields=p.a=8", pair, `{"p":{"a":256}}`, nil, "field 'p.a': 256 is no number of 8 bits without a sign"},
		{"json_each_row", "unsigned-fields=l[]=16", types.Schema{{Name: "l", Type: types.ArrayOf(number)}}, `{"l":[1,-1]}`, nil, "field 'l[]': -1 is no number of 16 bits"},
		{"json_each_row", "json-fields=p.b", pair, `{"p":{"b": {"c" : [1, "x\n"]}}}`, []string{`{"p":{"a":null,"b":"{\"c\" : [1, \"x\\n\"]}"}}`}, ""},
		{"json_each_row", "json-fields=p.b", pair, `{"p":[1,"text"]}`, []string{`{"p":{"a":1,"b":"\"text\""}}`}, ""},
		{"json_each_row", "", pair, `{"p":[1,"x",{"more":2}]}`, []string{`{"p":{"a":1,"b":"x"}}`}, ""},
		{"json_each_row", "", pair, `{"p":[1]}`, []string{`{"p":{"a":1,"b":null}}`}, ""},
		{"json_each_row", "", pair, `{"p":[ ]}`, []string{`{"p":{"a":null,"b":null}}`}, ""},
		{"json_each_row", "", pair, `{"p":{"b":"x"}}`, []string{`{"p":{"a":null,"b":"x"}}`}, ""},
		{"json_each_row", "", pair, `{"p":[1 2]}`, nil, "expected ',' or ']'"},
		{"json_each_row", "", strictPair, `{"p":[1]}`, nil, "field 'p.b': the row has no such field"},
		{"json_each_row", "", strictPair, `{"p":[1,null]}`, nil, "field 'p.b': null"},
		{"json_each_row", "", types.Schema{{Name: "l", Type: types.ArrayOf(text)}}, "{\"l\":[]}\n{\"l\":null}\n{}\n{\"l\":[\"a\",null]}", []string{`{"l":[]}`, `{"l":null}`, `{"l":null}`, `{"l":["a",null]}`}, ""},
		{"json_each_row", "", types.Schema{{Name: "l", Type: types.ArrayOf(text)}}, `{"l":[1]}`, nil, "expected STRING, found 1"},
		{"json_each_row", "", types.Schema{{Name: "at", Type: types.Type{Kind: types.TimestampLTZ, Precision: 6}}}, `{"at":"2026-01-01T00:00:00.123456Z"}`, []string{`{"at":"2026-01-01 00:00:00.123456Z"}`}, ""},
		// An array of objects.
		{"json_list", "", clicks, " [{\"who\":\"a\"},\n{\"n\":2}] ", []string{`{"who":"a","n":null}`, `{"who":null,"n":2}`}, ""},
		{"json_list", "", clicks, `[]`, nil, ""},
		{"json_list", "", clicks, `{"who":"a"}`, nil, "expected an array of objects; the format reads one array a record; read objects with 'json_each_row'"},
		{"json_list", "", clicks, `[{"n":1},{"n":true}]`, nil, "field 'n': expected BIGINT, found true"},
		{"json_list", "", clicks, `[{"n":1}`, nil, "the line ends"},
		{"json_list", "unsigned-fields=n=1", clicks, `[{"n":2}]`, nil, "no number of 1 bits"},
		// Unparsed.
		{"json_as_string", "", one, "{\"a\": 1}\n {\"b\":[{}]}\n", []string{`{"data":"{\"a\": 1}"}`, `{"data":"{\"b\":[{}]}"}`}, ""},
		{"json_as_string", "", one, `[{"a":1}, {"b":"\u0041"}]`, []string{`{"data":"{\"a\":1}"}`, `{"data":"{\"b\":\"\\u0041\"}"}`}, ""},
		{"json_as_string", "", one, `{"a":1`, nil, "the line ends"},
		{"json_as_string", "", one, `5`, nil, "expected a JSON object"},
		{"json_as_string", "", one, "{\"a\":\"\xff\"}", nil, "not valid UTF-8"},
		// A header.
		{"csv_with_names", "", clicks, "n,who\n1,a\n2,\"b,\n\"\"c\"\n", []string{`{"who":"a","n":1}`, `{"who":"b,\n\"c","n":2}`}, ""},
		{"csv_with_names", "", clicks, "more,who\r\nx,a\r\n", []string{`{"who":"a","n":null}`}, ""},
		{"csv_with_names", "", clicks, "who,n\n,\n\"\",3", []string{`{"who":null,"n":null}`, `{"who":"","n":3}`}, ""},
		{"csv_with_names", "", strict, "who,n\n,3", []string{`{"who":"","n":3}`}, ""},
		{"csv_with_names", "", strict, "who,n\na,", nil, "field 'n': expected BIGINT, found \"\""},
		{"csv_with_names", "", strict, "who\na", nil, "field 'n': the header does not name the column"},
		{"csv_with_names", "", clicks, "who,who\na,b", nil, "the header names the column twice"},
		{"csv_with_names", "", clicks, "who,n\na", nil, "the line has 1 values for the header's 2 names"},
		{"csv_with_names", "", clicks, "who,n\na,1,2", nil, "the line has more values than the header's 2 names"},
		{"csv_with_names", "", clicks, "who,n\na,1\nb,x", nil, `field 'n': expected BIGINT, found "x"`},
		{"csv_with_names", "", clicks, "who,n\n\"a", nil, "a quote is not closed"},
		{"csv_with_names", "", clicks, "who,n\n", nil, ""},
		{"csv_with_names", "", clicks, "", nil, ""},
		{"csv_with_names", "unsigned-fields=n=16", clicks, "n\n65535\n", []string{`{"who":null,"n":65535}`}, ""},
		{"csv_with_names", "unsigned-fields=n=16", clicks, "n\n65536\n", nil, `found "65536"`},
		{"csv_with_names", "field-delimiter=;", clicks, "who;n\n\"a;b\";1", []string{`{"who":"a;b","n":1}`}, ""},
		{"tsv_with_names", "", clicks, "who\tn\na\\tb\t1\n\\N\t\\N\n\t\n\"q\"\t4", []string{`{"who":"a\tb","n":1}`, `{"who":null,"n":null}`, `{"who":"","n":null}`, `{"who":"\"q\"","n":4}`}, ""},
		{"tsv_with_names", "", strict, "who\tn\n\\N\t1", nil, "NULL in a column"},
	} {
		o := connector.Options{"format": c.format}
		if key, value, ok := strings.Cut(c.options, "="); ok {
			o[c.format+"."+key] = value
		}
		rows, errs := readMessages(t, o, c.schema, c.message)
		if !slices.Equal(rows, c.rows) {
			t.Errorf("%s %q:\n got %v\nwant %v", c.format, c.message, rows, c.rows)
		}
		if len(errs) > 1 || (len(errs) == 0) != (c.fault == "") || len(errs) == 1 && !strings.Contains(errs[0].Error(), c.fault) {
			t.Errorf("%s %q: got %v, want %q", c.format, c.message, errs, c.fault)
		}
	}
}

// readMessages reads messages that lie side by side, as JSON, and what went wrong.
func readMessages(t testing.TB, o connector.Options, schema types.Schema, messages ...string) (rows []string, errs []error) {
	t.Helper()
	d, err := choose(t, o).NewDecoder(schema, indexes(len(schema)))
	if err != nil {
		t.Fatal(err)
	}
	var ends []int
	total := 0
	for _, m := range messages {
		total += len(m)
		ends = append(ends, total)
	}
	b, errs := readEach(d, strings.Join(messages, ""), ends)
	e := NewJSONEncoder(schema, JSONOptions{})
	for i := range b.N {
		rows = append(rows, string(e.AppendRow(nil, b, i)))
	}
	return rows, errs
}

// TestMessagesBehindABadOne: what was read of a message that is bad is taken back, and the next one is whole. Headers change from message to message.
func TestMessagesBehindABadOne(t *testing.T) {
	schema := types.Schema{{Name: "who", Type: types.StringType}, {Name: "n", Type: types.BigIntType}}
	for format, messages := range map[string][]string{
		"json_each_row":  {"{\"who\":\"a\",\"n\":1}\n{\"who\":null}\n{\"n\":true}", `{"who":"b"}`, "{\"n\":2}\n{\"who\":\"c\",\"n\":3}"},
		"json_list":      {`[{"who":"a","n":1},{"who":null},{"n":true}]`, `[{"who":"b"}]`, `[{"n":2},{"who":"c","n":3}]`},
		"csv_with_names": {"who,n\na,1\n,\nx,true\n", "who\nb", "n,who\n2,\n3,c\n"},
		"tsv_with_names": {"who\tn\na\t1\n\\N\t\\N\nx\ttrue\n", "who\nb", "n\twho\n2\t\\N\n3\tc\n"},
	} {
		rows, errs := readMessages(t, connector.Options{"format": format}, schema, messages...)
		want := []string{`{"who":"b","n":null}`, `{"who":null,"n":2}`, `{"who":"c","n":3}`}
		if !slices.Equal(rows, want) || len(errs) != 1 {
			t.Errorf("%s: got %v and %v", format, rows, errs)
		}
	}
}

// TestMessageOptions: options of columns are about columns that are there.
func TestMessageOptions(t *testing.T) {
	schema := types.Schema{{Name: "who", Type: types.StringType}, {Name: "n", Type: types.BigIntType}}
	for _, c := range []struct{ format, option, want string }{
		{"json_each_row", "json-fields=n", "option 'json_each_row.json-fields' names 'n', which is no column of text"},
		{"json_list", "json-fields=x", "names 'x'"},
		{"json_each_row", "unsigned-fields=who=8", "has 'who=8', which is no column of whole numbers"},
		{"csv_with_names", "unsigned-fields=n", "has 'n'"},
		{"tsv_with_names", "unsigned-fields=n=65", "has 'n=65'"},
		{"csv_with_names", "field-delimiter=ab", "option 'csv_with_names.field-delimiter' is 'ab'"},
		{"csv_with_names", "field-delimiter=\"", "the delimiter of the values is the quote around them"},
		{"json_as_string", "", "format 'json_as_string' has one column of text, and the table has: who, n"},
	} {
		o := connector.Options{"format": c.format}
		if key, value, ok := strings.Cut(c.option, "="); ok {
			o[c.format+"."+key] = value
		}
		choice := choose(t, o)
		if err := choice.Check(schema); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: got %v, want %s", c.format, c.option, err, c.want)
		}
	}
}

// FuzzMessages: no message breaks a decoder, and one that is read alone is read alike between others.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{`{"who":"a"}`, "{\"n\":1}\n{\"n\":2}", `[{"n":1}]`, "who,n\na,1\n", "who\tn\n\\N\t2", "{", "\"", "who,who\n", "n\n\"", "[{\"n\":\n", "{\"p\":[1,[2"} {
		f.Add(seed)
	}
	pair := types.RowOf(types.Schema{{Name: "a", Type: types.BigIntType}, {Name: "b", Type: types.StringType}})
	schemas := map[string]types.Schema{
		"json_each_row":  {{Name: "who", Type: types.StringType}, {Name: "n", Type: types.BigIntType}, {Name: "p", Type: pair}},
		"csv_with_names": {{Name: "who", Type: types.StringType}, {Name: "n", Type: required(types.BigIntType)}},
		"json_as_string": {{Name: "data", Type: types.StringType}},
	}
	schemas["json_list"], schemas["tsv_with_names"] = schemas["json_each_row"], schemas["csv_with_names"]
	f.Fuzz(func(t *testing.T, text string) {
		for format, schema := range schemas {
			o := connector.Options{"format": format}
			alone, errs := readMessages(t, o, schema, text)
			if len(errs) > 0 && alone != nil {
				t.Fatalf("%s %q: rows %v of a bad message", format, text, alone)
			}
			between, _ := readMessages(t, o, schema, "{", text, "[", text, "x\n")
			if !slices.Equal(between, slices.Concat(alone, alone)) {
				t.Fatalf("%s %q: alone %v, between others %v", format, text, alone, between)
			}
		}
	})
}

// BenchmarkDecodeMessages is messages of one row and of ten.
func BenchmarkDecodeMessages(b *testing.B) {
	row := `{"auction":1000,"bidder":2001,"price":31415926,"channel":"Google","url":"https://www.nexmark.com/item.htm?query=1"}`
	schema := types.Schema{{Name: "auction", Type: types.BigIntType}, {Name: "price", Type: types.BigIntType}, {Name: "channel", Type: types.StringType}}
	for _, c := range []struct{ name, format, message string }{
		{"json", "json", row},
		{"each row, one", "json_each_row", row},
		{"each row, ten", "json_each_row", strings.Repeat(row+"\n", 10)},
		{"list of ten", "json_list", "[" + strings.Repeat(row+",", 9) + row + "]"},
	} {
		b.Run(c.name, func(b *testing.B) {
			d, err := choose(b, connector.Options{"format": c.format}).NewDecoder(schema, indexes(len(schema)))
			if err != nil {
				b.Fatal(err)
			}
			var pool vector.Pool
			const messages = 100
			text := []byte(strings.Repeat(c.message, messages))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				a := pool.Get()
				d.Begin(a, text, messages)
				for i := range messages {
					if _, err := d.Read(i*len(c.message), (i+1)*len(c.message)); err != nil {
						b.Fatal(err)
					}
				}
				d.End().Release()
			}
		})
	}
}
