package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// groupKeys are the plain columns of GROUP BY, by their own name.
func groupKeys(q *sql.Select) map[string]source.Span {
	keys := map[string]source.Span{}
	var add func(g sql.GroupItem)
	add = func(g sql.GroupItem) {
		switch g := g.(type) {
		case *sql.GroupKeys:
			for _, k := range g.Keys {
				if c, ok := k.(*sql.ColumnRef); ok {
					keys[c.Last().Name] = c.Span()
				}
			}
		case *sql.GroupingSets:
			for _, s := range g.Sets {
				add(s)
			}
		}
	}
	for _, g := range q.GroupBy {
		add(g)
	}
	return keys
}

// callsWindow tells whether GROUP BY calls TUMBLE, HOP or SESSION.
func callsWindow(q *sql.Select) bool {
	return slices.ContainsFunc(q.GroupBy, func(g sql.GroupItem) bool {
		keys, ok := g.(*sql.GroupKeys)
		return ok && slices.ContainsFunc(keys.Keys, func(k sql.Expr) bool {
			c, ok := k.(*sql.Call)
			return ok && slices.Contains([]string{"TUMBLE", "HOP", "SESSION"}, strings.ToUpper(c.Function.Last().Name))
		})
	})
}

func oneBound(p *pass) {
	p.inspect(func(n sql.Node) bool {
		if q, ok := n.(*sql.Select); ok {
			keys := groupKeys(q)
			for here, missing := range map[string]string{"window_start": "window_end", "window_end": "window_start"} {
				at, there := keys[here]
				if _, both := keys[missing]; there && !both {
					p.report(at, "write GROUP BY window_start, window_end and the other keys", "GROUP BY has "+here+" and not "+missing+", so no window is ever closed")
				}
			}
		}
		return true
	})
}

func noDelay(p *pass) {
	p.inspect(func(n sql.Node) bool {
		if w, ok := n.(*sql.Watermark); ok {
			if c := undelayed(w.Expr); c != nil && c.Last().Name == w.Column.Last().Name {
				p.report(w.Expr.Span(), "write "+p.text.Slice(c.Span())+" - INTERVAL '5' SECOND, or however late rows may be", "the watermark has no delay, so every row that is out of order is late")
			}
		}
		return true
	})
}

// undelayed is the column that e is, or is no less than: e may be the column and an interval that takes nothing off. It is nil for anything else.
func undelayed(e sql.Expr) *sql.ColumnRef {
	if b, ok := e.(*sql.Binary); ok {
		by, ok := b.Right.(*sql.IntervalLit)
		if !ok || by.Months != 0 || b.Op != sql.OpAdd && b.Op != sql.OpSubtract || b.Op == sql.OpSubtract && by.Micros > 0 || b.Op == sql.OpAdd && by.Micros < 0 {
			return nil
		}
		e = b.Left
	}
	c, _ := e.(*sql.ColumnRef)
	return c
}

func unbounded(p *pass) {
	p.inspect(func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.Select:
			p.unboundedSelect(n)
		case *sql.SetOperation:
			if n.Op != sql.Union || !n.All {
				p.report(p.between(n.Left, n.Right), "filter both sides, so that there are fewer rows to keep"+unionAll(n), string(n.Op)+" keeps every row for ever")
			}
		}
		return true
	})
}

// between is the words between two parts.
func (p *pass) between(left, right sql.Node) source.Span {
	at := source.Span{Start: left.Span().End, End: right.Span().Start}
	words := p.text.Slice(at)
	at.Start += len(words) - len(strings.TrimLeft(words, ") \t\r\n"))
	at.End -= len(words) - len(strings.TrimRight(words, "( \t\r\n"))
	return at
}

func unionAll(n *sql.SetOperation) string {
	if n.Op == sql.Union {
		return "; UNION ALL keeps none"
	}
	return ""
}

func (p *pass) unboundedSelect(q *sql.Select) {
	if q.From == nil {
		return
	}
	keys := groupKeys(q)
	_, start := keys["window_start"]
	_, end := keys["window_end"]
	switch {
	case len(q.GroupBy) > 0 && !start && !end && !callsWindow(q):
		first, last := q.GroupBy[0].Span(), q.GroupBy[len(q.GroupBy)-1].Span()
		p.report(first.To(last), "aggregate per window, which drops its state when it is answered, or see to it that there are few keys", "every key is kept for ever")
	case q.Distinct:
		at := q.Span()
		p.report(source.Span{Start: at.Start, End: at.Start + len("SELECT")}, "group by window_start, window_end and the columns, or see to it that there are few rows that differ", "SELECT DISTINCT keeps every row for ever")
	}
	sql.Inspect(q.From, func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.Derived:
			return false // looked at as a query of its own
		case *sql.MatchRecognize:
			for _, term := range n.Pattern {
				if n.Within == nil && term.Max < 0 {
					p.report(term.Span(), "bound how long a match may last, PATTERN (…) WITHIN INTERVAL '1' HOUR", "a match that has begun may have any number of rows, and all are kept until it ends")
				}
			}
		case *sql.Join:
			if keepsBoth(n) && !aboutTime(n.On) && !aboutTime(q.Where) {
				p.report(n.Right.Span(), "bound the time between the rows, a.ts BETWEEN b.ts - INTERVAL '1' HOUR AND b.ts, or join what is small, such as the results of aggregations", "this join keeps the rows of both sides for ever")
			}
		}
		return true
	})
}

