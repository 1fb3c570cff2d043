package format

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/cputime"
	"github.com/tidemark-sql/tidemark/internal/nexmark"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var bidFields = types.Schema{
	{Name: "bidder", Type: types.BigIntType},
	{Name: "dateTime", Type: types.TimestampLTZType},
	{Name: "price", Type: types.BigIntType},
	{Name: "auction", Type: types.BigIntType},
	{Name: "channel", Type: types.StringType},
	{Name: "url", Type: types.StringType},
	{Name: "extra", Type: types.StringType},
}

// BenchmarkDecodeBids reads bids with the first few of bidFields needed, some also by tables that leave out what cannot be read, or keep it elsewhere; one operation is one row.
func BenchmarkDecodeBids(b *testing.B) {
	const rows = 4096
	var text bytes.Buffer
	if err := nexmark.Write(&text, nexmark.Config{Rows: rows, Seed: 1}); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		needed int
		mode   string
	}{{0, "fail"}, {1, "fail"}, {2, "fail"}, {3, "fail"}, {7, "fail"}, {1, "ignore"}, {7, "ignore"}, {1, "log"}, {7, "log"}} {
		b.Run(fmt.Sprintf("needed=%d/mode=%s", c.needed, c.mode), func(b *testing.B) {
			choice, _, err := Choose(connector.Options{"format": "json", "json.timestamp-format.standard": "ISO-8601", "error-handling.mode": c.mode}, "")
			if err != nil {
				b.Fatal(err)
			}
			d, err := choice.NewDecoder(bidFields, indexes(c.needed))
			if err != nil {
				b.Fatal(err)
			}
			var pool vector.Pool
			b.SetBytes(int64(text.Len() / rows))
			b.ReportAllocs()
			from := cputime.Used()
			done := 0
			for ; done < b.N; done += rows {
				a := pool.Get()
				batch, _, err := Decode(d, Lines, a, text.Bytes(), rows)
				if err != nil || batch.N != rows {
					b.Fatal(batch.N, err)
				}
				batch.Release()
			}
			b.ReportMetric(float64((cputime.Used()-from).Nanoseconds())/float64(done), "cpu-ns/row")
		})
	}
}
