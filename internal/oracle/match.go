package oracle

import (
	"cmp"
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/pattern"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/watermark"
)

// matches is the rows of a Match: those that wait, and by key all that were taken.
type matches struct {
	*run
	node    *plan.Match
	columns []types.Type
	waiting []Row
	taken   map[string][]Row
	told    map[string]int // matches, by key
}

// reading is a way to read rows as variables; reading[i] is the variable of the i-th row.
type reading []int

// match takes rows when the frontier has passed them, and looks through all that a key ever had for matches that were not told yet.
func (r *run) match(n *plan.Match, in stream) (stream, error) {
	m := &matches{run: r, node: n, columns: columnTypes(n.Input), taken: map[string][]Row{}, told: map[string]int{}}
	frontier, dropped := watermark.Unset, int64(0)
	var out stream
	for _, e := range in {
		if e.row != nil {
			if frontier.Late(m.time(e.row)) {
				dropped++
			} else {
				m.waiting = append(m.waiting, e.row)
			}
			continue
		}
		frontier = e.frontier
		m.release(frontier)
		for key, rows := range m.taken {
			found, err := m.search(rows, frontier)
			if err != nil {
				return nil, err
			}
			for _, row := range found[m.told[key]:] {
				out = append(out, event{seq: e.seq, row: row, frontier: frontier})
			}
			m.told[key] = len(found)
		}
		out.rise(e.seq, frontier)
	}
	r.result.Dropped = append(r.result.Dropped, dropped)
	return out, nil
}

func (m *matches) time(row Row) int64 { return row[m.node.Time].Int }

// release takes the rows that f has passed, in their order.
func (m *matches) release(f watermark.Frontier) {
	var leaving, waiting []Row
	for _, row := range m.waiting {
		if f.Late(m.time(row)) {
			leaving = append(leaving, row)
		} else {
			waiting = append(waiting, row)
		}
	}
	m.waiting = waiting
	slices.SortStableFunc(leaving, func(a, b Row) int {
		return cmp.Or(cmp.Compare(m.time(a), m.time(b)), m.byRest(a, b))
	})
	for _, row := range leaving {
		key := keyOf(row, m.node.Keys, m.columns)
		m.taken[key] = append(m.taken[key], row)
	}
}

