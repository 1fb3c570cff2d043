package format

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// readEach reads records that lie side by side in text and end where ends says.
func readEach(d Decoder, text string, ends []int) (b *vector.Batch, errs []error) {
	d.Begin((&vector.Pool{}).Get(), []byte(text), 1)
	start := 0
	for _, end := range ends {
		if _, err := d.Read(start, end); err != nil {
			errs = append(errs, err)
		}
		start = end
	}
	return d.End(), errs
}

// choose makes a choice of a table's options.
func choose(t testing.TB, o connector.Options) *Choice {
	t.Helper()
	c, ok, err := Choose(o, "")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return c
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// decodeText reads all of text and returns its rows as JSON, with what went wrong in between.
func decodeText(t *testing.T, o connector.Options, schema types.Schema, needed []int, text string, maxRows int) (rows []string, skipped int64) {
	t.Helper()
	c := choose(t, o)
	d, err := c.NewDecoder(schema, needed)
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.NewFramer()
	if err != nil {
		t.Fatal(err)
	}
	encoder := NewJSONEncoder(pick(schema, needed), JSONOptions{})
	var pool vector.Pool
	for buf := []byte(text); len(buf) > 0; {
		b, consumed, err := Decode(d, f, pool.Get(), buf, maxRows)
		if consumed == 0 {
			t.Fatalf("nothing consumed of %q", buf)
		}
		for i := range b.N {
			rows = append(rows, string(encoder.AppendRow(nil, b, i)))
		}
		if err != nil {
			rows = append(rows, "error: "+err.Error())
		}
		b.Release()
		buf = buf[consumed:]
	}
	return rows, d.Skipped()
}

func appendTestMap(keys, values *vector.Vector) []byte {
	return nested.AppendMap(nil, keys.Kind, keys, values.Kind, values, 0, keys.Len())
}

func appendTestArray(elems *vector.Vector) []byte {
	return nested.AppendArray(nil, elems.Kind, elems, 0, elems.Len())
}
