package format

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// FuzzJSONDecode holds the decoder against encoding/json. Where that accepts a line as an object, both must agree on
// every value, or on which line is refused; whatever the input, lines must not influence each other.
func FuzzJSONDecode(f *testing.F) {
	for _, seed := range []string{
		`{"b":true,"i":1,"l":2,"d":2.5,"s":"x","t":"2026-01-01 00:00:00","z":"2026-01-01 00:00:00.5Z"}`,
		"{\"l\":1,\"s\":\"\\ud83c\\udf0a\"}\n{\"l\":2, \"s\":[{}]}\r\n\n{\"s\":\"\",\"l\":null}",
		`{"l":"12","d":"NaN","b":"true","s":1e5,"x":{"l":[]}}`,
		`{"d":-0.0000001234567890123456e-20,"i":-0,"l":9223372036854775807}`,
		"{\"\\u006c\":1,\"l\":2}\n{",
		"{\"\":}\n{\"\": 0}",
		"{\"\":000\x1a\x86}\n{",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var alone []string
		for _, line := range strings.SplitAfter(text, "\n") {
			for _, result := range decodeTolerant(t, line, 10) {
				if want, defined := reference([]byte(line)); defined && result != want {
					t.Errorf("%q: got %s, want %s", line, result, want)
				}
				alone = append(alone, result)
			}
		}
		for _, maxRows := range []int{1, 1000} {
			if got := decodeTolerant(t, text, maxRows); strings.Join(got, "\n") != strings.Join(alone, "\n") {
				t.Errorf("%d rows at a time: got\n%s\nwant\n%s", maxRows, got, alone)
			}
		}
	})
}

const refused = "refused"

// decodeTolerant is the rows of text as JSON, with refused in place of a bad line.
func decodeTolerant(t *testing.T, text string, maxRows int) (results []string) {
	d, err := NewJSONDecoder(everyType, JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	encoder := NewJSONEncoder(everyType, JSONOptions{})
	var pool vector.Pool
	for buf := []byte(text); len(buf) > 0; {
		b, consumed, err := Decode(d, Lines, pool.Get(), buf, maxRows)
		for i := range b.N {
			results = append(results, string(encoder.AppendRow(nil, b, i)))
		}
		if err != nil {
			results = append(results, refused)
		}
		b.Release()
		buf = buf[consumed:]
	}
	return results
}

// reference reads one line by way of encoding/json. It is not defined where the decoder is meant to differ: on text that
// is not UTF-8 or not a JSON object.
func reference(line []byte) (row string, defined bool) {
	if !utf8.Valid(line) || !json.Valid(line) || bytes.TrimSpace(line)[0] != '{' {
		return "", false
	}
	first := map[string]json.RawMessage{}
	tokens := json.NewDecoder(bytes.NewReader(line))
	tokens.Token()
	for tokens.More() {
		key, err := tokens.Token()
		if err != nil {
			return "", false
		}
		var value json.RawMessage
		if tokens.Decode(&value) != nil {
			return "", false
		}
		if _, twice := first[key.(string)]; !twice {
			first[key.(string)] = value
		}
	}
	var pool vector.Pool
	b := &vector.Batch{N: 1, Arena: pool.Get()}
	for _, f := range everyType {
		column := vector.NewBuilder(b.Arena, vector.KindOf(f.Type), 1)
		if raw, there := first[f.Name]; !there || string(raw) == "null" {
			column.AppendNull()
		} else if !referenceValue(column, f.Type.Kind, raw) {
			return refused, true
		}
		b.Cols = append(b.Cols, column.Done())
	}
	return string(NewJSONEncoder(everyType, JSONOptions{}).AppendRow(nil, b, 0)), true
}

var timestampShape = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,9})?(Z?)$`)

// referenceValue appends raw to column, or reports that a column of that kind must not take it.
func referenceValue(column *vector.Builder, kind types.Kind, raw json.RawMessage) bool {
	var text string
	quoted := raw[0] == '"'
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	trimmed := string(bytes.TrimSpace([]byte(text)))
	switch kind {
	case types.Boolean:
		column.AppendBool(text == "true")
		return text == "true" || text == "false"
	case types.Int, types.BigInt:
		if !quoted {
			trimmed = text
		}
		v, err := strconv.ParseInt(trimmed, 10, 64)
		column.AppendInt(v)
		return err == nil && (kind == types.BigInt || math.MinInt32 <= v && v <= math.MaxInt32)
	case types.Double:
		if quoted && (trimmed == "NaN" || strings.TrimPrefix(trimmed, "-") == "Infinity") {
			v, _ := strconv.ParseFloat(trimmed, 64)
			column.AppendFloat(v)
			return true
		}
		v, err := strconv.ParseFloat(trimmed, 64)
		column.AppendFloat(v)
		return err == nil && json.Valid([]byte(trimmed)) && trimmed[0] != '"'
	case types.String:
		column.AppendBytes([]byte(text))
		return true
	}
	shape := timestampShape.FindStringSubmatch(text)
	if shape == nil || !quoted || (shape[2] == "Z") != (kind == types.TimestampLTZ) {
		return false
	}
	v, err := time.Parse("2006-01-02 15:04:05", strings.TrimSuffix(text, "Z"))
	column.AppendInt(v.Truncate(time.Millisecond).UnixMilli() * 1000)
	return err == nil && v.Year() >= 1
}
