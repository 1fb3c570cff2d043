package pattern

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// letters are rows as texts: each lists the variables that the row can be.
type letters struct {
	pattern Pattern
	rows    []string
}

func (l *letters) Known(variable int, row int32) (can, known bool) {
	return strings.Contains(l.rows[row], l.pattern[variable].Name), row%2 == 0
}

func (l *letters) Holds(variable int, with Match) (bool, error) {
	can, _ := l.Known(variable, with.Last())
	return can, nil
}

// term reads a variable with its quantifier.
func term(text string) Term {
	name, q := text[:1], strings.TrimSuffix(text[1:], "?")
	t := Term{Name: name, Min: 1, Max: 1, Reluctant: len(text) > 2 && strings.HasSuffix(text, "?")}
	switch {
	case q == "*":
		t.Min, t.Max = 0, Unbounded
	case q == "+":
		t.Max = Unbounded
	case text[1:] == "?":
		t.Min = 0
	case strings.HasSuffix(q, ",}"):
		fmt.Sscanf(q, "{%d,}", &t.Min)
		t.Max = Unbounded
	case strings.Contains(q, ","):
		fmt.Sscanf(q, "{%d,%d}", &t.Min, &t.Max)
	case q != "":
		fmt.Sscanf(q, "{%d}", &t.Min)
		t.Max = t.Min
	}
	return t
}

func parse(text string) Pattern {
	var p Pattern
	for _, t := range strings.Fields(text) {
		p = append(p, term(t))
	}
	return p
}

// spell writes a match as its rows, each with its variable: a1b2.
func spell(p Pattern, m Match) string {
	text := ""
	for row, variable := range m.Rows {
		text += fmt.Sprintf("%s%d", p[variable].Name, row+1)
	}
	return text
}

// search feeds rows, one a second, and spells the matches in their order.
func search(t *testing.T, p Pattern, skip Skip, within int64, rows []string) (string, error) {
	a := Compile(p, skip, within)
	m, l := &Matcher{}, &letters{p, rows}
	var all []string
	for i := range rows {
		found, err := a.Expire(m, int64(i), nil)
		if err != nil {
			return strings.Join(all, " "), err
		}
		found, err = a.Step(m, int32(i), int64(i), l, found)
		for _, n := range found {
			all = append(all, spell(p, n))
		}
		if err != nil {
			return strings.Join(all, " "), err
		}
	}
	for _, r := range m.Partial {
		if !a.Valid(m, r, false) {
			t.Errorf("%s: a partial match %+v that could not be restored", p, r)
		}
	}
	return strings.Join(all, " "), nil
}

// TestSearch has the matches of patterns; scripts in testdata/flink/changelog have Flink's for the same quantifiers.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		pattern, rows, want string
		skip                Skip
		within              int64
	}{
		{pattern: "a b", rows: "a b a b", want: "a1b2 a3b4"},
		{pattern: "a b* c", rows: "a b bc c", want: "a1b2b3c4"},
		{pattern: "a b*? c", rows: "a b bc c", want: "a1b2c3"},
		{pattern: "a b+ c", rows: "ab ab ab bc c", want: "a1b2b3b4c5 a2b3b4c5 a3b4c5"},
		{pattern: "a b+ c", rows: "ab ab ab bc c", want: "a1b2b3b4c5", skip: Skip{To: PastLastRow}},
		{pattern: "a b? c", rows: "a bc c", want: "a1c2"},
		{pattern: "a b{1,2} c", rows: "a b b c a b bc", want: "a1b2b3c4"},
		{pattern: "a b{1,2} c", rows: "a b b bc", want: ""},
		{pattern: "a b{2,}? c", rows: "a b bc bc", want: "a1b2b3c4"},
		{pattern: "a b{2} c", rows: "a b bc c", want: "a1b2b3c4"},
		{pattern: "a b c*?", rows: "a b c", want: "a1b2"},
		{pattern: "a* b", rows: "b ab b", want: "b1 a2b3 b3"},
		{pattern: "a b", rows: "a - a b", want: "a3b4"},
		{pattern: "a b*? c", rows: "a b b c", want: "a1b2b3c4", within: 4},
		{pattern: "a b*? c", rows: "a b b c", want: "", within: 3},
		{pattern: "a b+? c", rows: "a ab b c", want: "a1b2b3c4", skip: Skip{To: LastOf, Variable: 1}},
		{pattern: "a b+? c", rows: "a ab ab c", want: "a1b2b3c4 a2b3c4", skip: Skip{To: FirstOf, Variable: 1}},
	} {
		rows := strings.Fields(c.rows)
		got, err := search(t, parse(c.pattern), c.skip, c.within, rows)
		if err != nil || got != c.want {
			t.Errorf("(%s) of %s, %+v within %d: %q %v, want %q", c.pattern, c.rows, c.skip, c.within, got, err, c.want)
		}
	}
}

// TestSkipNowhere: AFTER MATCH may name a variable of which a match has no row, or that of its first row.
func TestSkipNowhere(t *testing.T) {
	for _, c := range []struct {
		pattern, rows string
		variable      int
		missing       bool
	}{{"a b? c", "a c", 1, true}, {"a b? c", "a b c", 0, false}} {
		_, err := search(t, parse(c.pattern), Skip{To: FirstOf, Variable: c.variable}, 0, strings.Fields(c.rows))
		var skip *SkipError
		if !errors.As(err, &skip) || skip.Missing != c.missing {
			t.Errorf("(%s) of %s: %v", c.pattern, c.rows, err)
		}
	}
}

