package runtime

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// visits is what sessions are told to be: a greatest set of rows of one key in which nobody is further than the gap from the next. A session ends a gap after its last row and leaves when
// the frontier reaches that; a row whose session would be over already is dropped.
type visits struct {
	gap      int64
	rows     []row
	frontier int64
	has      bool // frontier
	left     []string
	dropped  int64
}

// cut cuts rows into sessions.
func (v *visits) cut(rows []row) (all [][]row) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.time, b.time)) })
	for i, r := range rows {
		if i == 0 || rows[i-1].key != r.key || r.time > rows[i-1].time+v.gap {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], r)
	}
	return all
}

func (v *visits) over(session []row) bool {
	return v.has && v.frontier >= session[len(session)-1].time+v.gap
}

func (v *visits) take(r row) {
	for _, s := range v.cut(append(slices.Clone(v.rows), r)) {
		if v.over(s) {
			v.dropped++ // those that are there are not over, so it is r alone
			return
		}
	}
	v.rows = append(v.rows, r)
}

func (v *visits) rise(n junction) {
	if !n.has || v.has && n.frontier <= v.frontier {
		return
	}
	v.frontier, v.has = n.frontier, true
	var stay []row
	for _, s := range v.cut(v.rows) {
		if v.over(s) {
			v.left = append(v.left, fmt.Sprintf("key %d, %d rows from %d to %d", s[0].key, len(s), s[0].time, s[len(s)-1].time+v.gap))
		} else {
			stay = append(stay, s...)
		}
	}
	v.rows = stay
}

// restarted is what is left of visits: what the statement held.
func (v *visits) restarted() *visits {
	c := *v
	c.rows, c.left = slices.Clone(v.rows), nil
	return &c
}

// sessions are the operators that do so, for rows that have a time.
func (w *world) sessions(memory *vector.Pool) []OperatorSpec {
	timed, err := expr.NewCall(function.MustScalar(">"), []expr.Expr{expr.NewColumn(1, "time", types.BigIntType), expr.LiteralInt(types.BigIntType, math.MinInt64+1)})
	if err != nil {
		w.t.Fatal(err)
	}
	return []OperatorSpec{
		{ID: "timed", New: func() dataflow.Operator { return operator.NewFilter(timed, &function.Env{}) }},
		{ID: "sessions", Print: "sessions", New: func() dataflow.Operator {
			return operator.NewSessionAggregate(operator.SessionAggregateSpec{Spec: window.Spec{Kind: window.Session, Gap: w.visits.gap}, Time: 1, Keys: []int{0}, KeyKinds: []vector.Kind{vector.Int64},
				Aggregates: []operator.Aggregate{{New: newAggregate("COUNT"), Filter: -1, Kind: vector.Int64}}, Tick: 1000, Memory: memory})
		}},
	}
}

// slow is a sink that keeps whoever writes to it waiting for a random while.
type slow struct {
	rng  *rand.Rand
	left []string
}

func (s *slow) Write(b *vector.Batch) error {
	for range s.rng.IntN(50) {
		runtime.Gosched()
	}
	rows := b.Rows()
	for k := range rows.Count() {
		i := rows.At(k)
		s.left = append(s.left, fmt.Sprintf("key %d, %d rows from %d to %d", b.Cols[0].Int(i), b.Cols[1].Int(i), b.Cols[2].Int(i), b.Cols[3].Int(i)))
	}
	return nil
}

func (s *slow) Flush() error { return nil }
func (s *slow) Close() error { return nil }

// compareSessions compares what has left since the last time.
func (w *world) compareSessions() {
	got, want := w.sink.left, w.visits.left
	w.sink.left, w.visits.left = nil, nil
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		w.t.Errorf("sessions: %s", firstDifference(got, want))
	}
	for _, o := range w.job.Stats().Operators {
		if o.ID == "sessions" && o.Dropped != w.visits.dropped {
			w.t.Errorf("%d rows dropped by sessions, want %d", o.Dropped, w.visits.dropped)
		}
	}
	w.total.Sessions += len(got)
}
