package tidemark

import (
	"time"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Summary tells what became of a statement.
type Summary struct {
	// RowsIn were read from all tables, RowsOut were given or written.
	RowsIn, RowsOut int64
	// Tables are those read, in the order of the statement; one that is read twice is there twice.
	Tables []TableSummary
	// Dropped lists the operators that dropped rows for being late, in the order in which rows pass them.
	Dropped []DropSummary
}

// TableSummary is one table that was read.
type TableSummary struct {
	Name string
	Rows int64
	// Late counts rows behind the watermark when they were read. They are not lost by that: whether an operator could still use one shows in
	// Summary.Dropped, and the two are never to be added.
	Late int64
	// Malformed rows were left out because the table says so, and are not among Rows. NullTime rows are, and were left out for having no event
	// time.
	Malformed, NullTime int64
	// Watermark is the highest that rows took it, as Flink counts: inclusive, in milliseconds. It is the zero Time if none was reached.
	Watermark time.Time
}

// DropSummary is one operator that dropped rows that came too late for it: their last window was over, or ORDER BY had let a row of their time or a later one go.
type DropSummary struct {
	// Operator is its label in EXPLAIN, such as "TUMBLE(size 1 h)".
	Operator string
	Rows     int64
	// Worst is the event time of the row that came latest, and Behind how far the watermark had passed it: watermark - Worst, the watermark
	// as in TableSummary.
	Worst  time.Time
	Behind time.Duration
}

func summarize(s runtime.Stats) Summary {
	out := Summary{RowsOut: s.Results()}
	for i := range s.Sources {
		t := summarizeTable(&s.Sources[i])
		out.RowsIn += t.Rows
		out.Tables = append(out.Tables, t)
	}
	for _, op := range s.Operators {
		if op.Dropped == 0 {
			continue
		}
		d := DropSummary{Operator: op.Label, Rows: op.Dropped}
		if w := op.Worst; w != nil {
			d.Worst, d.Behind = time.UnixMicro(w.Time).UTC(), time.Duration(w.Past())*time.Microsecond
		}
		out.Dropped = append(out.Dropped, d)
	}
	return out
}

func summarizeTable(s *runtime.SourceStats) TableSummary {
	t := TableSummary{Name: s.Name, Rows: s.Rows, Late: s.Late, Malformed: s.Skipped, NullTime: s.NullTime}
	if s.Watermark == nil || !s.Watermarked {
		return t
	}
	if f := s.Watermark.Reached; f != watermark.Unset {
		t.Watermark = time.UnixMilli(f.W()).UTC()
	}
	return t
}