// keepsBoth tells whether a join waits without end for rows that match, as all do that are between two streams.
func keepsBoth(j *sql.Join) bool {
	switch right := j.Right.(type) {
	case *sql.Unnest:
		return false
	case *sql.TableFunction:
		return !right.Lateral
	case *sql.TableName:
		return right.AsOf == nil
	}
	return true
}

// aboutTime reports whether a condition looks as if it bounded the time between rows in both directions, or asked for one window.
func aboutTime(condition sql.Expr) bool {
	if condition == nil {
		return false
	}
	bounds, edges, interval := 0, 0, false
	sql.Inspect(condition, func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.Between:
			bounds += 2
		case *sql.Binary:
			switch n.Op {
			case sql.OpLess, sql.OpLessEqual, sql.OpGreater, sql.OpGreaterEqual:
				bounds++
			}
		case *sql.ColumnRef:
			if name := n.Last().Name; name == "window_start" || name == "window_end" {
				edges++
			}
		case *sql.IntervalLit:
			interval = true
		}
		return true
	})
	return interval && bounds >= 2 || edges >= 4
}

// clocks are the functions that give another value every time they are asked.
var clocks = []string{"CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME", "LOCALTIME", "LOCALTIMESTAMP", "CURRENT_ROW_TIMESTAMP", "NOW", "PROCTIME", "RAND", "RAND_INTEGER", "UUID", "UNIX_TIMESTAMP"}

func clock(p *pass) {
	columns := map[string]bool{} // a column may have such a name
	p.each(func(s sql.Statement) {
		if c, ok := s.(*sql.CreateTable); ok {
			for _, column := range c.Schema.Columns {
				columns[strings.ToUpper(column.Name.Last().Name)] = true
			}
		}
	})
	p.inspect(func(n sql.Node) bool {
		c, ok := n.(*sql.Call)
		if !ok {
			return true
		}
		name := strings.ToUpper(c.Function.Last().Name)
		if slices.Contains(clocks, name) && !(c.Bare && columns[name]) && (name != "UNIX_TIMESTAMP" || len(c.Args) == 0) {
			p.report(c.Span(), "use the event time of the rows if results are to be the same when they are computed again", name+" gives another value whenever the statement runs")
		}
		return true
	})
}

func orderNoLimit(p *pass) {
	inner := func(q sql.Query) {
		if w, ok := q.(*sql.With); ok {
			q = w.Body
		}
		if q, ok := q.(*sql.Ordered); ok && len(q.OrderBy) > 0 && q.Limit == nil {
			p.report(q.OrderBy[0].Span().To(q.OrderBy[len(q.OrderBy)-1].Span()), "add LIMIT, or leave ORDER BY out", "ORDER BY without LIMIT in an inner query means nothing")
		}
	}
	p.inspect(func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.Derived:
			inner(n.Query)
		case *sql.SetOperation:
			inner(n.Left)
			inner(n.Right)
		case *sql.With:
			for i := range n.Tables {
				inner(n.Tables[i].Query)
			}
		}
		return true
	})
}

func limitNoOrder(p *pass) {
	p.inspect(func(n sql.Node) bool {
		if q, ok := n.(*sql.Ordered); ok && len(q.OrderBy) == 0 && q.Limit != nil {
			p.report(q.Limit.Span(), "add ORDER BY if it matters which rows are taken", "LIMIT without ORDER BY takes whichever rows come first")
		}
		return true
	})
}

// digits finds amounts that Flink 2.3 refuses: the first number of an interval has two digits there unless its unit says otherwise.
func digits(p *pass) {
	p.inspect(func(n sql.Node) bool {
		i, ok := n.(*sql.IntervalLit)
		if !ok || i.Qualifier.LeadingPrecision >= 0 {
			return true
		}
		first := strings.TrimLeft(strings.TrimSpace(i.Value.Value), "+-")
		first = strings.TrimLeft(first[:len(first)-len(strings.TrimLeft(first, "0123456789"))], "0")
		if n := len(first); n > 2 {
			p.report(i.Span(), fmt.Sprintf("write %s(%d), or use a larger unit", i.Qualifier.From, n), fmt.Sprintf("an interval of %s has two digits in Flink, and this one has %d", i.Qualifier.From, n))
		}
		return true
	})
}
