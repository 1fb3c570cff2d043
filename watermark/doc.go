// Package watermark decides how far event time has come.
//
// It turns the event times of a source's splits into one frontier, the promise that every later row has t >= F, and
// combines the frontiers of an operator's inputs. It is pure: it reads no clock (callers hand in the wall time), starts no
// goroutine and does no I/O, so the same rows, ticks and gaps always give the same marks. It does not parse options,
// evaluate watermark expressions or decide what becomes of late rows; it says which rows are late and where the frontier
// moved.
//
// Open frontier.go first (the number and its two predicates), then strategy.go (what can be configured), then core.go (one
// per source), dimension.go and member.go (rows divided by a value). merge.go is the same rule for the inputs of an operator, snapshot.go is what people see.
package watermark
