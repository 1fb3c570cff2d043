package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/pattern"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// compact forgets the rows that no match reads any more, when they may be most of those that are held, and the keys that hold nothing.
func (m *Match) compact() {
	if m.keys.Len() > 2*m.swept+1024 {
		m.sweep()
	}
	if m.held.n < 2*m.kept+2*emitRows {
		return
	}
	old, can, known := m.held, m.can, m.known
	cols := old.columns()
	alive := make([]bool, old.n)
	for _, e := range m.waiting {
		if e.row >= 0 {
			alive[e.row] = true
		}
	}
	for i := range m.parts {
		for _, row := range m.parts[i].Rows {
			alive[row] = true
		}
	}
	m.held.reset(m.spec.Memory, m.spec.Kinds, 64)
	m.can, m.known = nil, nil
	number := make([]int32, old.n)
	for row, lives := range alive {
		if lives {
			number[row] = m.held.add(cols, row)
			m.can, m.known = append(m.can, can[row]), append(m.known, known[row])
		}
	}
	for i := range m.waiting {
		if e := &m.waiting[i]; e.row >= 0 {
			e.row = number[e.row] // in the same order, so that the heap stays one
		}
	}
	for i := range m.parts {
		for k, row := range m.parts[i].Rows {
			m.parts[i].Rows[k] = number[row]
		}
	}
	m.kept = m.held.n
	old.arena.Release()
}

// sweep forgets keys of which nothing is held.
func (m *Match) sweep() {
	waits := make([]bool, len(m.parts))
	for _, e := range m.waiting {
		waits[e.id] = true
	}
	keys, old := state.Compact(m.keys, func(id uint32) bool {
		return waits[id] || len(m.parts[id].Partial) > 0 || len(m.parts[id].Whole) > 0
	})
	number := make([]uint32, m.keys.Len())
	parts := make([]matchPart, len(old))
	for id, was := range old {
		number[was], parts[id] = uint32(id), m.parts[was]
	}
	for i := range m.waiting {
		m.waiting[i].id = number[m.waiting[i].id]
	}
	m.keys, m.parts, m.swept = keys, parts, len(old)
}

const matchStateVersion = 2

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier, the number of keys; for each key, as first seen:
// the key, how many rows it had, the number of the last of them that are in its matches, and those; the number of stretches of rows that are one variable and for each, behind the one before
// it, that one (-1: none), the number of its first row and variable; then partial and whole matches, the number of them and for each its last stretch, number and time of its first row, number
// of its last row, and state. Then the number of rows that wait, and those as they came. Rows are as package state writes them. Version 1 had each row of a match by itself.
func (m *Match) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, matchStateVersion), int64(m.frontier))
	dst = appendInt64(dst, int64(m.keys.Len()))
	cols := m.held.columns()
	for id := range uint32(m.keys.Len()) {
		dst = m.keys.Encode(dst, id)
		dst = appendMatcher(dst, &m.parts[id].Matcher, cols)
	}
	var rows []int32
	for _, e := range m.waiting {
		if e.row >= 0 {
			rows = append(rows, e.row)
		}
	}
	slices.Sort(rows)
	dst = appendInt64(dst, int64(len(rows)))
	for _, row := range rows {
		dst = state.AppendRow(dst, cols, int(row))
	}
	return dst
}

