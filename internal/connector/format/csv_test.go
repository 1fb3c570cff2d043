package format

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/nexmark"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

func TestCSVValues(t *testing.T) {
	plain := connector.Options{"format": "csv"}
	with := func(pairs ...string) connector.Options {
		o := connector.Options{"format": "csv"}
		for i := 0; i < len(pairs); i += 2 {
			o["csv."+pairs[i]] = pairs[i+1]
		}
		return o
	}
	for _, c := range []struct {
		name    string
		columns string
		options connector.Options
		text    string
		want    string // rows, one a line
		skipped int64
	}{
		{"every type", "bildstz", plain, "true,1,2,2.5,x,2026-01-01 00:00:00,2026-01-01 00:00:00.5Z\n",
			`{"b":true,"i":1,"l":2,"d":2.5,"s":"x","t":"2026-01-01 00:00:00.000","z":"2026-01-01 00:00:00.500Z"}`, 0},
		{"blanks do not matter, but in strings", "bids", plain, " TRUE , 1 , 2e1 , x \n", `{"b":true,"i":1,"d":20.0,"s":" x "}`, 0},
		{"carriage returns and blank lines", "ls", plain, "1,a\r\n\r\n\n2,b\r\n", `{"l":1,"s":"a"} {"l":2,"s":"b"}`, 0},
		{"no line feed at the end", "ls", plain, "1,a", `{"l":1,"s":"a"}`, 0},
		{"quotes", "sls", plain, "\"a,b\",1,\"say \"\"hi\"\"\"\n\"\",2,\"\"\"\"\n", `{"s":"a,b","l":1,"s":"say \"hi\""} {"s":"","l":2,"s":"\""}`, 0},
		{"a line feed in quotes", "sl", plain, "\"a\nb\r\n\",1\n\"\n\",2\n", `{"s":"a\nb\r\n","l":1} {"s":"\n","l":2}`, 0},
		{"a quote within a value is a character", "sl", plain, "5\" pipe,1\nx,2\n", `{"s":"5\" pipe","l":1} {"s":"x","l":2}`, 0},
		{"blanks behind a quote", "sl", plain, "\"a\"  ,1\n", `{"s":"a","l":1}`, 0},
		{"text behind a quote", "sl", plain, "\"a\"b,1\n\"c\",2\n", `error: text follows a value in quotes; double a quote that is part of a value {"s":"c","l":2}`, 0},
		{"an open quote takes the rest", "sl", plain, "a,1\n\"b,2\nc,3\n",
			`{"s":"a","l":1} error: a quote is not closed; double a quote that is part of a value, or set 'csv.disable-quote-character' = 'true'`, 0},
		{"empty string", "sl", plain, ",1\n", `{"s":"","l":1}`, 0},
		{"empty number", "sl", plain, "a,\n", `error: field 'l': expected BIGINT, found ""; 'csv.null-literal' = '' reads it as NULL`, 0},
		{"null literal", "sl", with("null-literal", ""), ",\n", `{"s":null,"l":null}`, 0},
		{"null literal of letters", "sl", with("null-literal", "\\N"), "\\N,\\N\nN,1\n", `{"s":null,"l":null} {"s":"N","l":1}`, 0},
		{"too few", "sl", plain, "a\n", `error: the record has 1 of the table's 2 values; the format takes values by position; 'csv.ignore-parse-errors' = 'true' reads the others as NULL`, 0},
		{"too few, ignored", "sl", with("ignore-parse-errors", "true"), "a\n", `{"s":"a","l":null}`, 0},
		{"too many", "s", plain, "a,b\n", `error: the record has more values than the table's 1 columns; the format takes values by position; declare a column for each`, 0},
		{"too many, ignored", "s", with("ignore-parse-errors", "true"), "a,b\nc\n", `{"s":"c"}`, 1},
		{"bad value, ignored", "ls", with("ignore-parse-errors", "true"), "x,a\n1,b\n", `{"l":null,"s":"a"} {"l":1,"s":"b"}`, 0},
		{"record left out", "ls", connector.Options{"format": "csv", "error-handling.mode": "ignore"}, "x,a\n1,b\n", `{"l":1,"s":"b"}`, 1},
		{"delimiter", "sl", with("field-delimiter", ";"), "a,b;1\n", `{"s":"a,b","l":1}`, 0},
		{"tab", "sl", with("field-delimiter", "\\t"), "a,b\t1\n", `{"s":"a,b","l":1}`, 0},
		{"control character", "sl", with("field-delimiter", "\\u0001"), "a\x011\n", `{"s":"a","l":1}`, 0},
		{"other quotes", "sl", with("quote-character", "'"), "'a,\"',1\n", `{"s":"a,\"","l":1}`, 0},
		{"no quotes", "sl", with("disable-quote-character", "true"), "\"a,1\n", `{"s":"\"a","l":1}`, 0},
		{"escapes", "sl", with("escape-character", "\\"), "a\\,b\\nc\\\\\\x,1\n\"\\\"\\t\",2\n", `{"s":"a,b\nc\\x","l":1} {"s":"\"\t","l":2}`, 0},
		{"escaped line feed", "sl", with("escape-character", "\\", "disable-quote-character", "true"), "a\\\nb,1\nc,2\n", `{"s":"a\nb","l":1} {"s":"c","l":2}`, 0},
		{"comments", "sl", with("allow-comments", "true"), "# it's \"open\na,1\n#\nb,2\n", `{"s":"a","l":1} {"s":"b","l":2}`, 0},
		{"comments behind blanks", "sl", with("allow-comments", "true"), "  # x\na,1\n", `{"s":"a","l":1}`, 0},
		{"trailing comma", "sl", plain, "a,1,\n\"b\",2,\r\n", `{"s":"a","l":1} {"s":"b","l":2}`, 0},
		{"no trailing comma", "s", with("allow-trailing-comma", "false", "ignore-parse-errors", "true"), "a,\nb\n", `{"s":"b"}`, 1},
		{"extra values left out", "sl", with("ignore-trailing-unmappable", "true"), "a,1,x,\"\ny\"\nb,2\n", `{"s":"a","l":1} {"s":"b","l":2}`, 0},
		{"too few, ignored but for records", "sl", with("ignore-parse-errors", "true", "fail-on-missing-columns", "true"), "a\nb,1\n", `{"s":"b","l":1}`, 1},
		{"empty is NULL", "ssl", with("empty-string-as-null", "true"), ",\"\",\n", `{"s":null,"s":null,"l":null}`, 0},
		{"null literal in quotes", "sl", with("null-literal", "NULL"), "\"NULL\",1\n", `{"s":null,"l":1}`, 0},
		{"trimmed", "sls", with("trim-spaces", "true"), " a b , 1 , \" \nx\" \n", `{"s":"a b","l":1,"s":" \nx"}`, 0},
		{"not trimmed", "sl", plain, " \"a\",1\n", `{"s":" \"a\"","l":1}`, 0},
		{"no comments", "sl", plain, "#a,1\n", `{"s":"#a","l":1}`, 0},
		{"not UTF-8", "sl", plain, "\xff,1\nb,2\n", `error: field 's': a string is not valid UTF-8; convert the file to UTF-8 {"s":"b","l":2}`, 0},
		{"a number out of range", "i", plain, "2147483648\n", `error: field 'i': expected INT, found "2147483648"; declare the column STRING to read any value as text`, 0},
		{"another form of time", "t", plain, "2026-01-01T00:00:00\n",
			`error: field 't': expected TIMESTAMP(3), found "2026-01-01T00:00:00"; write it as 1970-01-01 00:00:00.000, or declare the column STRING and convert it`, 0},
	} {
		for _, maxRows := range []int{1, 2, 100} {
			rows, skipped := decodeText(t, c.options, columns(c.columns), indexes(len(c.columns)), c.text, maxRows)
			if got := strings.Join(rows, " "); got != c.want || skipped != c.skipped {
				t.Errorf("%s, %d rows at a time:\n got %s, %d skipped\nwant %s, %d", c.name, maxRows, got, skipped, c.want, c.skipped)
			}
		}
	}
}

