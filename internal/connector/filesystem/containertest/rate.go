package containertest

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// rated are columns as tables have them.
var rated = types.Schema{{Name: "id", Type: types.BigIntType}, {Name: "t", Type: types.TimestampType}, {Name: "price", Type: types.DoubleType}, {Name: "city", Type: types.StringType}, {Name: "m", Type: types.DecimalOf(10, 2)}}

// BenchmarkDecode reads rows of c and the same rows of JSON, of which the first few columns are needed; one operation is one row.
func BenchmarkDecode(b *testing.B, c filesystem.Container) {
	const rows = 1 << 16
	text := bytes.ReplaceAll(Lines(rand.New(rand.NewPCG(5, 6)), rated, rows), []byte(`\n`), []byte("-")) // a decoder takes escapes out where they are
	path := Write(b, c, rated, nil, Batch(b, rated, text))
	pieces, err := c.Pieces(path)
	if err != nil {
		b.Fatal(err)
	}
	for needed := range len(rated) + 1 {
		b.Run(fmt.Sprintf("%s/needed=%d", c.Name, needed), func(b *testing.B) {
			r := c.NewReader(rated, All(rated)[:needed], nil)
			var pool vector.Pool
			b.ReportAllocs()
			for done := 0; done < b.N; done += rows {
				for p := range pieces {
					if err := r.Read(path, p, &pool, 4096, func(b *vector.Batch) error { b.Release(); return nil }); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(fmt.Sprintf("json/needed=%d", needed), func(b *testing.B) {
			d, err := format.NewJSONDecoder(rated[:needed], format.JSONOptions{})
			if err != nil {
				b.Fatal(err)
			}
			var pool vector.Pool
			b.ReportAllocs()
			for done := 0; done < b.N; done += rows {
				for rest := text; len(rest) > 0; {
					batch, n, err := format.Decode(d, format.Lines, pool.Get(), rest, 4096)
					if err != nil {
						b.Fatal(err)
					}
					batch.Release()
					rest = rest[n:]
				}
			}
		})
	}
}

// BenchmarkEncode writes them; one operation is one row.
func BenchmarkEncode(b *testing.B, c filesystem.Container) {
	batch := Batch(b, rated, Lines(rand.New(rand.NewPCG(5, 6)), rated, 4096))
	b.Run(c.Name, func(b *testing.B) {
		w, err := c.NewWriter(io.Discard, rated, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for done := 0; done < b.N; done += batch.N {
			if err := w.Write(batch); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("json", func(b *testing.B) {
		e := format.NewJSONEncoder(rated, format.JSONOptions{})
		var buf []byte
		b.ReportAllocs()
		for done := 0; done < b.N; done += batch.N {
			buf = buf[:0]
			for i := range batch.N {
				buf = e.AppendRow(buf, batch, i)
			}
		}
	})
}
