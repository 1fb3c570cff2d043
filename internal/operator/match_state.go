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
	seen := map[*pattern.Node]bool{}
	m.eachNode(func(n *pattern.Node) bool {
		known := seen[n]
		seen[n], alive[n.Row] = true, true
		return !known
	})
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
	for n := range seen {
		n.Row = number[n.Row]
	}
	m.kept = m.held.n
	old.arena.Release()
}

// eachNode visits the rows of all partial and whole matches, from the last of each back as far as visit returns true.
func (m *Match) eachNode(visit func(*pattern.Node) bool) {
	for i := range m.parts {
		for _, list := range [][]pattern.Run{m.parts[i].Partial, m.parts[i].Whole} {
			for _, r := range list {
				for n := r.Last; n != nil && visit(n); n = n.Prev {
				}
			}
		}
	}
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

const matchStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier, the number of keys; for each key, as first seen:
// the key, how many rows it had, the number of its matches' rows and those; the number of their nodes and for each, behind the one before it, that one (-1: none), row, variable, time and
// number; then partial and whole matches, the number of them and for each its last node, number and time of its first row, and state. Then the number of rows that wait, and those as they
// came. Rows are as package state writes them.
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
	var rows []int32
	place := map[int32]int64{}
	for _, n := range nodes {
		if _, known := place[n.Row]; !known {
			place[n.Row] = int64(len(rows))
			rows = append(rows, n.Row)
		}
	}
	dst = appendInt64(appendInt64(dst, p.Seq), int64(len(rows)))
	for _, row := range rows {
		dst = state.AppendRow(dst, cols, int(row))
	}
	dst = appendInt64(dst, int64(len(nodes)))
	for _, n := range nodes {
		prev := int64(-1)
		if n.Prev != nil {
			prev = number[n.Prev]
		}
		dst = appendInt64(appendInt64(appendInt64(dst, prev), place[n.Row]), int64(n.Variable))
		dst = appendInt64(appendInt64(dst, n.Time), n.Seq)
	}
	for _, list := range [][]pattern.Run{p.Partial, p.Whole} {
		dst = appendInt64(dst, int64(len(list)))
		for _, r := range list {
			dst = appendInt64(appendInt64(dst, number[r.Last]), r.Seq)
			dst = appendInt64(appendInt64(dst, r.Time), int64(r.State))
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (m *Match) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	one := state.NewKeys(m.spec.KeyKinds)
	for i, part := range parts {
		d := &decoder{src: part}
		d.version(matchStateVersion)
		f := watermark.Frontier(d.int64())
		if i == 0 || f < m.frontier {
			m.frontier = f
		}
		for range d.count() {
			m.restoreKey(d, one, owns)
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

func (m *Match) restoreKey(d *decoder, one state.Keys, owns func(hash uint64) bool) {
	one.Reset()
	if _, ok := d.key(one); !ok {
		return
	}
	mine := len(m.spec.Keys) == 0 || owns(one.Hash(0))
	p, ok := m.restoreMatcher(d, mine)
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
func (m *Match) restoreMatcher(d *decoder, mine bool) (p pattern.Matcher, ok bool) {
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
	var nodes []*pattern.Node
	for range d.count() {
		prev, row, variable := d.int64(), d.int64(), d.int64()
		n := &pattern.Node{Variable: uint8(variable), Time: d.int64(), Seq: d.int64()}
		if prev >= int64(len(nodes)) || row < 0 || row >= int64(len(rows)) || variable < 0 || variable >= int64(len(m.spec.Define)) {
			d.fail("a row of a match is not there")
			return p, false
		}
		if n.Row = rows[row]; prev >= 0 {
			n.Prev = nodes[prev]
		}
		nodes = append(nodes, n)
	}
	p.Partial = m.restoreRuns(d, nodes, false)
	p.Whole = m.restoreRuns(d, nodes, true)
	return p, d.err == nil
}

func (m *Match) restoreRuns(d *decoder, nodes []*pattern.Node, whole bool) []pattern.Run {
	var runs []pattern.Run
	for range d.count() {
		last := d.int64()
		r := pattern.Run{Seq: d.int64(), Time: d.int64(), State: int32(d.int64())}
		if last >= 0 && last < int64(len(nodes)) {
			r.Last = nodes[last]
		}
		if !m.spec.Automaton.Valid(r, whole) {
			d.fail("a match waits for what is not in the pattern")
			return nil
		}
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