// TestWaiting: a match waits for an earlier one that is not decided, and leaves when WITHIN gives that up.
func TestWaiting(t *testing.T) {
	p := parse("a b*? c")
	a := Compile(p, Skip{To: PastLastRow}, 5)
	m := &Matcher{}
	own := ownDefinitions{}
	var found []Match
	for i := range 3 {
		var err error
		if found, err = a.Step(m, int32(i), int64(i), own, found); err != nil {
			t.Fatal(err)
		}
	}
	if len(found) != 0 || len(m.Whole) != 1 || !a.Valid(m, m.Whole[0], true) {
		t.Fatalf("%d matches left and %d wait, want one that waits", len(found), len(m.Whole))
	}
	for now, want := range map[int64]int{4: 0, 5: 1} {
		copied := &Matcher{Seq: m.Seq, Rows: m.Rows, Partial: append([]Run{}, m.Partial...), Whole: append([]Run{}, m.Whole...)}
		if got, err := a.Expire(copied, now, nil); err != nil || len(got) != want {
			t.Errorf("at %d: %d matches leave (%v), want %d", now, len(got), err, want)
		}
	}
	if at, ok := a.Expires(m); !ok || at != 5 {
		t.Errorf("the first is given up at %d %t, want 5", at, ok)
	}
}

// ownDefinitions lets c be only row 2, behind an a that is row 1.
type ownDefinitions struct{}

func (ownDefinitions) Known(variable int, _ int32) (can, known bool) { return true, variable < 2 }

func (ownDefinitions) Holds(_ int, with Match) (bool, error) {
	first, _ := with.FromFirst(Any, 0)
	return with.Last() == 2 && first == 1, nil
}

// TestTooMany: rows that all begin a match that never ends are refused before they take all memory.
func TestTooMany(t *testing.T) {
	p := parse("a b*? c")
	a := Compile(p, Skip{}, 0)
	m, l := &Matcher{Seq: 1, Rows: []int32{0}}, &letters{p, []string{"ab"}}
	for range MaxPartial + 1 {
		// Runs that are copied make the test fast; what is counted is all of them.
		m.Partial = append(m.Partial, Run{State: a.start, Last: &Node{}})
	}
	if _, err := a.Step(m, 0, 0, l, nil); !errors.Is(err, ErrTooMany) {
		t.Errorf("%v, want %v", err, ErrTooMany)
	}
}

// BenchmarkStep is rows of (a b+ c), most of which go on with b.
func BenchmarkStep(b *testing.B) {
	p := parse("a b+ c")
	a := Compile(p, Skip{To: PastLastRow}, 0)
	l := &letters{p, []string{"a", "b", "b", "b", "b", "b", "b", "c"}}
	m := &Matcher{}
	var found []Match
	for i := 0; b.Loop(); i++ {
		var err error
		if found, err = a.Step(m, int32(i%8), int64(i), l, found[:0]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/row")
}

// TestLongMatches: rows that all begin a match, none of which ends, take memory for themselves and for each partial match, not for each of its rows.
func TestLongMatches(t *testing.T) {
	p := parse("a b+ c")
	a := Compile(p, Skip{}, 0)
	m, l := &Matcher{}, &letters{p, []string{"ab"}}
	stretches := func() int {
		seen := map[*Node]bool{}
		for _, r := range m.Partial {
			for n := r.Last; n != nil; n = n.Prev {
				seen[n] = true
			}
		}
		return len(seen)
	}
	const rows = 500
	for i := range rows {
		if _, err := a.Step(m, 0, int64(i), l, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := stretches(); len(m.Partial) != rows || len(m.Rows) != rows || n > 2*rows {
		t.Errorf("%d partial matches over %d rows have %d stretches", len(m.Partial), len(m.Rows), n)
	}
}

// TestPlacesInMatches compares how rows of a match are found with the rows one by one.
func TestPlacesInMatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		m := Match{seq: rng.Int64N(5)}
		m.end = m.seq + 1
		m.rows = []int32{100, 101}
		var variables []int
		for range rng.IntN(12) {
			v := rng.IntN(3)
			m.rows = append(m.rows, int32(100+len(m.rows)))
			m, variables = m.with(v), append(variables, v)
		}
		k := 0
		for row, v := range m.Rows {
			if row != int32(102+k) || v != variables[k] {
				t.Fatalf("row %d is %d, variable %d; the variables are %v", k, row, v, variables)
			}
			k++
		}
		if k != len(variables) {
			t.Fatalf("%d rows of %d", k, len(variables))
		}
		for _, of := range []int{Any, 0, 1, 2} {
			var rows []int32
			for k, v := range variables {
				if of == Any || v == of {
					rows = append(rows, int32(102+k))
				}
			}
			for offset := range 13 {
				first, ok := m.FromFirst(of, offset)
				last, ok2 := m.FromLast(of, offset)
				if ok != (offset < len(rows)) || ok2 != ok || ok && (first != rows[offset] || last != rows[len(rows)-1-offset]) {
					t.Fatalf("%v, variable %d, %d: %d %t, %d %t", variables, of, offset, first, ok, last, ok2)
				}
			}
		}
	}
}
