// Package runtime runs a graph of operators: it reads the sources, gives every stretch of rows a ticket, moves batches over edges, takes
// snapshots, and stops cleanly. It knows nothing of SQL. It is the only package that reads the wall clock (clock.go).
//
// # Goroutines
//
//   - The sequencer (sequencer.go) polls the splits and issues tickets: chunk after chunk, tick, barrier, end. It decides the order in
//     which rows enter the statement.
//   - N workers (worker.go) take tickets in turn, ticket t by worker t mod N. A worker decodes its chunk while others decode theirs; then,
//     when the tickets before have had theirs, it has its turn at the watermark core of the source; then it runs the stateless operators up
//     to the first exchange.
//   - A fragment (task.go) has P tasks, each of which owns the key groups of its range. A task takes ticket after ticket from all its
//     senders.
//
// Every goroutine is started in Job.start, stops when the job's context ends, and is waited for by Job.
//
// # Why tickets
//
// Rows of one ticket are processed in one order everywhere, and tickets in the order of their numbers. So neither the number of workers
// and tasks nor their speed shows in a result. What a fragment of several tasks sends on is put in order again by the deadline that
// released it, then by rank, then by task (gather.go); tasks emit by key group, and own ranges of key groups in ascending order, so the outcome is what
// one task would have sent.
//
// # Why it cannot block for good
//
// Edges are bounded. Take the least ticket t that is not yet finished everywhere. All before it have had their turn at the core, so its
// worker gets the turn. Whoever has not finished t is at t: it works, or it waits for somebody who still owes it something of t. While it
// waits, its other edges take whatever belongs to t (edge.go). So a sender of t waits only for a receiver that works, which can only wait
// to send in turn; the graph has no cycle, and at its end is the sink. So t finishes.
package runtime
