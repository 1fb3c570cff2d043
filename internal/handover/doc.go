// Package handover is how one pipeline tells the next how far event time has come in the rows that it writes.
//
// Everybody who writes to a topic is a Writer, new with each run. A writer says in records of a side topic, which keeps the last one of each, up to which
// frontier all its rows are written, and where in each partition they end: a Promise. A Ledger finds what a writer can promise, from what was handed to a client and what
// has been acknowledged. An Upstream finds what the promises of all writers come to for whoever has read a partition up to some offset. Whoever has Gone
// leaves a record behind, which a later writer may take out.
//
// The package does no I/O, reads no clock and starts no goroutine; package kafka moves the records. Open promise.go first.
package handover
