package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

const (
	// maxRows is how many rows of a table are kept. Those that came first go first.
	maxRows = 100_000
	// maxChanges is how many changes are kept.
	maxChanges = 10_000
)

// row is a row as text; nil stands for NULL.
type row []*string

// key tells rows apart: two rows are equal if their keys are.
func (r row) key() string {
	var b strings.Builder
	for _, cell := range r {
		if cell == nil {
			b.WriteString("n;")
			continue
		}
		b.WriteString(strconv.Itoa(len(*cell)) + ":" + *cell)
	}
	return b.String()
}

// change is a row with what happened to it.
type change struct {
	op  vector.Op
	row row
}

// fold is the table that a changelog comes to. A table is a multiset of rows: +I and +U add a row, -U and -D take away one that is equal. A +U
// right behind a -U stands where the old row stood.
type fold struct {
	rows   []row // nil where one was taken away
	live   int
	first  int              // no row stands before it
	places map[string][]int // by key: where equal rows stand, ascending
	hole   int              // where the last -U left one, or -1
	lost   bool             // rows were left out because there were too many
}

func newFold() *fold { return &fold{places: map[string][]int{}, hole: -1} }

func (f *fold) apply(c change) {
	key := c.row.key()
	hole := f.hole
	f.hole = -1
	switch c.op {
	case vector.Insert, vector.UpdateAfter:
		f.live++
		if c.op == vector.UpdateAfter && hole >= 0 {
			f.rows[hole] = c.row
			f.first = min(f.first, hole)
			at, _ := slices.BinarySearch(f.places[key], hole)
			f.places[key] = slices.Insert(f.places[key], at, hole)
			return
		}
		f.rows = append(f.rows, c.row)
		f.places[key] = append(f.places[key], len(f.rows)-1)
		f.bound()
	default:
		places := f.places[key]
		if len(places) == 0 {
			return // it was left out
		}
		at := places[len(places)-1]
		f.take(key, len(places)-1)
		if c.op == vector.UpdateBefore {
			f.hole = at
		}
	}
}

// take removes one of the rows with a key.
func (f *fold) take(key string, which int) {
	places := f.places[key]
	f.rows[places[which]] = nil
	f.live--
	if len(places) == 1 {
		delete(f.places, key)
		return
	}
	f.places[key] = slices.Delete(places, which, which+1)
}

// bound keeps the number of rows, and of holes between them, in bounds.
func (f *fold) bound() {
	if f.live > maxRows {
		for f.rows[f.first] == nil {
			f.first++
		}
		f.take(f.rows[f.first].key(), 0)
		f.lost = true
	}
	if len(f.rows) < 2*f.live+64 {
		return
	}
	f.rows = slices.DeleteFunc(f.rows, func(r row) bool { return r == nil })
	clear(f.places)
	f.first = 0
	for i, r := range f.rows {
		f.places[r.key()] = append(f.places[r.key()], i)
	}
}

// table is the rows that are there, in the order in which they came.
func (f *fold) table() []row {
	rows := make([]row, 0, f.live)
	for _, r := range f.rows {
		if r != nil {
			rows = append(rows, r)
		}
	}
	return rows
}

// changes are the rows of a batch, as text.
func changes(schema types.Schema, b *vector.Batch) []change {
	rows := b.Rows()
	list := make([]change, rows.Count())
	for k := range list {
		i := rows.At(k)
		list[k].op = vector.Insert
		if b.Ops != nil {
			list[k].op = b.Ops[i]
		}
		list[k].row = make(row, len(b.Cols))
		for c, v := range b.Cols {
			if v.IsNull(i) {
				continue
			}
			text := cellText(schema[c].Type, v, i)
			list[k].row[c] = &text
		}
	}
	return list
}

func cellText(t types.Type, v *vector.Vector, i int) string {
	if t.Kind == types.Boolean {
		return strconv.FormatBool(v.Bool(i))
	}
	return string(valuefmt.Append(nil, t, v, i))
}