// TestCSVNeeded: what a row means does not depend on the columns that are asked for.
func TestCSVNeeded(t *testing.T) {
	text := "1,\"a\nb\",2.5,x\n2,c,,\"\"\"\"\n"
	schema := types.Schema{{Name: "l", Type: types.BigIntType}, {Name: "s", Type: types.StringType}, {Name: "d", Type: types.DoubleType}, {Name: "u", Type: types.StringType}}
	for _, c := range []struct {
		needed []int
		want   string
	}{
		{nil, `{} {}`},
		{[]int{3}, `{"u":"x"} {"u":"\""}`},
		{[]int{1, 0}, `{"s":"a\nb","l":1} {"s":"c","l":2}`},
		{[]int{3, 2}, `{"u":"x","d":2.5} {"u":"\"","d":null}`},
	} {
		rows, _ := decodeText(t, connector.Options{"format": "csv", "csv.null-literal": ""}, schema, c.needed, text, 10)
		if got := strings.Join(rows, " "); got != c.want {
			t.Errorf("%v: got %s, want %s", c.needed, got, c.want)
		}
	}
}

func TestCSVOptions(t *testing.T) {
	for _, c := range []struct {
		options connector.Options
		key     string
		message string
	}{
		{connector.Options{"format": "csv", "csv.field-delimiter": "ab"}, "csv.field-delimiter", "option 'csv.field-delimiter' is 'ab'"},
		{connector.Options{"format": "csv", "csv.field-delimiter": "\""}, "csv.field-delimiter", "the delimiter, the quote and the escape of format 'csv' are not three different characters"},
		{connector.Options{"format": "csv", "csv.quote-character": "'", "csv.disable-quote-character": "true"}, "csv.quote-character",
			"'csv.quote-character' is given although 'csv.disable-quote-character' is true"},
		{connector.Options{"format": "csv", "csv.ignore-parse-errors": "yes"}, "csv.ignore-parse-errors", "option 'csv.ignore-parse-errors' is 'yes'"},
		{connector.Options{"format": "csv", "json.ignore-parse-errors": "true"}, "json.ignore-parse-errors",
			"option 'json.ignore-parse-errors' is for 'format' = 'json', and the table has 'csv'"},
		{connector.Options{"format": "orc"}, "format", "format 'orc' is not supported"},
		{connector.Options{"format": "cvs"}, "format", "there is no format 'cvs'"},
		{connector.Options{"format": "csv", "error-handling.mode": "skip"}, "error-handling.mode", "option 'error-handling.mode' cannot be 'skip'"},
	} {
		choice, _, err := Choose(c.options, "")
		if err == nil {
			err = choice.Check(columns("sl"))
		}
		option, ok := err.(*connector.OptionError)
		if !ok || option.Key != c.key || option.Message != c.message || option.Hint == "" {
			t.Errorf("%v: %#v", c.options, err)
		}
	}
}

