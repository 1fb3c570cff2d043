package containertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// LongRows reads rows that take many bytes each and few in the file: batches have fewer of them, and nothing is lost at their edges.
func LongRows(t *testing.T, c filesystem.Container, o connector.Options) {
	t.Helper()
	const short, long, size, most = 5000, 150, 60_000, 10 << 20
	schema := types.Schema{{Name: "s", Type: types.StringType}, {Name: "as", Type: types.ArrayOf(types.StringType)}, {Name: "n", Type: types.IntType}}
	var text strings.Builder
	row := func(n, size int) {
		s := fmt.Sprintf("%d%s", n, strings.Repeat("x", size))
		fmt.Fprintf(&text, `{"s":%q,"as":[%q],"n":%d}`+"\n", s, s, n)
	}
	for n := range short {
		row(n, 1)
	}
	for n := range long {
		row(short+n, size)
	}
	all := Batch(t, schema, []byte(text.String()))
	want := Rows(schema, all)
	path := Write(t, c, schema, o, all)
	for _, needed := range [][]int{{0, 1, 2}, {0, 2}} {
		var fields types.Schema
		for _, i := range needed {
			fields = append(fields, schema[i])
		}
		pieces, err := c.Pieces(path)
		if err != nil {
			t.Fatal(err)
		}
		r, at := c.NewReader(schema, needed, nil), 0
		for p := range pieces {
			err := r.Read(path, p, &vector.Pool{}, 4096, func(b *vector.Batch) error {
				bytes := 0
				for _, col := range b.Cols {
					for row := range b.N {
						if col.Kind == vector.Bytes {
							bytes += len(col.Bytes(row))
						}
					}
				}
				if bytes > most {
					t.Errorf("%v: a batch of %d rows has strings of %d bytes", o, b.N, bytes)
				}
				for _, row := range Rows(fields, b) {
					if at < len(want) && len(needed) == len(schema) && row != want[at] || !strings.Contains(row, fmt.Sprintf(`"n":%d}`, at)) {
						t.Fatalf("%v: row %d is %.60s", o, at, row)
					}
					at++
				}
				b.Release()
				return nil
			})
			if err != nil {
				t.Fatalf("%v: %v", o, err)
			}
		}
		if at != short+long {
			t.Errorf("%v: %d rows of %d", o, at, short+long)
		}
	}
}
