package script

import (
	"fmt"
	"path"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// tally adds up the counters of jobs of one statement that followed each other. Those of a source go on after a restart by themselves; those
// of operators begin anew.
type tally struct {
	operators []runtime.OperatorStats
	written   int64
}

func (t *tally) add(s runtime.Stats) {
	t.written += s.Written
	if t.operators == nil {
		t.operators = s.Operators
		return
	}
	for i := range t.operators {
		a, b := &t.operators[i], &s.Operators[i]
		a.In += b.In
		a.Out += b.Out
		a.Filtered += b.Filtered
		a.Absorbed += b.Absorbed
		a.Dropped += b.Dropped
		if a.Worst == nil || b.Worst != nil && b.Worst.Lateness() > a.Worst.Lateness() {
			a.Worst = b.Worst
		}
	}
}

// stats are the counters of the running job, with those of operators over all jobs before it.
func (r *rig) stats() runtime.Stats {
	s := r.job.Stats()
	sum := tally{append([]runtime.OperatorStats(nil), r.past.operators...), r.past.written}
	sum.add(s)
	s.Operators, s.Written = sum.operators, sum.written
	return s
}

// accounts checks that no row was lost or made up on the way: what the script fed was read, what went into an operator came out, was
// filtered, absorbed or dropped, and what was written was printed.
func (r *rig) accounts() error {
	if r.job == nil {
		return nil
	}
	s := r.stats()
	var read int64
	for _, source := range s.Sources {
		if r.feed.table(source.Name) != nil {
			read += source.Rows
		}
	}
	if fed := r.feed.delivered(); fed != read {
		return fmt.Errorf("broken accounts: the script fed %d rows and the sources read %d", fed, read)
	}
	for _, o := range s.Operators {
		if why := unbalanced(o); why != "" {
			return fmt.Errorf("broken accounts of %s (%s): in %d is not %s (out %d, filtered %d, absorbed %d, dropped %d)",
				o.Label, o.ID, o.In, why, o.Out, o.Filtered, o.Absorbed, o.Dropped)
		}
	}
	if into := r.query.Plan.Into; into != nil && into.Options["connector"] != connectorName {
		return nil
	}
	if s.Written != r.output.rows {
		return fmt.Errorf("broken accounts: the statement wrote %d rows and its sink got %d", s.Written, r.output.rows)
	}
	return nil
}

// unbalanced says which sum does not hold for an operator, or nothing.
func unbalanced(o runtime.OperatorStats) string {
	rest := o.Filtered + o.Absorbed + o.Dropped
	kind, _, _ := strings.Cut(path.Base(o.ID), "@")
	switch kind {
	case "window-aggregate":
		if o.In != rest {
			return "filtered + absorbed + dropped"
		}
	case "window-assign":
		// A row is in no window, in one, or in several.
		if o.Out < o.In-rest {
			return "at most out + filtered"
		}
	default:
		if o.In != rest+o.Out {
			return "out + filtered"
		}
	}
	return ""
}
