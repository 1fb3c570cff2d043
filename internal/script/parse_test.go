package script

import (
	"reflect"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// TestParse reads one of everything.
func TestParse(t *testing.T) {
	f, err := Parse("x.script", "sql\nSELECT 1;\n\nSELECT 2\n----\n# output\n\n# comment\nrows t split 2 at +200ms # comment\na 'b # c'\n----\n\nclock 00:00:05\n----\n+I 1\n+I 2\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []Block{
		{Verb: SQL, Line: 1, Body: []string{"SELECT 1;", "", "SELECT 2"}, Want: []string{"# output"}, Split: AllSplits, title: "sql", want: span{5, 6}},
		{Verb: Rows, Line: 9, Body: []string{"a 'b # c'"}, Table: "t", Split: 2, Clock: Move{Set: true, Relative: true, Micros: 200_000}, title: "rows t split 2 at +200ms", want: span{11, 11}},
		{Verb: Clock, Line: 13, Want: []string{"+I 1", "+I 2"}, Split: AllSplits, Clock: Move{Set: true, Micros: 5_000_000}, title: "clock 00:00:05", want: span{14, 16}},
	}
	if !reflect.DeepEqual(f.Blocks, want) {
		t.Errorf("got  %+v\nwant %+v", f.Blocks, want)
	}
}

// TestParseErrors names the line and what to write instead.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "x.script:1: the script has no block and so tests nothing; begin with: sql"},
		{"\n# comment\n\n", "x.script:1: the script has no block and so tests nothing; begin with: sql"},
		{"row t\n1\n----\n", "x.script:1: unknown verb 'row'; did you mean 'rows'?"},
		{"\n# c\nxyzzy\n----\n", "x.script:3: unknown verb 'xyzzy'; the verbs are: sql, topic, rows, messages, clock, end, pause, resume, watermark, system, down, up, splits, late, counts, snapshot, crash, drain, promise"},
		{"sql\nSELECT 1\n", "x.script:1: the block 'sql' has no line ----"},
		{"sql\n----\n", "x.script:2: sql has nothing between its line and ----"},
		{"rows t\n\n1\n----\n", "x.script:2: expected ---- before the blank line: the block 'rows t' is not over"},
		{"late\n----\nnone\nend\n----\n", "x.script:5: ---- within the output of the block of line 1: put a blank line before the next block"},
		{"late\nend\n----\n", "x.script:2: expected ----: late takes nothing below its line"},
		{"rows\n1\n----\n", "x.script:1: rows of which table?; write: rows TABLE [split N] [at TIME]"},
		{"pause\n----\n", "x.script:1: pause of which table?; write: pause TABLE [split N]"},
		{"splits t split 1\n----\n", "x.script:1: 'split' is not understood here; write: splits [TABLE]"},
		{"rows t split one\n1\n----\n", "x.script:1: 'one' is not the number of a split, which count from 0; write: rows TABLE [split N] [at TIME]"},
		{"rows t on 1s\n1\n----\n", "x.script:1: 'on' is not understood here; write: rows TABLE [split N] [at TIME]"},
		{"topic\n----\n", "x.script:1: which topic?; write: topic NAME [splits N]"},
		{"topic t split 2\n----\n", "x.script:1: 'split' is not understood here; write: topic NAME [splits N]"},
		{"topic t splits 0\n----\n", "x.script:1: '0' is not a number of splits, 1 to 100000; write: topic NAME [splits N]"},
		{"promise\n----\n", "x.script:1: promise of which table?; write: promise TABLE by WRITER TIME|none [idle|stopped|ended] [at TIME]"},
		{"promise t a 5s\n----\n", "x.script:1: a promise is made by a writer, and has a watermark; write: promise TABLE by WRITER TIME|none [idle|stopped|ended] [at TIME]"},
		{"promise t by a 5s\n----\n", "x.script:1: '5s' is not a watermark, such as 00:00:05 or none; write: promise TABLE by WRITER TIME|none [idle|stopped|ended] [at TIME]"},
		{"promise t by everybody none\n----\n", "x.script:1: the name of writer 'everybody' has more than 8 bytes; write: promise TABLE by WRITER TIME|none [idle|stopped|ended] [at TIME]"},
		{"promise t by a none gone\n----\n", "x.script:1: 'gone' is not understood here; write: promise TABLE by WRITER TIME|none [idle|stopped|ended] [at TIME]"},
		{"clock 5\n----\n", "x.script:1: '5' has no unit, such as ms or s; write: clock TIME, clock +DURATION, or clock set TIME"},
		{"clock 5x\n----\n", "x.script:1: '5x' has no unit that is known; write: clock TIME, clock +DURATION, or clock set TIME"},
		{"clock 25:00:00\n----\n", "x.script:1: '25:00:00' is not a time of the clock, such as 5s or 00:00:05; write: clock TIME, clock +DURATION, or clock set TIME"},
		{"clock\n----\n", "x.script:1: clock takes one time; write: clock TIME, clock +DURATION, or clock set TIME"},
	} {
		if _, err := Parse("x.script", c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestParseRow reads values as their columns want them.
func TestParseRow(t *testing.T) {
	schema := func(kinds ...types.Type) (s types.Schema) {
		for i, k := range kinds {
			s = append(s, types.Field{Name: string(rune('a' + i)), Type: k})
		}
		return s
	}
	notNull := types.IntType
	notNull.NotNull = true
	for _, c := range []struct {
		line   string
		schema types.Schema
		want   []cell
		err    string
	}{
		{"1 x  # comment", schema(types.IntType, types.StringType), []cell{{number: 1}, {text: "x"}}, ""},
		{"'it''s' '#' ''", schema(types.StringType, types.StringType, types.StringType), []cell{{text: "it's"}, {text: "#"}, {}}, ""},
		{"NULL 'NULL'", schema(types.StringType, types.StringType), []cell{{null: true}, {text: "NULL"}}, ""},
		{"true -1.5e3", schema(types.BooleanType, types.DoubleType), []cell{{number: 1}, {double: -1500}}, ""},
		{"00:00:01.5 1970-01-02T00:00:00Z", schema(types.TimestampType, types.TimestampLTZType), []cell{{number: 1_500_000}, {number: 86_400_000_000}}, ""},
		{"1", schema(types.IntType, types.StringType), nil, "1 values for 2 columns: a, b"},
		{"2147483648", schema(types.IntType), nil, "column 'a' is INT and takes a whole number, not 2147483648"},
		{"'1'", schema(types.IntType), nil, "column 'a' is INT and takes a whole number, not 1"},
		{"NULL", schema(notNull), nil, "column 'a' is INT NOT NULL and takes a whole number, not NULL"},
		{"yes", schema(types.BooleanType), nil, "column 'a' is BOOLEAN and takes true or false, not yes"},
		{"00:00:01Z", schema(types.TimestampType), nil, "column 'a' is TIMESTAMP(3) and takes a time such as 00:00:01.500 or 2026-01-01T00:00:00, not 00:00:01Z"},
		{"00:00:01", schema(types.TimestampLTZType), nil, "column 'a' is TIMESTAMP_LTZ(3) and takes an instant such as 00:00:01.500Z or 2026-01-01T00:00:00Z, not 00:00:01"},
		{"00:00:01.0001", schema(types.TimestampType), nil, "column 'a' is TIMESTAMP(3) and takes a time such as 00:00:01.500 or 2026-01-01T00:00:00, not 00:00:01.0001"},
		{"'a", schema(types.StringType), nil, "the quote at 'a is not closed"},
		{"'a'b", schema(types.StringType), nil, "expected a blank behind 'a'"},
	} {
		got, err := parseRow(c.line, c.schema)
		if err != nil && err.Error() != c.err || err == nil && c.err != "" || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s\n got %v, %v\nwant %v, %s", c.line, got, err, c.want, c.err)
		}
	}
}
