// Package datagen is the connector of tables that make their own rows, at a given rate: random values, or numbers in sequence.
//
// A value is a function of the table's name, the column's name and the row's number, so that a table gives the same rows in every run and can be
// resumed anywhere. Timestamps are the exception: they are the present, or before it. In a table with an end the present is when the row is due, counted from
// the beginning of the statement, or from 'start-time': so which rows are late, and how far apart they are, is the same in every replay.
//
// Start at source.go; which values a column takes is in column.go, what may be said about it in options.go, when rows are due in pace.go, and what
// time they take it for in clock.go.
package datagen
