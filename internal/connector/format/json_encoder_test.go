package format

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

func TestAppendRow(t *testing.T) {
	schema := append(everyType[:len(everyType):len(everyType)],
		types.Field{Name: `"age"`, Type: types.IntervalDayType}, types.Field{Name: "term", Type: types.IntervalMonthType})
	var pool vector.Pool
	b := &vector.Batch{N: 2, Arena: pool.Get()}
	columns := make([]*vector.Builder, len(schema))
	for i, f := range schema {
		columns[i] = vector.NewBuilder(b.Arena, vector.KindOf(f.Type), 2)
		columns[i].AppendNull()
	}
	columns[0].AppendBool(true)
	columns[1].AppendInt(-1)
	columns[2].AppendInt(math.MinInt64)
	columns[3].AppendFloat(math.Inf(1))
	columns[4].AppendBytes([]byte("tide\n\x01\"\\ 潮 \xff"))
	columns[5].AppendInt(-1000)
	columns[6].AppendInt(0)
	columns[7].AppendInt(3_600_000_000)
	columns[8].AppendInt(-13)
	for _, c := range columns {
		b.Cols = append(b.Cols, c.Done())
	}
	for _, c := range []struct {
		format TimestampFormat
		row    int
		want   string
	}{
		{SQL, 0, `{"b":null,"i":null,"l":null,"d":null,"s":null,"t":null,"z":null,"\"age\"":null,"term":null}`},
		{SQL, 1, `{"b":true,"i":-1,"l":-9223372036854775808,"d":"Infinity","s":"tide\n\u0001\"\\ 潮 �",` +
			`"t":"1969-12-31 23:59:59.999","z":"1970-01-01 00:00:00.000Z","\"age\"":"+0 01:00:00.000","term":"-1-01"}`},
		{ISO8601, 1, `{"b":true,"i":-1,"l":-9223372036854775808,"d":"Infinity","s":"tide\n\u0001\"\\ 潮 �",` +
			`"t":"1969-12-31T23:59:59.999","z":"1970-01-01T00:00:00.000Z","\"age\"":"+0 01:00:00.000","term":"-1-01"}`},
	} {
		got := NewJSONEncoder(schema, JSONOptions{TimestampFormat: c.format}).AppendRow([]byte("before "), b, c.row)
		if string(got) != "before "+c.want {
			t.Errorf("got  %s\nwant before %s", got, c.want)
		}
		if !json.Valid([]byte(c.want)) {
			t.Errorf("not JSON: %s", c.want)
		}
	}
	if got := NewJSONEncoder(nil, JSONOptions{}).AppendRow(nil, b, 0); string(got) != "{}" {
		t.Errorf("a row without columns is %s", got)
	}
}
