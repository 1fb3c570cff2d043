// Package lower makes plans of pipelines: a stream is a relation that its readers share, a source is the scan of a table whose watermark looks ahead, a sink is an INSERT. The whole pipeline is
// statements that run together.
//
// Behind the columns of its schema every stream has the two times of its messages, plan.EventTimestamp and plan.SystemTimestamp. Where they come from is in stamp.go.
//
// Start at Pipeline. It writes watermark strategies as options of tables (strategy.go), so nothing below knows that Flow exists.
package lower
