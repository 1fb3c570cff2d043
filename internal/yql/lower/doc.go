// Package lower gives meaning to YQL: it makes plans of the trees of package yql. It finds named expressions, topics, tables and columns, derives types, follows
// the time of the watermark through aliases and subqueries, and refuses by name what a streaming query cannot do. Most errors of people who write YQL are born here.
//
// Plans do not know where they come from: what YQL has and Flink SQL has not is a general node or option of package plan. Tables are found, scanned and written by
// package bind, expressions are computed by package functions; this package says which.
//
// Start at Lowerer in lower.go; a file each for named expressions, FROM, topics, grouping, windows, expressions and sinks.
package lower
