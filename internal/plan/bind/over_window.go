package bind

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// namedWindows are the windows of a WINDOW clause, each with what it takes over from the one that it names.
type namedWindows struct {
	names []string
	specs map[string]*sql.WindowSpec
}

// windows binds the WINDOW clause of q, whose names differ. A window names only those before it.
func (b *Binder) windows(q *sql.Select) (*namedWindows, error) {
	named := &namedWindows{specs: make(map[string]*sql.WindowSpec, len(q.Windows))}
	for i := range q.Windows {
		w := &q.Windows[i]
		if named.specs[w.Name.Name] != nil {
			return nil, b.errorf(source.CodeDuplicate, w.Name.Span(), "give it another name", "WINDOW defines '%s' twice", w.Name.Name)
		}
		spec, err := b.windowSpec(named, w.Spec)
		if err != nil {
			return nil, err
		}
		named.names = append(named.names, w.Name.Name)
		named.specs[w.Name.Name] = spec
	}
	return named, nil
}

// windowSpec is w with what the window adds to it that it names.
func (b *Binder) windowSpec(named *namedWindows, w *sql.WindowSpec) (*sql.WindowSpec, error) {
	if w.Ref == nil {
		return w, nil
	}
	found := named.specs[w.Ref.Name]
	if found == nil {
		otherwise := "add WINDOW " + w.Ref.Name + " AS (PARTITION BY … ORDER BY …) at the end of the query"
		if len(named.names) > 0 {
			otherwise = "the windows are: " + join(named.names)
		}
		return nil, b.errorf(source.CodeWindow, w.Ref.Span(), didYouMean(w.Ref.Name, named.names, otherwise), "no window '%s' in the WINDOW clause", w.Ref.Name)
	}
	both := *found
	both.Located = w.Located
	if len(w.PartitionBy) > 0 {
		return nil, b.errorf(source.CodeWindow, w.Span(), "write PARTITION BY in the WINDOW clause", "PARTITION BY cannot be added to window '%s'", w.Ref.Name)
	}
	if len(w.OrderBy) > 0 {
		if len(found.OrderBy) > 0 {
			return nil, b.errorf(source.CodeWindow, w.Span(), "leave ORDER BY out, or the name", "window '%s' has its own ORDER BY", w.Ref.Name)
		}
		both.OrderBy = w.OrderBy
	}
	if w.Frame != nil {
		if found.Frame != nil {
			return nil, b.errorf(source.CodeWindow, w.Span(), "leave the frame out, or the name", "window '%s' has its own frame", w.Ref.Name)
		}
		both.Frame = w.Frame
	}
	return &both, nil
}

// frame binds ROWS or RANGE. Flink 2.3: it begins before the current row and ends with it.
func (b *Binder) frame(f *sql.Frame) (plan.Frame, error) {
	out := plan.Frame{Rows: f.Rows}
	const hint = "write ROWS BETWEEN 10 PRECEDING AND CURRENT ROW, or RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW; UNBOUNDED PRECEDING is everything before"
	if f.End != nil && f.End.Kind != sql.CurrentRow || f.Start.Kind == sql.Following || f.Start.Kind == sql.UnboundedFollowing {
		return out, b.unsupported(f.Span(), hint, "a frame that does not end at CURRENT ROW is")
	}
	if f.Start.Kind == sql.UnboundedPreceding {
		return out, nil
	}
	out.Bounded = true
	if f.Start.Kind == sql.CurrentRow {
		return out, nil
	}
	at := f.Start.Offset.Span()
	if f.Rows {
		n, ok := f.Start.Offset.(*sql.NumberLit)
		if ok && n.Kind == sql.IntegerNumber {
			if v, err := strconv.ParseInt(n.Text, 10, 64); err == nil && v <= maxFrame {
				out.Preceding = v
				return out, nil
			}
		}
		return out, b.errorf(source.CodeWindow, at, "write ROWS BETWEEN 10 PRECEDING AND CURRENT ROW", "ROWS counts a whole number of rows up to %d", int64(maxFrame))
	}
	if sql.ReadsColumn(f.Start.Offset) {
		return out, b.errorf(source.CodeWindow, at, "write RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW", "RANGE takes a constant interval")
	}
	e, err := b.expr(f.Start.Offset, (&scope{}).in("RANGE"))
	if err != nil {
		return out, err
	}
	l, ok := e.(*expr.Literal)
	switch {
	case ok && l.Type().Kind == types.IntervalMonth:
		return out, b.unsupported(at, "write it in days or less", "RANGE in months or years is")
	case !ok || l.IsNull() || l.Type().Kind != types.IntervalDay || l.Int() < 0:
		return out, b.errorf(source.CodeWindow, at, "write RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW", "RANGE goes back by a constant interval that is not negative")
	}
	out.Preceding = l.Int()
	return out, nil
}

// maxFrame bounds the rows of a frame, which are all kept.
const maxFrame = 1 << 30
