// Package tidemark runs event-time SQL over rows that arrive out of order: Flink SQL, and YQL beside it, in one Go library.
//
// An Engine is a session. Exec runs the statements that declare things and those that write tables; Query also hands over the rows of a final
// SELECT, each with its place in the changelog, and tells at the end what was late and where:
//
//	e := tidemark.Open(tidemark.Options{})
//	err := e.Exec(ctx, "CREATE TABLE … WATERMARK FOR … WITH ('connector' = 'filesystem', …)")
//	summary, err := e.Query(ctx, "SELECT … GROUP BY window_start, window_end", func(r tidemark.Row) error { … })
//
// A fault in a statement is an *Error, whose Render draws the line with a caret; what stops a statement that is right, such as a malformed row,
// is a *RunError.
//
// The package holds the words of the domain and the life of a statement, and nothing of how statements are read or run: ARCHITECTURE.md maps
// the packages that do. Start at engine.go; watermarks.go attaches watermarks made in Go; handover.go brings what comes back, which is in row.go, summary.go and error.go. Zone names that the
// machine does not know need an import of time/tzdata in the program.
package tidemark