// FuzzCSVDecode holds the decoder against encoding/csv where both mean the same, and wants records not to depend on where batches are cut.
func FuzzCSVDecode(f *testing.F) {
	for _, seed := range []string{"a,b\n", "\"a\",\"b\"\"\"\n", "\"a\nb\",c\nd,e", "a\"b,c\n", "\"a\"b,c\n", ",\n\n\"\",\"\"\n", "\"", "a,b,c\n1", "\r\n\"\r\",\r\r\n", "\\,\\\",\"\\\"\"\n"} {
		f.Add(seed)
	}
	schema := types.Schema{{Name: "a", Type: types.StringType}, {Name: "b", Type: types.StringType}}
	f.Fuzz(func(t *testing.T, text string) {
		for _, o := range []connector.Options{{"format": "csv"}, {"format": "csv", "csv.escape-character": "\\", "csv.ignore-parse-errors": "true"},
			{"format": "csv", "csv.disable-quote-character": "true", "csv.allow-comments": "true"}} {
			all, _ := decodeText(t, o, schema, indexes(2), text, 1000)
			single, _ := decodeText(t, o, schema, indexes(2), text, 1)
			if !slices.Equal(all, single) {
				t.Errorf("%v %q: got %v in one batch and %v row by row", o, text, all, single)
			}
			if len(o) == 1 {
				compareCSV(t, schema, text, all)
			}
		}
	})
}

// compareCSV wants the rows that encoding/csv finds, if it finds all of text to be records of two values. It turns \r\n into \n, which we do not.
func compareCSV(t *testing.T, schema types.Schema, text string, rows []string) {
	if strings.ContainsRune(text, '\r') || strings.ToValidUTF8(text, "") != text {
		return
	}
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(records) > 0 && len(records[0]) != 2 {
		return
	}
	var want []string
	for _, r := range records {
		want = append(want, string(NewJSONEncoder(schema, JSONOptions{}).AppendRow(nil, stringRow(r), 0)))
	}
	if !slices.Equal(rows, want) {
		t.Errorf("%q: got %v, encoding/csv has %v", text, rows, want)
	}
}

