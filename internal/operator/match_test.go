package operator

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/pattern"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

func compare(t testing.TB, op string, left, right expr.Expr) expr.Expr {
	e, err := expr.NewCall(function.MustScalar(op), []expr.Expr{left, right})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func bigint(column int) expr.Expr {
	return expr.NewColumn(column, fmt.Sprint("c", column), types.BigIntType)
}

// rising is (a b): two rows of a key, of which the second is not later than within and has the greater key column, or any if alone.
func rising(within int64, pool *vector.Pool) MatchSpec {
	return MatchSpec{Time: 1, Keys: []int{0}, KeyKinds: intKey, Kinds: slices.Repeat(intKey, 4), Env: &function.Env{}, Memory: pool,
		Automaton: pattern.Compile(pattern.Pattern{{Name: "a", Min: 1, Max: 1}, {Name: "b", Min: 1, Max: 1}}, pattern.Skip{To: pattern.PastLastRow}, within),
		Define:    make([]MatchDefinition, 2),
		Reads:     MatchReadings{Values: []MatchValue{{Column: 1, Variable: 0}, {Column: 1, Variable: 1}}}}
}

// Keys and rows that are forgotten take nothing with them: a crowd of others, whose rows are too old before there is a second one, does not show in the matches of a key.
func TestMatchForgets(t *testing.T) {
	const crowd = 1_000_000
	r := rand.New(rand.NewPCG(3, 4))
	var few, many []event
	for round := range int64(30) {
		now := 100 * (round + 1) * second
		at := func() int64 { return now + r.Int64N(90*second) }
		for range 20 {
			e := event{key: r.Int64N(5), time: at()}
			few, many = append(few, e), append(many, e)
		}
		for i := range int64(900) {
			many = append(many, event{key: crowd + 1000*round + i, time: at()})
		}
		mark := event{isMark: true, frontier: watermark.Frontier(100 * (round + 2) * second)}
		few, many = append(few, mark), append(many, mark)
	}
	run := func(events []event, cuts []int) (few []string) {
		pool, out := &vector.Pool{}, newChecked(t)
		out.windows = false
		m := NewMatch(rising(10*second, pool))
		feed(t, m, out, pool, append(slices.Clone(events), parse(t, "^10000")...), cuts)
		for _, row := range out.got {
			few = append(few, row.text)
		}
		if len(events) > 1000 && (m.swept == 0 || m.held.n > len(events)/2 || m.keys.Len() > len(events)/2) {
			t.Fatalf("%d rows and %d keys are kept of %d rows", m.held.n, m.keys.Len(), len(events))
		}
		return few
	}
	want := run(few, nil)
	if len(want) < 50 {
		t.Fatalf("only %d matches", len(want))
	}
	for range 5 {
		if got := run(many, someCuts(r, len(many))); !slices.Equal(got, want) {
			t.Fatalf("with others:\n%v\nwithout:\n%v", got, want)
		}
	}
}

// Rows of (a b+ c) whose values rise from 0 to 7, of a thousand keys whose rows come a little out of order. Conditions look at the row alone, or at rows before it too.
func BenchmarkMatch(b *testing.B) {
	for _, c := range []struct {
		name  string
		alone bool
	}{{"conditions of one row", true}, {"conditions of several rows", false}} {
		b.Run(c.name, func(b *testing.B) {
			pool, r, now := &vector.Pool{}, rand.New(rand.NewPCG(1, 2)), int64(0)
			spec := rising(0, pool)
			spec.Kinds = spec.Kinds[:3]
			spec.Automaton = pattern.Compile(pattern.Pattern{{Name: "a", Min: 1, Max: 1}, {Name: "b", Min: 1, Max: pattern.Unbounded}, {Name: "c", Min: 1, Max: 1}}, pattern.Skip{To: pattern.PastLastRow}, 0)
			number := func(v int64) expr.Expr { return expr.LiteralInt(types.BigIntType, v) }
			test := func(variable int, op string, v int64) MatchDefinition {
				return MatchDefinition{Condition: compare(b, op, bigint(0), number(v)), Alone: compare(b, op, bigint(2), number(v)), Reads: MatchReadings{Values: []MatchValue{{Column: 2, Variable: variable}}}}
			}
			spec.Define = []MatchDefinition{test(0, "=", 0), test(1, "<", 7), test(2, "=", 7)}
			if !c.alone {
				spec.Define[1] = MatchDefinition{Condition: compare(b, ">", bigint(0), bigint(1)), Reads: MatchReadings{Values: []MatchValue{{Column: 2, Variable: 1}, {Column: 2, Variable: 0}}}}
				spec.Define[2] = MatchDefinition{Condition: compare(b, "<", bigint(0), bigint(1)), Reads: MatchReadings{Values: []MatchValue{{Column: 2, Variable: 2}, {Column: 2, Variable: 1}}}}
			}
			m := NewMatch(spec)
			seen := make([]int64, 1000)
			run(b, m, func() *dataflow.Batch {
				x := two(pool.Get(), func(int) (int64, int64) { now++; return r.Int64N(1000), now*1000 - r.Int64N(1_000_000) })
				v := x.Arena.Flat(vector.Int64, timedRows)
				for i := range v.Ints {
					key := x.Cols[0].Ints[i]
					v.Ints[i] = seen[key] % 8
					seen[key]++
				}
				x.Cols = append(x.Cols, v)
				for row := int32(64); row <= timedRows; row += 64 {
					x.Marks = append(x.Marks, watermark.Mark{Row: row, F: watermark.Frontier((now-timedRows+int64(row))*1000 - 1_000_000)})
				}
				return x
			})
		})
	}
}

// TestMatchStops: an operator with many partial matches notices between two rows that nobody waits for it any more.
func TestMatchStops(t *testing.T) {
	pool := &vector.Pool{}
	spec := rising(0, pool)
	spec.Automaton = pattern.Compile(pattern.Pattern{{Name: "a", Min: 1, Max: 1}, {Name: "b", Min: 1, Max: pattern.Unbounded}, {Name: "c", Min: 1, Max: 1}}, pattern.Skip{}, 0)
	spec.Define = make([]MatchDefinition, 3)
	spec.Define[2].Condition = expr.LiteralBool(false)
	m := NewMatch(spec)
	gone, asked := errors.New("gone"), 0
	m.SetInterrupted(func() error {
		if asked++; asked == 2 {
			return gone
		}
		return nil
	})
	var events []event
	for i := range int64(1000) {
		events = append(events, event{key: 1, time: i * second})
	}
	b, _ := batchOf(pool, events)
	if err := m.Process(b, discard{}); err != nil {
		t.Fatal(err)
	}
	if err := m.Advance(dataflow.Progress{Frontier: watermark.Final, Active: true}, discard{}); !errors.Is(err, gone) {
		t.Fatalf("%v after %d questions", err, asked)
	}
	if n := len(m.parts[0].Partial); n < 150 || n > 300 {
		t.Errorf("it went on until there were %d partial matches", n)
	}
}

// tripled is (a b+? c{3}) of rows that can be anything.
func tripled(pool *vector.Pool) MatchSpec {
	spec := rising(0, pool)
	spec.Automaton = pattern.Compile(pattern.Pattern{{Name: "a", Min: 1, Max: 1}, {Name: "b", Min: 1, Max: pattern.Unbounded, Reluctant: true}, {Name: "c", Min: 3, Max: 3}}, pattern.Skip{To: pattern.NextRow}, 0)
	spec.Define = make([]MatchDefinition, 3)
	return spec
}

// TestMatchState goes on from state of this version, and from a file that version 1 left, with the matches that there are without a break.
func TestMatchState(t *testing.T) {
	const before, after = "1@1 2@1 1@2 2@3 1@4 1@5 ^6 1@8 2@9", " 1@10 2@11 1@12 2@13 ^12 1@14 2@15 ^30"
	results := func(m *Match, events string) (rows []string) {
		pool, out := &vector.Pool{}, newChecked(t)
		out.windows = false
		feed(t, m, out, pool, parse(t, events), nil)
		for _, row := range out.got {
			rows = append(rows, row.text)
		}
		return rows
	}
	want := results(NewMatch(tripled(&vector.Pool{})), before+after)
	if len(want) < 4 {
		t.Fatalf("only %d matches", len(want))
	}
	first := NewMatch(tripled(&vector.Pool{}))
	results(first, before)
	old, err := os.ReadFile("testdata/match-1.state")
	if err != nil {
		t.Fatal(err)
	}
	for version, state := range map[int][]byte{1: old, 2: first.Snapshot(nil)} {
		if int(state[0]) != version {
			t.Fatalf("state of version %d is of version %d", version, state[0])
		}
		m := NewMatch(tripled(&vector.Pool{}))
		if err := m.Restore([][]byte{state}, func(uint64) bool { return true }); err != nil {
			t.Fatal(version, err)
		}
		if got := results(m, after[1:]); !slices.Equal(got, want) {
			t.Errorf("from version %d:\n%v\nwithout a break:\n%v", version, got, want)
		}
		for n := range state {
			if NewMatch(tripled(&vector.Pool{})).Restore([][]byte{state[:n]}, func(uint64) bool { return true }) == nil {
				t.Fatalf("version %d: %d bytes of %d are taken for state", version, n, len(state))
			}
		}
	}
}

// FuzzMatchState: whatever is read as state can be gone on with.
func FuzzMatchState(f *testing.F) {
	old, err := os.ReadFile("testdata/match-1.state")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(old)
	m := NewMatch(tripled(&vector.Pool{}))
	if err := m.Restore([][]byte{old}, func(uint64) bool { return true }); err != nil {
		f.Fatal(err)
	}
	f.Add(m.Snapshot(nil))
	f.Fuzz(func(t *testing.T, state []byte) {
		pool := &vector.Pool{}
		m := NewMatch(tripled(pool))
		if m.Restore([][]byte{state}, func(uint64) bool { return true }) != nil {
			return
		}
		m.Snapshot(nil)
		for _, e := range parse(t, "1@1000 2@1000 1@1001 1@1002 1@1003 1@1004") {
			if b, _ := batchOf(pool, []event{e}); m.Process(b, discard{}) != nil {
				return
			}
		}
		m.Advance(dataflow.Progress{Frontier: watermark.Final}, discard{})
	})
}
