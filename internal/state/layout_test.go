package state

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Rows that are laid out take as many bytes of strings as they have, however many columns there are and whichever way they were kept.
func TestRowsTakeWhatTheyHave(t *testing.T) {
	const n, columns, size = 100, 20, 300
	kinds := append([]vector.Kind{vector.Int64, vector.Int128, vector.Bool, vector.Float64}, slices.Repeat([]vector.Kind{vector.Bytes}, columns)...)
	pool := &vector.Pool{}
	from := pool.Get()
	cols := from.Columns(len(kinds))
	for i, k := range kinds {
		b := vector.NewBuilder(from, k, n)
		for row := range n {
			switch {
			case row%7 == i%7:
				b.AppendNull()
			case k == vector.Int64:
				b.AppendInt(int64(row))
			case k == vector.Int128:
				b.AppendWide(int128.Int{Lo: uint64(row), Hi: -1})
			case k == vector.Bool:
				b.AppendBool(row%2 == 0)
			case k == vector.Float64:
				b.AppendFloat(float64(row))
			default:
				b.AppendBytes(bytes.Repeat([]byte{byte(i), byte(row)}, size/2))
			}
		}
		cols[i] = b.Done()
	}
	has := 0
	for _, c := range cols {
		has += len(c.Buf)
	}

	var rows [][]byte
	for row := range n {
		rows = append(rows, AppendRow(nil, cols, row))
	}
	keys, ids := NewKeys(kinds), make([]uint32, n)
	keys.Find(&Input{Cols: cols, Rows: vector.All(n)}, ids)
	for name, lay := range map[string]func(a *vector.Arena) []*vector.Vector{
		"rows": func(a *vector.Arena) []*vector.Vector { return RowColumns(a, kinds, rows) },
		"keys": func(a *vector.Arena) []*vector.Vector { return keys.Columns(a, ids, nil) },
	} {
		a := pool.Get()
		got := lay(a)
		if a.Charged() != has {
			t.Errorf("%s take %d bytes, of %d", name, a.Charged(), has)
		}
		for row := range n {
			if !bytes.Equal(AppendRow(nil, got, row), rows[row]) {
				t.Fatalf("%s: row %d came back as another", name, row)
			}
		}
		a.Release()
	}
}
