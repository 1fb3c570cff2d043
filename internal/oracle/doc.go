// Package oracle answers a bound statement the slow way, so that the engine's answers can be judged.
//
// It keeps the whole history in memory, looks at one row at a time, and recomputes every window from all of its rows when the window is
// complete. There are no slices, batches, hash tables, tasks or snapshots here, and nothing is shared with the operators; scalar expressions
// are the exception, they are evaluated by package expr, which is tested on its own. It knows bounded inputs and a clock that stands still.
//
// The tests of this package make random tables, rows and statements, run them in the engine in many ways, and compare. Start at Run; stream.go
// says what a node makes of its inputs.
package oracle
