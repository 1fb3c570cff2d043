package operator

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

const second = 1_000_000

// event is a row or a rise of the frontier.
type event struct {
	isMark     bool
	key, time  int64
	start, end int64 // the window that a row is attached to, if any
	frontier   watermark.Frontier
}

// parse reads a stream: "7@1.5" is a row of key 7 at 1.5 s, "7@[0,10)" one of an attached window, "^10" the frontier 10 s.
func parse(t *testing.T, text string) []event {
	t.Helper()
	var events []event
	for _, word := range strings.Fields(text) {
		if f, ok := strings.CutPrefix(word, "^"); ok {
			events = append(events, event{isMark: true, frontier: watermark.Frontier(micros(t, f))})
			continue
		}
		key, at, ok := strings.Cut(word, "@")
		if !ok {
			t.Fatalf("cannot read %q", word)
		}
		e := event{}
		e.key, _ = strconv.ParseInt(key, 10, 64)
		if window, ok := strings.CutPrefix(at, "["); ok {
			start, end, _ := strings.Cut(strings.TrimSuffix(window, ")"), ",")
			e.start, e.end = micros(t, start), micros(t, end)
		} else {
			e.time = micros(t, at)
		}
		events = append(events, e)
	}
	return events
}

func micros(t *testing.T, text string) int64 {
	t.Helper()
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return int64(seconds * second)
}

// feed gives events to an operator in batches that end at cuts (positions in events, ascending).
func feed(t *testing.T, op dataflow.Operator, out *checked, pool *vector.Pool, events []event, cuts []int) {
	t.Helper()
	from := 0
	for _, to := range append(slices.Clone(cuts), len(events)) {
		if b, last := batchOf(pool, events[from:to]); b != nil {
			if n := len(b.Marks); n > 0 {
				last = b.Marks[n-1].F
			}
			if err := op.Process(b, out); err != nil {
				t.Fatal(err)
			}
			if out.frontier < last {
				t.Fatalf("the frontier is %d behind a batch with a mark %d", out.frontier, last)
			}
		} else if last != watermark.Unset {
			advance(t, op, out, last)
		}
		from = to
	}
}

func advance(t *testing.T, op dataflow.Operator, out *checked, f watermark.Frontier) {
	t.Helper()
	if err := op.Advance(dataflow.Progress{Frontier: f, Active: true}, out); err != nil {
		t.Fatal(err)
	}
	if out.frontier != f {
		t.Fatalf("the frontier is %d behind an advance to %d", out.frontier, f)
	}
}

// batchOf makes a batch of events with columns key, time, start, end. Without rows there is no batch, only the last frontier.
func batchOf(pool *vector.Pool, events []event) (*dataflow.Batch, watermark.Frontier) {
	last := watermark.Unset
	n := 0
	for _, e := range events {
		if !e.isMark {
			n++
		} else {
			last = e.frontier
		}
	}
	if n == 0 {
		return nil, last
	}
	a := pool.Get()
	b := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a, Cols: a.Columns(4)}, Released: watermark.Unset}
	for i := range b.Cols {
		b.Cols[i] = a.Flat(vector.Int64, n)
	}
	row := 0
	for _, e := range events {
		if e.isMark {
			b.Marks = append(b.Marks, watermark.Mark{Row: int32(row), F: e.frontier})
			continue
		}
		for i, v := range [...]int64{e.key, e.time, e.start, e.end} {
			b.Cols[i].Ints[row] = v
		}
		row++
	}
	return b, last
}

// checked is an Output that checks what operators promise, and writes every row down.
type checked struct {
	t        *testing.T
	frontier watermark.Frontier
	released watermark.Frontier
	windows  bool // the last three columns are a window
	largest  int  // rows of a batch
	got      []released
}

// released is the text of a row and what orders it.
type released struct {
	deadline watermark.Frontier
	rank     [2]int64
	task     int
	text     string
}

func newChecked(t *testing.T) *checked {
	return &checked{t: t, frontier: watermark.Unset, released: watermark.Unset, windows: true}
}

func (c *checked) Emit(b *dataflow.Batch) error {
	c.t.Helper()
	if b.Rows().Count() > 0 {
		dataflow.CheckBatch(b, c.frontier)
	}
	if b.Released < c.released {
		c.t.Errorf("rows released by %d behind those of %d", b.Released, c.released)
	}
	if c.windows && b.Released > c.released && c.released > c.frontier {
		c.t.Errorf("rows released by %d before the frontier is %d", b.Released, c.released)
	}
	c.released = b.Released
	rows, marks := b.Rows(), b.Marks
	c.largest = max(c.largest, rows.Count())
	for k := range rows.Count() {
		row := rows.At(k)
		for len(marks) > 0 && int(marks[0].Row) <= row {
			c.frontier = marks[0].F
			marks = marks[1:]
		}
		cells := make([]int64, len(b.Cols))
		for i, v := range b.Cols {
			cells[i] = v.Int(row)
		}
		if !c.windows {
			c.got = append(c.got, released{text: fmt.Sprint(cells)})
			continue
		}
		n := len(cells)
		if c.frontier.Late(cells[n-1]) {
			c.t.Errorf("row with window_time %d behind the frontier %d", cells[n-1], c.frontier)
		}
		text := fmt.Sprintf("%v [%v,%v)", strings.Trim(fmt.Sprint(cells[:n-3]), "[]"), seconds(cells[n-3]), seconds(cells[n-2]))
		c.got = append(c.got, released{b.Released, b.Rank, 0, text})
	}
	for _, m := range marks {
		c.frontier = m.F
	}
	b.Release()
	return nil
}

// Advance implements dataflow.Output.
func (c *checked) Advance(p dataflow.Progress) error {
	c.t.Helper()
	if p.Frontier < c.frontier {
		c.t.Errorf("the frontier fell from %d to %d", c.frontier, p.Frontier)
	}
	c.frontier = p.Frontier
	return nil
}

func seconds(us int64) string { return strconv.FormatFloat(float64(us)/second, 'f', -1, 64) }

// texts are the rows that a number of tasks wrote, as a receiver puts them in order.
func texts(tasks ...*checked) []string {
	var all []released
	for i, c := range tasks {
		for _, r := range c.got {
			r.task = i
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b released) int {
		return cmp.Or(cmp.Compare(a.deadline, b.deadline), slices.Compare(a.rank[:], b.rank[:]), cmp.Compare(a.task, b.task))
	})
	out := make([]string, len(all))
	for i, r := range all {
		out[i] = r.text
	}
	return out
}

// some cuts between events, ascending.
func someCuts(r *rand.Rand, n int) []int {
	var cuts []int
	for i := 1; i < n; i++ {
		if r.IntN(3) == 0 {
			cuts = append(cuts, i)
		}
	}
	return cuts
}

// countOnly is COUNT(*).
func countOnly() []Aggregate { return []Aggregate{{New: aggregate("COUNT"), Filter: -1}} }

func aggregate(name string) func() function.Accumulator {
	f, _ := function.LookupAggregate(name)
	c := function.AggregateCall{Args: []types.Type{types.BigIntType}}
	if name == "COUNT" {
		c.Args = nil
	}
	o, err := f.Resolve(c)
	if err != nil {
		panic(err)
	}
	return o.New
}

var intKey = []vector.Kind{vector.Int64}

// owned are the events that one of n tasks gets.
func owned(events []event, task, n int) []event {
	var mine []event
	for _, e := range events {
		if e.isMark || state.Owner(state.HashInt(e.key), n) == task {
			mine = append(mine, e)
		}
	}
	return mine
}
