package shell

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

func rowOf(cells ...string) row {
	r := make(row, len(cells))
	for i := range cells {
		if cells[i] != "NULL" {
			r[i] = &cells[i]
		}
	}
	return r
}

func (r row) shown() string {
	cells := make([]string, len(r))
	for i, c := range r {
		if cells[i] = "NULL"; c != nil {
			cells[i] = *c
		}
	}
	return strings.Join(cells, ",")
}

func shown(rows []row) string {
	list := make([]string, len(rows))
	for i, r := range rows {
		list[i] = r.shown()
	}
	return strings.Join(list, " ")
}

// TestFold: an update stands where the old row stood, NULL is no text, and the last of equal rows goes first.
func TestFold(t *testing.T) {
	for _, c := range []struct{ changes, want string }{
		{"", ""},
		{"+I a +I b -D a", "b"},
		{"+I a +I b +I c -U b +U x", "a x c"},
		{"+I a -U a +I b +U c", "b c"},
		{"+I a +I b +I a -D a", "a b"},
		{"-D a +I b", "b"},
		{"+I NULL +I a -D NULL", "a"},
		{"+I a +I b -U a +U b -D b", "b"},
		{"+U a -U a +U a", "a"},
	} {
		f := newFold()
		fields := strings.Fields(c.changes)
		for i := 0; i < len(fields); i += 2 {
			f.apply(change{opOf(fields[i]), rowOf(fields[i+1])})
		}
		if got := shown(f.table()); got != c.want {
			t.Errorf("%s folds into %q, want %q", c.changes, got, c.want)
		}
	}
	if rowOf("NULL").key() == rowOf("n;").key() || rowOf("a", "bc").key() == rowOf("ab", "c").key() {
		t.Error("different rows have one key")
	}
}

func opOf(text string) vector.Op {
	for op := vector.Insert; op <= vector.Delete; op++ {
		if op.String() == text {
			return op
		}
	}
	panic("tidemark bug: no such op " + text)
}

// TestFoldIsMultiset holds the fold against counting, over long random changelogs.
func TestFoldIsMultiset(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	f, counts := newFold(), map[string]int{}
	for range 50_000 {
		text := fmt.Sprint(random.IntN(40))
		op := vector.Op(random.IntN(4))
		f.apply(change{op, rowOf(text)})
		switch {
		case op == vector.Insert || op == vector.UpdateAfter:
			counts[text]++
		case counts[text] > 0:
			counts[text]--
		}
	}
	var want []string
	for text, n := range counts {
		for range n {
			want = append(want, text)
		}
	}
	got := strings.Fields(shown(f.table()))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || f.live != len(want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	if len(f.rows) > 2*f.live+64 {
		t.Errorf("%d places for %d rows", len(f.rows), f.live)
	}
}

// TestFoldIsBounded keeps the latest rows of an endless table.
func TestFoldIsBounded(t *testing.T) {
	f := newFold()
	for i := range 2 * maxRows {
		f.apply(change{vector.Insert, rowOf(fmt.Sprint(i))})
	}
	rows := f.table()
	if len(rows) != maxRows || !f.lost || rows[0].shown() != fmt.Sprint(maxRows) || len(f.rows) > 3*maxRows {
		t.Errorf("%d rows from %s on in %d places", len(rows), rows[0].shown(), len(f.rows))
	}
	f.apply(change{vector.Delete, rowOf("0")})
	if f.live != maxRows {
		t.Error("a row that was left out is taken away")
	}
}

// BenchmarkFold updates one row of a thousand at a time.
func BenchmarkFold(b *testing.B) {
	f := newFold()
	rows := make([]row, 2_000)
	for i := range rows {
		rows[i] = rowOf(fmt.Sprint(i%1_000), fmt.Sprint(i))
	}
	for _, r := range rows[:1_000] {
		f.apply(change{vector.Insert, r})
	}
	b.ReportAllocs()
	for i := range b.N {
		k, old := i%1_000, i/1_000%2*1_000
		f.apply(change{vector.UpdateBefore, rows[old+k]})
		f.apply(change{vector.UpdateAfter, rows[1_000-old+k]})
	}
}
