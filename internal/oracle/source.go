package oracle

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Input is what one scan of the statement reads.
type Input struct {
	// Splits is how many there are. All are known before the first row.
	Splits int
	// Arrivals are in the order in which they were read.
	Arrivals []Arrival
}

// Arrival is a row of a split, or its end.
type Arrival struct {
	// Seq is the place of the arrival among those of all inputs, 0 or more.
	Seq   int
	Split int
	// Row is the physical columns of the table; nil means that the split has no more rows.
	Row Row
	// Op is the change that the row stands for.
	Op vector.Op
}

// origin makes the frontier of one scan: the greatest candidate per split, the least over the splits that have not ended.
type origin struct {
	strategy watermark.Strategy
	splits   []originSplit
	emitted  watermark.Frontier
	came     map[string]bool // values of the dimension
}

type originSplit struct {
	frontier watermark.Frontier // without a dimension
	values   map[string]watermark.Frontier
	times    []int64 // of the rows that have one
	read     int64
	ended    bool
}

func (s *originSplit) least() watermark.Frontier {
	if len(s.values) == 0 {
		return s.frontier
	}
	return slices.Min(slices.Collect(maps.Values(s.values)))
}

func (x *origin) least() watermark.Frontier {
	f := watermark.Final
	for _, s := range x.splits {
		if !s.ended {
			f = min(f, s.least())
		}
	}
	if d := x.strategy.Dimension; f != watermark.Final && d != nil && slices.ContainsFunc(d.Expected, func(value string) bool { return !x.came[value] }) {
		return watermark.Unset
	}
	return f
}

// emits reports whether a row that was the n-th of its split may carry the frontier along.
func (x *origin) emits(n int64) bool {
	switch e := x.strategy.Emission.(type) {
	case watermark.OnEvent:
		return n%e.Gap == 0
	case watermark.Granular:
		return true
	case watermark.Periodic:
		// The clock stands still, so there is no tick and the first 200 ms do not end.
		return e.EagerFor > 0
	}
	panic(fmt.Sprintf("tidemark bug: watermark emission %T", x.strategy.Emission))
}

// scan reads n's input.
func (r *run) scan(n *plan.Scan) (stream, error) {
	in := r.inputs[r.scans]
	r.scans++
	x := &origin{strategy: n.Strategy.Strategy, splits: make([]originSplit, in.Splits), emitted: watermark.Unset, came: map[string]bool{}}
	for i := range x.splits {
		x.splits[i].frontier = watermark.Unset
		x.splits[i].values = map[string]watermark.Frontier{}
	}
	late := int64(0)
	var out stream
	out.rise(-1, x.least())
	for _, a := range in.Arrivals {
		s := &x.splits[a.Split]
		if a.Row == nil {
			s.ended = true
			x.emitted = max(x.emitted, x.least())
			out.rise(a.Seq, x.emitted)
			continue
		}
		row, err := r.tableRow(n, a.Row)
		if err != nil {
			return nil, err
		}
		keep := true
		s.read++
		if w := n.Table.Watermark; w != nil {
			keep, err = r.observe(n, x, s, row, &late)
			if err != nil {
				return nil, err
			}
		}
		if keep {
			out = append(out, event{seq: a.Seq, row: pick(row, n.Output), op: a.Op, frontier: watermark.Unset})
		}
		if x.emits(s.read) {
			x.emitted = max(x.emitted, x.least())
			out.rise(a.Seq, x.emitted)
		}
	}
	r.result.Late = append(r.result.Late, late)
	return out, nil
}

// observe lets s see a row with a time attribute, and tells whether the row stays.
func (r *run) observe(n *plan.Scan, x *origin, s *originSplit, row Row, late *int64) (keep bool, err error) {
	w := n.Table.Watermark
	t := row[w.Column]
	if t.Null {
		if x.strategy.NullTime == watermark.Fail {
			return false, fmt.Errorf("a row of table '%s' has no event time", n.Table.Name)
		}
		return x.strategy.NullTime == watermark.SkipWatermark && n.Late != watermark.OnlyLate, nil
	}
	tooLate := x.emitted.Late(t.Int)
	if tooLate {
		*late++
	}
	switch n.Late {
	case watermark.DivertLate:
		keep = !tooLate
	case watermark.OnlyLate:
		keep = tooLate
	default:
		keep = true
	}
	s.times = append(s.times, t.Int)
	candidate, err := r.eval(w.Expr, row, tableTypes(n))
	if err == nil && !candidate.Null {
		if last := int(x.strategy.LastRows); last > 0 {
			candidate.Int = min(candidate.Int, slices.Min(s.times[max(0, len(s.times)-last):]))
		}
		promise := watermark.FromInclusive(candidate.Int, x.strategy.Tick)
		if g, ok := x.strategy.Emission.(watermark.Granular); ok {
			promise = watermark.Frontier(timefmt.Floor(candidate.Int, g.Step))
		}
		s.frontier = max(s.frontier, promise)
		if n.Dimension != nil {
			var value string
			if value, err = r.value(n, row); err == nil {
				x.came[value] = true
				if f, ok := s.values[value]; !ok || f < promise {
					s.values[value] = promise
				}
			}
		}
	}
	return keep, err
}

// value names the value of n's dimension in a row.
func (r *run) value(n *plan.Scan, row Row) (string, error) {
	texts := make([]*string, len(n.Dimension))
	for i, e := range n.Dimension {
		v, err := r.eval(e, row, tableTypes(n))
		if err != nil {
			return "", err
		}
		if !v.Null {
			texts[i] = &v.Text
		}
	}
	return plan.ValueName(texts), nil
}

// tableRow is a row of all columns of the table, from the physical ones.
func (r *run) tableRow(n *plan.Scan, physical Row) (Row, error) {
	columns := n.Table.Columns
	row := make(Row, len(columns))
	for i, c := range columns {
		if c.Computed == nil {
			row[i], physical = physical[0], physical[1:]
		} else {
			row[i].Null = true
		}
	}
	for i, c := range columns {
		if c.Computed == nil {
			continue
		}
		var err error
		if row[i], err = r.eval(c.Computed, slices.Clone(row), tableTypes(n)); err != nil {
			return nil, err
		}
	}
	return row, nil
}

func tableTypes(n *plan.Scan) []types.Type {
	list := make([]types.Type, len(n.Table.Columns))
	for i, c := range n.Table.Columns {
		list[i] = c.Type
	}
	return list
}

func pick(row Row, columns []int) Row {
	out := make(Row, len(columns))
	for i, c := range columns {
		out[i] = row[c]
	}
	return out
}