func (m *matches) byRest(a, b Row) int {
	for _, k := range m.node.By {
		x, y := a[k.Column], b[k.Column]
		c := 0
		switch {
		case x.Null && y.Null:
		case x.Null != y.Null:
			if c = 1; x.Null != k.NullsLast {
				c = -1
			}
		default:
			if c = x.compare(y, m.columns[k.Column]); k.Desc {
				c = -c
			}
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// search finds all matches among rows: from each row on the shortest, behind the match before it, up to the first row of which it is open whether it begins one.
func (m *matches) search(rows []Row, f watermark.Frontier) ([]Row, error) {
	var out []Row
	now := int64(math.MinInt64) // when everything so far was known
	for from := 0; from < len(rows); {
		found, known, open, err := m.shortest(rows[from:], f)
		if err != nil {
			return nil, err
		}
		now = max(now, known)
		switch {
		case found != nil:
			out = append(out, m.result(rows[from:], found, now))
			from += m.skip(found)
		case open:
			return out, nil
		default:
			from++
		}
	}
	return out, nil
}

// shortest is the first reading that makes a match of rows from the first on, or nil, and when it is known; open says that it is not.
func (m *matches) shortest(rows []Row, f watermark.Frontier) (found reading, known int64, open bool, err error) {
	all := []reading{nil}
	expires := m.time(rows[0]) + m.node.Within
	for i := range rows {
		if m.node.Within > 0 && m.time(rows[i]) >= expires {
			return nil, expires, false, nil
		}
		var next []reading
		for _, r := range all {
			longer, err := m.longer(r, rows[:i+1])
			if err != nil {
				return nil, 0, false, err
			}
			next = append(next, longer...)
		}
		for _, r := range next {
			if m.complete(r) {
				return r, m.time(rows[i]), false, nil
			}
		}
		if all = next; len(all) == 0 {
			return nil, m.time(rows[i]), false, nil
		}
	}
	return nil, expires, m.node.Within == 0 || !f.Late(expires), nil
}

// times is the last variable of r, and how often it stands; -1 before the first row.
func (r reading) times() (variable, times int) {
	if len(r) == 0 {
		return -1, 0
	}
	variable = r[len(r)-1]
	for _, v := range r {
		if v == variable {
			times++
		}
	}
	return variable, times
}

func (m *matches) complete(r reading) bool {
	v, times := r.times()
	for _, t := range m.node.Pattern[v+1:] {
		if t.Min > 0 {
			return false
		}
	}
	return times >= m.node.Pattern[v].Min
}

// longer is the readings that r becomes with the last of rows: as the same variable, then as each that may stand behind it.
func (m *matches) longer(r reading, rows []Row) ([]reading, error) {
	p := m.node.Pattern
	last, times := r.times()
	var out []reading
	try := func(v int) error {
		ok, err := m.holds(v, r, rows)
		if err == nil && ok && v != last && v > 0 && p[v-1].Greedy() {
			ok, err = m.holds(v-1, r, rows)
			ok = !ok
		}
		if ok && err == nil {
			out = append(out, append(slices.Clone(r), v))
		}
		return err
	}
	if last >= 0 && (p[last].Max == pattern.Unbounded || times < p[last].Max) {
		if err := try(last); err != nil {
			return nil, err
		}
	}
	if last >= 0 && times < p[last].Min {
		return out, nil
	}
	for v := last + 1; v < len(p); v++ {
		if err := try(v); err != nil {
			return nil, err
		}
		if p[v].Min > 0 {
			break
		}
	}
	return out, nil
}

// holds reports whether the last of rows can be variable v behind r.
func (m *matches) holds(v int, r reading, rows []Row) (bool, error) {
	d := m.node.Define[v]
	if d.Condition == nil {
		return true, nil
	}
	row, columns := m.read(d.Reads, rows, append(slices.Clone(r), v))
	value, err := m.eval(d.Condition, row, columns)
	return !value.Null && value.Int != 0, err
}

// read is the row that r makes of rows, which vars are the variables of.
func (m *matches) read(r plan.Readings, rows []Row, vars reading) (Row, []types.Type) {
	of := func(v int) []Row {
		var some []Row
		for i, x := range vars {
			if v == plan.AnyVariable || x == v {
				some = append(some, rows[i])
			}
		}
		return some
	}
	var out Row
	var columns []types.Type
	for _, v := range r.Values {
		some := of(v.Variable)
		if !v.First {
			slices.Reverse(some)
		}
		value := Value{Null: true}
		if v.Offset < len(some) {
			value = some[v.Offset][v.Column]
		}
		out, columns = append(out, value), append(columns, m.columns[v.Column])
	}
	for _, a := range r.Aggregates {
		out, columns = append(out, aggregate(a.Aggregate, of(a.Variable), m.columns)), append(columns, a.Overload.Result)
	}
	return out, columns
}

// result is the columns of a match that is known at now.
func (m *matches) result(rows []Row, r reading, now int64) Row {
	var out Row
	for _, k := range m.node.Keys {
		out = append(out, rows[0][k])
	}
	read, _ := m.read(m.node.Reads, rows, r)
	for i, v := range m.node.Reads.Values {
		if v.Rowtime {
			read[i] = Value{Int: now}
		}
	}
	return append(out, read...)
}

// skip is how many rows the search goes on behind a match.
func (m *matches) skip(r reading) int {
	switch m.node.Skip.To {
	case pattern.PastLastRow:
		return len(r)
	case pattern.FirstOf:
		return max(1, slices.Index(r, m.node.Skip.Variable))
	case pattern.LastOf:
		for i, v := range slices.Backward(r) {
			if v == m.node.Skip.Variable {
				return max(1, i)
			}
		}
	}
	return 1
}