func appendMatcher(dst []byte, p *pattern.Matcher, cols []*vector.Vector) []byte {
	var nodes []*pattern.Node
	number := map[*pattern.Node]int64{}
	for _, r := range slices.Concat(p.Partial, p.Whole) {
		from := len(nodes)
		for n := r.Last; n != nil; n = n.Prev {
			if _, known := number[n]; known {
				break
			}
			nodes = append(nodes, n)
		}
		slices.Reverse(nodes[from:])
		for i := from; i < len(nodes); i++ {
			number[nodes[i]] = int64(i)
		}
	}
	dst = appendInt64(appendInt64(dst, p.Seq), int64(len(p.Rows)))
	for _, row := range p.Rows {
		dst = state.AppendRow(dst, cols, int(row))
	}
	dst = appendInt64(dst, int64(len(nodes)))
	for _, n := range nodes {
		prev := int64(-1)
		if n.Prev != nil {
			prev = number[n.Prev]
		}
		dst = appendInt64(appendInt64(appendInt64(dst, prev), n.From), int64(n.Variable))
	}
	for _, list := range [][]pattern.Run{p.Partial, p.Whole} {
		dst = appendInt64(dst, int64(len(list)))
		for _, r := range list {
			dst = appendInt64(appendInt64(dst, number[r.Last]), r.Seq)
			dst = appendInt64(appendInt64(appendInt64(dst, r.Time), r.End), int64(r.State))
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (m *Match) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	one := state.NewKeys(m.spec.KeyKinds)
	for i, part := range parts {
		d := &decoder{src: part}
		rowByRow := len(part) > 0 && part[0] == 1
		if rowByRow {
			d.src = part[1:]
		} else {
			d.version(matchStateVersion)
		}
		f := watermark.Frontier(d.int64())
		if i == 0 || f < m.frontier {
			m.frontier = f
		}
		for range d.count() {
			m.restoreKey(d, one, owns, rowByRow)
			if d.err != nil {
				return d.err
			}
		}
		for range d.count() {
			m.restoreRow(d, f, owns)
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	m.kept = m.held.n
	return nil
}

func (m *Match) restoreKey(d *decoder, one state.Keys, owns func(hash uint64) bool, rowByRow bool) {
	one.Reset()
	if _, ok := d.key(one); !ok {
		return
	}
	mine := len(m.spec.Keys) == 0 || owns(one.Hash(0))
	p, ok := m.restoreMatcher(d, mine, rowByRow)
	if !ok || !mine {
		return
	}
	id := make([]uint32, 1)
	m.keys.Merge(one, id)
	m.parts = extended(m.parts, m.keys.Len())
	m.parts[id[0]].Matcher = p
	m.arm(id[0])
}

// restoreMatcher reads a matcher, whose rows are kept if it belongs here.
func (m *Match) restoreMatcher(d *decoder, mine, rowByRow bool) (p pattern.Matcher, ok bool) {
	p.Seq = d.int64()
	var rows []int32
	for range d.count() {
		row := int32(0)
		if cols, release := m.takeRow(d); cols != nil {
			if mine {
				row = m.held.add(cols, 0)
				m.can, m.known = append(m.can, m.reader.any), append(m.known, m.reader.any)
			}
			release()
		}
		rows = append(rows, row)
	}
	var from stretches
	if rowByRow {
		from, p.Rows = m.restoreRowByRow(d, rows, p.Seq)
	} else {
		from, p.Rows = m.restoreStretches(d), rows
	}
	p.Partial = m.restoreRuns(d, &p, from, false)
	p.Whole = m.restoreRuns(d, &p, from, true)
	return p, d.err == nil
}

// stretches are those of the matches of a key, as they were written.
type stretches struct {
	nodes []*pattern.Node
	first []int64 // by node: the number of the first row of matches that end with it
	ends  []int64 // by node: that of the last, if rows were written one by one; nil if not
}

func (m *Match) restoreStretches(d *decoder) (s stretches) {
	for range d.count() {
		prev, from, variable := d.int64(), d.int64(), d.int64()
		n, first := &pattern.Node{From: from, Variable: uint8(variable)}, from
		if prev >= 0 && prev < int64(len(s.nodes)) {
			n.Prev, first = s.nodes[prev], s.first[prev]
		}
		if prev >= int64(len(s.nodes)) || variable < 0 || variable >= int64(len(m.spec.Define)) || n.Prev != nil && n.Prev.From >= from {
			d.fail(errMatchRows)
			return s
		}
		s.nodes, s.first = append(s.nodes, n), append(s.first, first)
	}
	return s
}

// restoreRowByRow reads rows of matches as version 1 has them, each of which names its row among those that were written.
func (m *Match) restoreRowByRow(d *decoder, written []int32, seq int64) (s stretches, rows []int32) {
	bySeq, least := map[int64]int32{}, seq
	for range d.count() {
		prev, row, variable := d.int64(), d.int64(), d.int64()
		d.int64() // its time
		number := d.int64()
		if prev >= int64(len(s.nodes)) || row < 0 || row >= int64(len(written)) || variable < 0 || variable >= int64(len(m.spec.Define)) ||
			number < 0 || number >= seq || prev >= 0 && number != s.ends[prev]+1 {
			d.fail(errMatchRows)
			return s, nil
		}
		n, first := &pattern.Node{From: number, Variable: uint8(variable)}, number
		if prev >= 0 {
			if n.Prev, first = s.nodes[prev], s.first[prev]; int64(n.Prev.Variable) == variable {
				n = n.Prev
			}
		}
		s.nodes, s.first, s.ends = append(s.nodes, n), append(s.first, first), append(s.ends, number)
		bySeq[number], least = written[row], min(least, number)
	}
	if int64(len(bySeq)) != seq-least {
		d.fail(errMatchRows)
		return s, nil
	}
	for ; least < seq; least++ {
		rows = append(rows, bySeq[least])
	}
	return s, rows
}

const errMatchRows = "a row of a match is not there"

func (m *Match) restoreRuns(d *decoder, p *pattern.Matcher, from stretches, whole bool) (runs []pattern.Run) {
	before := int64(-1)
	for range d.count() {
		last := d.int64()
		r := pattern.Run{Seq: d.int64(), Time: d.int64()}
		if from.ends == nil {
			r.End = d.int64()
		}
		r.State = int32(d.int64())
		if last >= 0 && last < int64(len(from.nodes)) {
			r.Last = from.nodes[last]
			if from.ends != nil {
				r.End = from.ends[last]
			}
		}
		if !m.spec.Automaton.Valid(p, r, whole) || from.first[last] != r.Seq || r.Seq < before {
			d.fail("a match waits for what is not in the pattern")
			return nil
		}
		before = r.Seq
		runs = append(runs, r)
	}
	return runs
}

// takeRow reads a row, whose memory the caller releases; nil if there is none.
func (m *Match) takeRow(d *decoder) (cols []*vector.Vector, release func()) {
	row := d.row(m.spec.Kinds)
	if d.err != nil {
		return nil, nil
	}
	a := m.spec.Memory.Get()
	return state.RowColumns(a, m.spec.Kinds, [][]byte{row}), a.Release
}

// restoreRow reads a row that waits; f is the frontier of those who wrote it.
func (m *Match) restoreRow(d *decoder, f watermark.Frontier, owns func(hash uint64) bool) {
	cols, release := m.takeRow(d)
	if cols == nil {
		return
	}
	defer release()
	if len(m.spec.Keys) > 0 && !owns(hashOf(cols, m.spec.Keys)) {
		return
	}
	time := cols[m.spec.Time]
	if time.IsNull(0) || f.Late(time.Int(0)) {
		d.fail("a row waits for what has been")
		return
	}
	id := make([]uint32, 1)
	m.keys.Find(&state.Input{Cols: pick(cols, m.spec.Keys), Rows: vector.All(1)}, id)
	m.parts = extended(m.parts, m.keys.Len())
	m.hold(cols, 0, id[0], time.Int(0), m.reader.any, m.reader.any)
}
