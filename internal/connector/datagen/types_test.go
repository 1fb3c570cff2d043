package datagen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// generated makes n rows of one column as JSON, from row from on.
func generated(t *testing.T, of types.Type, o connector.Options, from int64, n int, now int64) []string {
	t.Helper()
	schema := types.Schema{{Name: "v", Type: of}}
	columns, _, err := readColumns(connector.Table{Name: "t", Schema: schema}, o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := filler(columns).Fill((&vector.Pool{}).Get(), from, n, Still(now))
	if err != nil {
		t.Fatal(err)
	}
	e := format.NewJSONEncoder(schema, format.JSONOptions{})
	rows := make([]string, n)
	for i := range rows {
		rows[i] = strings.TrimSuffix(strings.TrimPrefix(string(e.AppendRow(nil, b, i)), `{"v":`), "}")
	}
	return rows
}

// TestEveryType: values lie where they should, differ, and do not depend on where filling begins.
func TestEveryType(t *testing.T) {
	const now = 1_767_225_600_000_000 + 3_723_000_000 // 2026-01-01 01:02:03
	person := types.RowOf(types.Schema{{Name: "id", Type: types.IntType}, {Name: "name", Type: types.StringType}})
	for _, c := range []struct {
		of      types.Type
		options connector.Options
		check   func(text string) bool
		same    bool // all values are
	}{
		{of: types.TinyIntType, options: connector.Options{"fields.v.min": "-2", "fields.v.max": "7"}, check: func(s string) bool { return len(s) <= 2 }},
		{of: types.SmallIntType, check: func(s string) bool { return len(s) <= 6 }},
		{of: types.FloatType, options: connector.Options{"fields.v.min": "0", "fields.v.max": "1"}, check: func(s string) bool { return s[0] == '0' || s == "1.0" || strings.Contains(s, "E-") }},
		{of: types.DecimalOf(5, 2), check: func(s string) bool { return len(s) <= 6 && s[len(s)-3] == '.' && s[0] != '-' }},
		{of: types.DecimalOf(38, 10), options: connector.Options{"fields.v.min": "-5", "fields.v.max": "5"}, check: func(s string) bool { return strings.Index(s, ".") <= 2 }},
		{of: types.DecimalOf(38, 0), check: func(s string) bool { return len(s) <= 38 }},
		{of: types.Type{Kind: types.Char, Length: 7}, check: func(s string) bool { return len(s) == 9 }},
		{of: types.Type{Kind: types.String, Length: 7}, check: func(s string) bool { return len(s) == 9 }},
		{of: types.StringType, check: func(s string) bool { return len(s) == 102 }},
		{of: types.StringType, options: connector.Options{"fields.v.length": "20", "fields.v.var-len": "true"}, check: func(s string) bool { return len(s) > 2 && len(s) <= 22 }},
		{of: types.Type{Kind: types.Binary, Length: 3}, check: func(s string) bool { return len(s) == 6 }},
		{of: types.BytesType, options: connector.Options{"fields.v.length": "12"}, check: func(s string) bool { return len(s) == 18 }},
		{of: types.DateType, check: func(s string) bool { return s == `"2026-01-01"` }, same: true},
		{of: types.TimeType, check: func(s string) bool { return s == `"01:02:03"` }, same: true},
		{of: types.Type{Kind: types.Timestamp, Precision: 6}, options: connector.Options{"fields.v.max-past": "2 s"}, check: func(s string) bool { return strings.HasPrefix(s, `"2026-01-01 01:02:0`) }},
		{of: types.ArrayOf(types.IntType), options: connector.Options{"fields.v.length": "2", "fields.v.element.min": "5", "fields.v.element.max": "9"}, check: func(s string) bool { return len(s) == 5 }},
		{of: types.ArrayOf(types.ArrayOf(types.BooleanType)), check: func(s string) bool { return strings.Count(s, ",") == 8 }},
		{of: types.MapOf(types.IntType, types.StringType), options: connector.Options{"fields.v.length": "4", "fields.v.key.max": "3", "fields.v.key.min": "1", "fields.v.value.length": "2"},
			check: func(s string) bool { n := strings.Count(s, ":"); return n >= 1 && n <= 3 }},
		{of: types.MultisetOf(types.BooleanType), options: connector.Options{"fields.v.length": "5"}, check: func(s string) bool { return strings.Count(s, ":") <= 2 }},
		{of: person, options: connector.Options{"fields.v.id.null-rate": "1", "fields.v.name.length": "3"}, check: func(s string) bool { return strings.HasPrefix(s, `{"id":null,"name":"`) && len(s) == 24 }},
		{of: types.DecimalOf(5, 2), options: connector.Options{"fields.v.kind": "sequence", "fields.v.start": "7", "fields.v.end": "999"}, check: func(s string) bool { return strings.HasSuffix(s, ".00") }},
		{of: types.FloatType, options: connector.Options{"fields.v.kind": "sequence", "fields.v.start": "7", "fields.v.end": "999"}, check: func(s string) bool { return strings.HasSuffix(s, ".0") }},
	} {
		const n = 200
		all := generated(t, c.of, c.options, 0, n, now)
		distinct := map[string]bool{}
		for i, s := range all {
			distinct[s] = true
			if !c.check(s) {
				t.Errorf("%s: value %d is %s", c.of, i, s)
				break
			}
		}
		if c.same != (len(distinct) == 1) {
			t.Errorf("%s: %d different values", c.of, len(distinct))
		}
		if rest := generated(t, c.of, c.options, 50, n-50, now); !slices.Equal(rest, all[50:]) {
			t.Errorf("%s: from row 50 on, other values", c.of)
		}
	}
}

// TestTimesInside: what is inside of a row has the time of the row.
func TestTimesInside(t *testing.T) {
	columns, _, err := readColumns(connector.Table{Name: "t", Schema: types.Schema{{Name: "v", Type: types.ArrayOf(types.MapOf(types.IntType, types.TimestampType))}}},
		connector.Options{"fields.v.length": "2", "fields.v.element.length": "3"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := filler(columns).Fill((&vector.Pool{}).Get(), 7, 3, Clock{from: 5, rate: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"00:00:02", "00:00:03", "00:00:04"} {
		if got := string(valuefmt.Append(nil, columns[0].of, b.Cols[0], i)); strings.Count(got, want) != strings.Count(got, ":00:") || !strings.Contains(got, want) {
			t.Errorf("row %d: %s, want %s six times", i, got, want)
		}
	}
}

func TestOptionsOfNewTypes(t *testing.T) {
	for _, c := range []struct {
		of           types.Type
		key, value   string
		message, how string
	}{
		{types.TinyIntType, "fields.v.max", "128", "128 is out of the range of TINYINT", "BIGINT"},
		{types.DecimalOf(5, 2), "fields.v.max", "1000", "1000 is out of the range of DECIMAL(5, 2)", "DOUBLE"},
		{types.Type{Kind: types.Char, Length: 3}, "fields.v.length", "4", "does not apply to a column of type CHAR(3)", "kind, null-rate"},
		{types.Type{Kind: types.String, Length: 3}, "fields.v.length", "4", "cannot have 4 characters", "1 to 3"},
		{types.ArrayOf(types.IntType), "fields.v.length", "1001", "cannot have 1001 elements", "0 to 1000"},
		{types.ArrayOf(types.IntType), "fields.v.element.kind", "sequence", "sequence 'v.element' has no start", "start"},
		{types.ArrayOf(types.IntType), "fields.v.element.length", "1", "does not apply to a column of type INT", "min"},
		{types.ArrayOf(types.IntType), "fields.v.elements.min", "1", "has no option 'fields.v.elements.min'", ""},
		{types.DateType, "fields.v.kind", "sequence", "a column of type DATE cannot be a sequence", ""},
		{types.StringType, "fields.v.var-len", "maybe", "is 'maybe'", "true or false"},
	} {
		_, _, err := readColumns(connector.Table{Name: "t", Schema: types.Schema{{Name: "v", Type: c.of}}}, connector.Options{c.key: c.value})
		e, ok := err.(*connector.OptionError)
		if !ok || !strings.Contains(e.Message, c.message) || !strings.Contains(e.Hint, c.how) {
			t.Errorf("%s %s: %s", c.of, c.key, fmt.Sprintf("%#v", err))
		}
	}
}
