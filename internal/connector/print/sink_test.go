package print

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

func TestValues(t *testing.T) {
	const second, minute, day = 1_000_000, 60_000_000, 86_400_000_000
	for _, c := range []struct {
		t    types.Type
		v    any
		want string
	}{
		{types.BooleanType, true, "true"},
		{types.BooleanType, false, "false"},
		{types.BooleanType, nil, "null"},
		{types.IntType, int64(-7), "-7"},
		{types.BigIntType, int64(math.MinInt64), "-9223372036854775808"},
		{types.DoubleType, 1.0, "1.0"},
		{types.DoubleType, 1e10, "1.0E10"},
		{types.DoubleType, math.Inf(-1), "-Infinity"},
		{types.StringType, "a, b]", "a, b]"},
		{types.StringType, "", ""},
		{types.StringType, nil, "null"},
		{types.TimestampType, int64(0), "1970-01-01T00:00"},
		{types.TimestampType, int64(61 * minute), "1970-01-01T01:01"},
		{types.TimestampType, int64(second), "1970-01-01T00:00:01"},
		{types.TimestampType, int64(1000), "1970-01-01T00:00:00.001"},
		{types.TimestampType, int64(-1000), "1969-12-31T23:59:59.999"},
		{types.TimestampType, int64(-day), "1969-12-31T00:00"},
		{types.Type{Kind: types.Timestamp, Precision: 6}, int64(1), "1970-01-01T00:00:00.000001"},
		{types.TimestampLTZType, int64(0), "1970-01-01T00:00:00Z"},
		{types.TimestampLTZType, int64(123_000), "1970-01-01T00:00:00.123Z"},
		{types.TimestampLTZType, nil, "null"},
		{types.IntervalDayType, int64(-1500 * 1000), "-0 00:00:01.500"},
		{types.IntervalMonthType, int64(14), "+1-02"},
	} {
		v := column(new(vector.Pool).Get(), c.t, c.v)
		if got := string(appendValue(nil, c.t, v, 0)); got != c.want {
			t.Errorf("%s %v: got %s, want %s", c.t, c.v, got, c.want)
		}
	}
}

// column makes a vector of values, nil for NULL.
func column(a *vector.Arena, t types.Type, values ...any) *vector.Vector {
	b := vector.NewBuilder(a, vector.KindOf(t), len(values))
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			b.AppendNull()
		case bool:
			b.AppendBool(v)
		case int64:
			b.AppendInt(v)
		case float64:
			b.AppendFloat(v)
		case string:
			b.AppendBytes([]byte(v))
		}
	}
	return b.Done()
}

var schema = types.Schema{{Name: "id", Type: types.BigIntType}, {Name: "name", Type: types.StringType}}

func rows(ops []vector.Op, sel []int32) *vector.Batch {
	a := new(vector.Pool).Get()
	return &vector.Batch{N: 3, Ops: ops, Sel: sel, Arena: a,
		Cols: []*vector.Vector{column(a, types.BigIntType, int64(1), int64(2), int64(3)), column(a, types.StringType, "a", nil, "c")}}
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		name    string
		options connector.Options
		batch   *vector.Batch
		out     string
		err     string
	}{
		{"inserts", nil, rows(nil, nil), "+I[1, a]\n+I[2, null]\n+I[3, c]\n", ""},
		{"changes", nil, rows([]vector.Op{vector.UpdateBefore, vector.UpdateAfter, vector.Delete}, nil), "-U[1, a]\n+U[2, null]\n-D[3, c]\n", ""},
		{"selected", nil, rows([]vector.Op{vector.Delete, vector.Insert, vector.Delete}, []int32{0, 2}), "-D[1, a]\n-D[3, c]\n", ""},
		{"identifier", connector.Options{"print-identifier": "id"}, rows(nil, []int32{1}), "id> +I[2, null]\n", ""},
		{"standard error", connector.Options{"standard-error": "true"}, rows(nil, []int32{1}), "", "+I[2, null]\n"},
	} {
		var out, err strings.Builder
		s, failure := NewSink(connector.Table{Schema: schema, Stdout: &out, Stderr: &err}, c.options)
		if failure == nil {
			failure = s.Write(c.batch)
		}
		if failure == nil && out.Len()+err.Len() > 0 {
			t.Errorf("%s: written before Flush", c.name)
		}
		if failure == nil {
			failure = errors.Join(s.Flush(), s.Close())
		}
		if failure != nil || out.String() != c.out || err.String() != c.err {
			t.Errorf("%s: %v\nout %s\nerr %s", c.name, failure, out.String(), err.String())
		}
	}
}

// TestReadable prints a text of bytes that are no UTF-8 with � for each.
func TestReadable(t *testing.T) {
	var out strings.Builder
	s, err := NewSink(connector.Table{Schema: schema[1:], Stdout: &out}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := new(vector.Pool).Get()
	for _, text := range []string{"ж", "a\xff\xfeb", "c"} {
		if err := s.Write(&vector.Batch{N: 1, Cols: []*vector.Vector{column(a, types.StringType, text)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(); err != nil || out.String() != "+I[ж]\n+I[a��b]\n+I[c]\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestMuchTextIsNotKeptBack(t *testing.T) {
	var out bytes.Buffer
	s, err := NewSink(connector.Table{Schema: schema[1:], Stdout: &out}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := new(vector.Pool).Get()
	b := &vector.Batch{N: 1, Cols: []*vector.Vector{column(a, types.StringType, strings.Repeat("x", bufferBytes))}}
	if err := s.Write(b); err != nil || out.Len() < bufferBytes {
		t.Errorf("%d bytes written, %v", out.Len(), err)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed pipe") }

func TestWriteError(t *testing.T) {
	s, err := NewSink(connector.Table{Schema: schema, Stdout: closed{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(rows(nil, nil)); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(); fault.Of(err) != fault.External || err.Error() != "print: closed pipe" {
		t.Error(err)
	}
}

func TestRefused(t *testing.T) {
	_, err := NewSink(connector.Table{}, connector.Options{"standard-error": "maybe"})
	if e, ok := errors.AsType[*connector.OptionError](err); !ok || e.Key != "standard-error" {
		t.Error(err)
	}
	err = connector.Check("print", connector.Options{"sink.parallelism": "0"}, Connector.Specs)
	if e, ok := errors.AsType[*connector.OptionError](err); !ok || e.Message != "option 'sink.parallelism' is '0', which is not a whole number from 1 on" {
		t.Error(err)
	}
	_, err = NewSource(connector.Table{}, nil)
	if e, ok := errors.AsType[*connector.OptionError](err); !ok || e.Message != "a table with connector 'print' cannot be read" || e.Hint == "" {
		t.Error(err)
	}
}
