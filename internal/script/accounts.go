package script

import (
	"fmt"
	"path"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// accounts checks that no row was lost or made up on the way: what the script fed was read, what went into an operator came out, was
// filtered, absorbed or dropped, and what was written was printed.
func (r *rig) accounts() error {
	if r.job == nil {
		return nil
	}
	s := r.job.Stats()
	var read int64
	for _, source := range s.Sources {
		if r.feed.table(r.query.Table(source.Name)) != nil {
			read += source.Rows + source.Held + source.Skipped
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
		if held := o.Size.Groups + o.Size.Rows; o.Size.Bytes < 8*held {
			return fmt.Errorf("broken accounts of %s (%s): %d groups and rows take %d bytes", o.Label, o.ID, held, o.Size.Bytes)
		}
		if k := o.Keeps; k != nil {
			source, left := &s.Sources[k.Source], s.Sources[k.Source].Skipped
			if k.Late {
				left = source.Diverted
			}
			if o.Out != left {
				return fmt.Errorf("broken accounts: %d rows of %s were left out, and %d are kept in %s", left, source.Name, o.Out, k.Table)
			}
		}
	}
	for _, p := range r.query.Plans {
		if p.Into != nil && p.Into.Options["connector"] != connectorName {
			return nil
		}
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
	case "window-aggregate", "group-aggregate", "join", "temporal-join", "table-join", "key-windows", "interval-join", "window-join", "set-operation", "normalize", "sort", "top-n", "window-top-n", "over", "match", "at-end", "process":
		if o.In != rest {
			return "filtered + absorbed + dropped"
		}
	case "expand":
		// A row leaves once for each grouping set.
		if o.Out%max(o.In, 1) != 0 || o.Out < o.In {
			return "a part of out"
		}
	case "window-assign", "unnest":
		// A row is in no window, in one, or in several, and has as many elements.
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