func stringRow(values []string) *vector.Batch {
	b := &vector.Batch{N: 1, Arena: (&vector.Pool{}).Get()}
	for _, v := range values {
		c := vector.NewBuilder(b.Arena, vector.Bytes, 1)
		c.AppendBytes([]byte(v))
		b.Cols = append(b.Cols, c.Done())
	}
	return b
}

// BenchmarkDecodeCSV reads bids with the first few columns needed; one operation is one row.
func BenchmarkDecodeCSV(b *testing.B) {
	const rows = 4096
	var lines bytes.Buffer
	if err := nexmark.Write(&lines, nexmark.Config{Rows: rows, Seed: 1}); err != nil {
		b.Fatal(err)
	}
	d, err := NewJSONDecoder(bidFields, JSONOptions{TimestampFormat: ISO8601})
	if err != nil {
		b.Fatal(err)
	}
	bids, _, err := Decode(d, Lines, (&vector.Pool{}).Get(), lines.Bytes(), rows)
	if err != nil {
		b.Fatal(err)
	}
	c, _, err := Choose(connector.Options{"format": "csv"}, "")
	if err != nil {
		b.Fatal(err)
	}
	e, err := c.NewEncoder(bidFields)
	if err != nil {
		b.Fatal(err)
	}
	var text []byte
	for i := range rows {
		if text, err = e.Append(text, bids, i); err != nil {
			b.Fatal(err)
		}
		text = append(text, '\n')
	}
	for _, needed := range []int{0, 1, 3, 7} {
		b.Run(fmt.Sprintf("needed=%d", needed), func(b *testing.B) {
			d, err := c.NewDecoder(bidFields, indexes(needed))
			if err != nil {
				b.Fatal(err)
			}
			f, err := c.NewFramer()
			if err != nil {
				b.Fatal(err)
			}
			var pool vector.Pool
			b.SetBytes(int64(len(text) / rows))
			b.ReportAllocs()
			for done := 0; done < b.N; done += rows {
				batch, _, err := Decode(d, f, pool.Get(), text, rows)
				if err != nil || batch.N != rows {
					b.Fatal(batch.N, err)
				}
				batch.Release()
			}
		})
	}
}

// FuzzCSVFrames: where text is cut does not show. The records that are whole in a beginning of a text are those of the whole text.
func FuzzCSVFrames(f *testing.F) {
	for _, seed := range []string{csvFrames, "a\\\nb\n", "\"\"\"\n\"\n", "#\"\n\"x\n\"\n", " \"a\n\"\n", "\"a\"\"", "a\"\n,\"\n\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, o := range []connector.Options{{}, {"escape-character": "\\"}, {"escape-character": "\\", "disable-quote-character": "true"},
			{"allow-comments": "true", "trim-spaces": "true"}} {
			framer, err := csvFormat.NewFramer(o)
			if err != nil {
				t.Fatal(err)
			}
			ends := map[int]bool{0: true}
			for at, whole := 0, true; whole; {
				if _, at, whole = framer.Next([]byte(text), at); whole {
					ends[at] = true
				}
			}
			for cut := range text[:min(len(text), 300)] {
				if end := WholeRecords(framer, []byte(text[:cut])); !ends[end] {
					t.Fatalf("%v %q: cut at %d, records seem to end at %d", o, text, cut, end)
				}
			}
		}
	})
}

const csvFrames = "1,\"a\nb\"\r\n2,\"\"\"\n\"\n\n3,c\"\n4,\"d"

// TestIsASCII: a byte that is not ASCII is found at every place of texts of all lengths.
func TestIsASCII(t *testing.T) {
	for n := range 40 {
		text := bytes.Repeat([]byte{'~'}, n)
		if !isASCII(text) {
			t.Errorf("%q is ASCII", text)
		}
		for i := range n {
			text[i] = 0x80
			if isASCII(text) {
				t.Errorf("%q is not ASCII", text)
			}
			text[i] = '~'
		}
	}
}
