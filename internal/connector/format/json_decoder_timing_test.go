package format

import (
	"bytes"
	"fmt"
	"testing"

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

// BenchmarkDecodeBids reads bids with the first few of bidFields needed; one operation is one row.
func BenchmarkDecodeBids(b *testing.B) {
	const rows = 4096
	var text bytes.Buffer
	if err := nexmark.Write(&text, nexmark.Config{Rows: rows, Seed: 1}); err != nil {
		b.Fatal(err)
	}
	for _, needed := range []int{0, 1, 2, 3, 7} {
		b.Run(fmt.Sprintf("needed=%d", needed), func(b *testing.B) {
			d, err := NewJSONDecoder(bidFields[:needed], JSONOptions{TimestampFormat: ISO8601})
			if err != nil {
				b.Fatal(err)
			}
			var pool vector.Pool
			b.SetBytes(int64(text.Len() / rows))
			b.ReportAllocs()
			for done := 0; done < b.N; done += rows {
				a := pool.Get()
				batch, _, err := Decode(d, Lines, a, text.Bytes(), rows)
				if err != nil || batch.N != rows {
					b.Fatal(batch.N, err)
				}
				batch.Release()
			}
		})
	}
}
