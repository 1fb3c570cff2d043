package bind

import "github.com/tidemark-sql/tidemark/internal/sql"

// procTime is the function of Flink by which rows have the time at which they are processed. There is event time only.
const procTime = "PROCTIME"

// The clauses of CREATE TABLE with expressions.
const (
	clauseComputed  = "a computed column"
	clauseWatermark = "WATERMARK"
)

// inPlaceOfProcTime says what to write for PROCTIME(), by the clause that it stands in.
func inPlaceOfProcTime(where string) string {
	switch where {
	case clauseComputed:
		return "leave the column out: windows and ORDER BY take the column of WATERMARK FOR. Declare WATERMARK FOR ts AS ts - INTERVAL '5' SECOND over the time of the event, or, if rows have " +
			"none, over that of their record, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'"
	case clauseWatermark:
		return "write the time column of the table, less how late rows may be: ts - INTERVAL '5' SECOND"
	}
	return "there is event time only: window and order by the column of WATERMARK FOR; CURRENT_TIMESTAMP is the time of day"
}

// callsProcTime reports whether e is PROCTIME().
func callsProcTime(e sql.Expr) bool {
	c, ok := e.(*sql.Call)
	return ok && callName(c) == procTime
}

// noProcTime refuses PROCTIME().
func (b *Binder) noProcTime(e sql.Expr, where string) error {
	return b.unsupported(e.Span(), inPlaceOfProcTime(where), procTime+" is")
}

// noVersions refuses FOR SYSTEM_TIME AS OF outside of a join.
func (b *Binder) noVersions(asOf sql.Expr, table string) error {
	if callsProcTime(asOf) {
		return b.noLookup(asOf, table)
	}
	return b.unsupported(asOf.Span(), "leave it out, or join with it: FROM l JOIN "+table+" FOR SYSTEM_TIME AS OF l.ts ON l.k = "+table+".k", "FOR SYSTEM_TIME AS OF without JOIN is")
}
