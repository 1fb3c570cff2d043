package operator

import (
	"bytes"
	"errors"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/internal/pattern"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// MatchSpec describes a Match. Its output columns are the keys, then what Reads says of each match.
type MatchSpec struct {
	Time     int   // column of event time
	Keys     []int // of the partition
	KeyKinds []vector.Kind
	Kinds    []vector.Kind // of the columns
	// By is the order of rows of one time.
	By        []state.Ordering
	Automaton *pattern.Automaton
	Define    []MatchDefinition // by variable
	Reads     MatchReadings
	// Ordered gives every match a place in dataflow.Order, because there are several tasks.
	Ordered bool
	// Grain is the frontiers that somebody behind looks at.
	Grain  dataflow.Grain
	Env    *function.Env
	Memory *vector.Pool
}

// MatchDefinition is what a row must be to be a variable.
type MatchDefinition struct {
	// Condition is over what Reads makes; nil is TRUE.
	Condition expr.Expr
	Reads     MatchReadings
	// Alone is the condition over the columns of the row; nil if it looks at other rows too.
	Alone expr.Expr
}

// Match finds sequences of rows of each key. It holds rows until the frontier has passed them, and takes them in the order of their times, those of one time by key group and By and then
// as they came. Flink 2.3: a late row is dropped, and the time of a match that had to wait for an earlier one is that at which it waits no longer.
type Match struct {
	spec     MatchSpec
	keys     state.Keys
	parts    []matchPart // by key
	held     heldRows
	kept     int      // rows that were left when those that are gone were last forgotten
	can      []uint64 // by held row: the variables that it can be, of those in known
	known    []uint64 // by held row: the variables whose condition looks at no other row, and was computed
	waiting  []matchEvent
	frontier watermark.Frontier
	passed   watermark.Frontier // that whoever is behind was told
	swept    int                // keys that were left when those that hold nothing were last forgotten
	counts   dataflow.Counts
	// interrupted tells that nobody waits for matches any more; toil is how many partial matches were looked at since it was asked.
	interrupted func() error
	toil        int

	ids    []uint32
	turn   []matchEvent // rows of one time and key group
	news   []pattern.Match
	found  []foundMatch
	reader matchReader
	chunks chunks
	places placer
}

// matchPart is what is known of a key.
type matchPart struct {
	pattern.Matcher
	armed bool // an event waits for when a partial match is too old
}

// matchEvent is a row that waits, or the time at which a partial match of a key is too old.
type matchEvent struct {
	time  int64
	group uint32
	row   int32  // -1: no row
	id    uint32 // of the key
	hash  uint64 // of the key; 0 for a row
}

func (e matchEvent) before(f matchEvent) bool {
	switch {
	case e.time != f.time:
		return e.time < f.time
	case e.group != f.group:
		return e.group < f.group
	case (e.row < 0) != (f.row < 0):
		return e.row < 0
	case e.hash != f.hash:
		return e.hash < f.hash
	}
	return e.row < f.row
}

// foundMatch is a match on its way out, and when it was found.
type foundMatch struct {
	pattern.Match
	time  int64
	group uint32
}

// NewMatch makes the operator.
func NewMatch(spec MatchSpec) *Match {
	m := &Match{spec: spec, keys: state.NewKeys(spec.KeyKinds), frontier: watermark.Unset, passed: watermark.Unset}
	m.held.reset(spec.Memory, spec.Kinds, 64)
	m.reader.define(spec)
	return m
}

// Counts implements dataflow.Counted.
func (m *Match) Counts() *dataflow.Counts { return &m.counts }

// SetInterrupted implements dataflow.Toiling.
func (m *Match) SetInterrupted(interrupted func() error) { m.interrupted = interrupted }

// toiled notes that so many partial matches were looked at.
func (m *Match) toiled(n int) error {
	if m.toil += n; m.toil < 1<<14 || m.interrupted == nil {
		return nil
	}
	m.toil = 0
	return m.interrupted()
}

// SetNow implements dataflow.Clocked.
func (m *Match) SetNow(now int64) { m.spec.Env.Now = now }

// Process implements dataflow.Operator.
func (m *Match) Process(b *dataflow.Batch, out dataflow.Output) error {
	m.counts.In.Add(int64(b.Rows().Count()))
	err := b.Segments(
		func(lo, hi int) error { return m.absorb(b, lo, hi) },
		func(f watermark.Frontier) error { return m.rise(f, true, out) })
	b.Release()
	if first := m.emit(out); first != nil {
		return first
	}
	if err != nil {
		return err
	}
	m.compact()
	return out.Advance(dataflow.Progress{Frontier: m.frontier, Active: true})
}

// Advance implements dataflow.Operator.
func (m *Match) Advance(p dataflow.Progress, out dataflow.Output) error {
	err := m.rise(p.Frontier, p.Active, out)
	if first := m.emit(out); first != nil {
		return first
	}
	if err != nil {
		return err
	}
	m.compact()
	return out.Advance(dataflow.Progress{Frontier: m.frontier, Active: p.Active})
}

// errNoTimeToMatch is what a row without a time gets.
var errNoTimeToMatch = fault.Errorf(fault.Data, "a row has no event time (NULL), so it has no place in the order of MATCH_RECOGNIZE; filter it away with WHERE … IS NOT NULL, or drop such "+
	"rows at the source with SET 'table.exec.source.rowtime-null-handling' = 'DROP'")

// absorb holds the rows lo..hi-1 of b's selection.
func (m *Match) absorb(b *dataflow.Batch, lo, hi int) error {
	rows, time := stretch(b, lo, hi), b.Cols[m.spec.Time]
	m.ids = extended(m.ids[:0], rows.Count())
	in := keyInput(b, m.spec.Keys, rows)
	m.keys.Find(&in, m.ids)
	m.parts = extended(m.parts, m.keys.Len())
	alone := m.reader.alone(b, rows)
	absorbed := int64(0)
	for k, id := range m.ids {
		row := rows.At(k)
		if time.IsNull(row) {
			return errNoTimeToMatch
		}
		t := time.Int(row)
		if m.frontier.Late(t) {
			m.counts.Drop(dataflow.Dropped{Time: t, Deadline: int64(m.frontier.Sub(timefmt.Millisecond)), Frontier: m.frontier})
			continue
		}
		m.hold(b.Cols, row, id, t, alone.can(row), alone.known)
		absorbed++
	}
	m.counts.Absorbed.Add(absorbed)
	return nil
}

// hold keeps a row of key id until its turn comes.
func (m *Match) hold(cols []*vector.Vector, row int, id uint32, t int64, can, known uint64) {
	at := m.held.add(cols, row)
	m.can, m.known = append(m.can, can), append(m.known, known)
	m.waiting = heap.Push(m.waiting, matchEvent{time: t, group: uint32(state.Group(m.keys.Hash(id))), row: at, id: id}, matchEvent.before)
}

// arm sees to it that partial matches of key id are given up when they are too old.
func (m *Match) arm(id uint32) {
	p := &m.parts[id]
	if t, ok := m.spec.Automaton.Expires(&p.Matcher); ok && !p.armed {
		p.armed = true
		hash := m.keys.Hash(id)
		m.waiting = heap.Push(m.waiting, matchEvent{time: t, group: uint32(state.Group(hash)), row: -1, id: id, hash: hash}, matchEvent.before)
	}
}

// rise takes the rows that f has passed.
func (m *Match) rise(f watermark.Frontier, active bool, out dataflow.Output) error {
	if f <= m.frontier {
		return nil
	}
	m.frontier = f
	m.reader.look(m)
	for len(m.waiting) > 0 && f.Late(m.waiting[0].time) {
		if err := m.take(); err != nil {
			return err
		}
		if len(m.found) >= emitRows {
			if err := m.emit(out); err != nil {
				return err
			}
		}
	}
	if !m.spec.Grain.Crosses(m.passed, f) {
		return nil
	}
	if err := m.emit(out); err != nil {
		return err
	}
	m.passed = f
	return out.Advance(dataflow.Progress{Frontier: f, Active: active})
}

// take takes the first event, and if that is a row all rows of its time and key group.
func (m *Match) take() error {
	var first matchEvent
	first, m.waiting = heap.Pop(m.waiting, matchEvent.before)
	if first.row < 0 {
		m.parts[first.id].armed = false
		return m.expire(first)
	}
	m.turn = append(m.turn[:0], first)
	for len(m.waiting) > 0 && m.waiting[0].time == first.time && m.waiting[0].group == first.group {
		var next matchEvent
		next, m.waiting = heap.Pop(m.waiting, matchEvent.before)
		m.turn = append(m.turn, next)
	}
	m.order(m.turn)
	for _, e := range m.turn {
		if err := m.expire(e); err != nil {
			return err
		}
		p := &m.parts[e.id]
		if err := m.toiled(1 + len(p.Partial)); err != nil {
			return err
		}
		var err error
		m.news, err = m.spec.Automaton.Step(&p.Matcher, e.row, e.time, &m.reader, m.news[:0])
		m.collect(e)
		if err != nil {
			return m.explain(err)
		}
		m.arm(e.id)
	}
	return nil
}

// expire gives up the partial matches that are too old at e.
func (m *Match) expire(e matchEvent) (err error) {
	m.news, err = m.spec.Automaton.Expire(&m.parts[e.id].Matcher, e.time, m.news[:0])
	m.collect(e)
	if err == nil && e.row < 0 {
		m.arm(e.id)
	}
	return m.explain(err)
}

func (m *Match) collect(e matchEvent) {
	for _, n := range m.news {
		m.found = append(m.found, foundMatch{n, e.time, e.group})
	}
	clear(m.news)
}

// explain says to people what is wrong with a match.
func (m *Match) explain(err error) error {
	var skip *pattern.SkipError
	switch {
	case errors.As(err, &skip) && skip.Missing:
		return fault.Errorf(fault.Data, "AFTER MATCH cannot skip to a variable that has no row in a match; let its quantifier want one, or skip to another variable")
	case errors.As(err, &skip):
		return fault.Errorf(fault.Data, "AFTER MATCH skips to the first row of a match, where the same match begins again and again; skip to another variable, TO NEXT ROW or PAST LAST ROW")
	case errors.Is(err, pattern.ErrTooMany):
		return fault.Errorf(fault.Data, "MATCH_RECOGNIZE has %w; bound their length with WITHIN, or let DEFINE say of fewer rows that they begin a match", err)
	}
	return err
}

// order puts rows of one time in order.
func (m *Match) order(rows []matchEvent) {
	if len(rows) < 2 || len(m.spec.By) == 0 {
		return
	}
	cols := m.held.columns()
	places := make(map[int32][]byte, len(rows))
	for _, r := range rows {
		places[r.row] = state.AppendOrder(nil, cols, m.spec.By, int(r.row))
	}
	slices.SortStableFunc(rows, func(a, b matchEvent) int { return bytes.Compare(places[a.row], places[b.row]) })
}

// emit sends the matches that were found.
func (m *Match) emit(out dataflow.Output) error {
	n := len(m.found)
	if n == 0 {
		return nil
	}
	m.reader.look(m)
	var places []dataflow.Order
	if m.spec.Ordered {
		for _, f := range m.found {
			places = append(places, m.places.next(f.time, f.group))
		}
	}
	err := m.chunks.each(m.spec.Memory, n, func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		// Rows of later frontiers come behind this one, whichever task sends them.
		b := &dataflow.Batch{Batch: vector.Batch{N: hi - lo, Arena: a}, Released: m.passed.Add(1)}
		b.Cols = m.reader.results(a, m.spec.Keys, m.found[lo:hi])
		if places != nil {
			b.Order = places[lo:hi:hi]
		}
		return b
	}, out.Emit)
	clear(m.found)
	m.found = m.found[:0]
	m.counts.Out.Add(int64(n))
	return err
}
