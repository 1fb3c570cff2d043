package dataflow

import (
	"github.com/tidemark-sql/tidemark/internal/spill"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Operator turns one stream into another.
//
// Calls come from one goroutine, in stream order. Frontiers arrive both as marks within a batch and through Advance; they leave in
// the same two ways, every one of them: an operator that does not care for time leaves the marks in the batch, one that takes rows
// in passes each mark on with Output.Advance. So what is downstream does not depend on where one batch ends and the next begins.
//
// Fed only on-time rows, an operator emits only on-time rows. Deadlines fire in ascending order; one set at or below the
// current frontier fires at the next advance, never inside the call that set it. What a deadline d released is followed by an
// advance to d before anything that a later deadline released.
type Operator interface {
	// Process takes b, which it owns from now on.
	Process(b *Batch, out Output) error
	// Advance tells that the frontier or the activity of the input changed; System is not set, and nobody looks at what the operator says of it. The operator emits what that releases, then advances out as
	// far, held back as far as it must.
	Advance(p Progress, out Output) error
}

// Output is where an operator's results go.
type Output interface {
	// Emit gives b away. Of a batch without selected rows only the marks go on.
	Emit(b *Batch) error
	// Advance tells that the frontier or the activity changed. Saying the same again does nothing.
	Advance(p Progress) error
}

// Forking operators have several outputs. Each has a frontier of its own; the Output that their other methods are given is the first.
type Forking interface {
	Operator
	// SetOutlets gives the operator its outputs, in order. It is called once, before everything else. A Forking operator is the last of its fragment.
	SetOutlets(all []Output)
}

// Sated operators know when no row that still comes would change what they emit.
type Sated interface {
	Sated() bool
}

// Stateful operators keep something between calls that a restart must bring back.
type Stateful interface {
	// Snapshot appends the state, which must not depend on parallelism beyond which keys it holds.
	Snapshot(dst []byte) []byte
	// Restore reads parts written by Snapshot by any number of predecessors, and keeps the keys that this instance owns.
	Restore(parts [][]byte, owns func(hash uint64) bool) error
}

// Spilling operators keep keys for which there is no memory on the disk. What they do does not depend on it.
type Spilling interface {
	Stateful
	// SpillTo gives the operator an empty table and its share of the memory. It is called at most once, before everything else. What is in the table is not in what Snapshot appends.
	SpillTo(t *spill.Table, share *spill.Share)
	// RestoreRecord takes a record that a predecessor had in its table, of a key that this instance owns. It is for instances without a table; into that of others records go as they are. The record is
	// the caller's.
	RestoreRecord(r spill.Record) error
	// Restored is called behind the last part and the last record.
	Restored() error
}

// Size is how much a Stateful operator holds, for people.
type Size struct {
	// Groups are keys with an accumulator or a row of their own: once in each piece of time that is kept apart, and once a session. Rows are kept as they came.
	Groups, Rows int64
	// Bytes is about how much memory all of it takes. A snapshot does not keep it.
	Bytes int64
}

// Add adds t to s.
func (s *Size) Add(t Size) {
	s.Groups += t.Groups
	s.Rows += t.Rows
	s.Bytes += t.Bytes
}

// Sized operators tell how much they hold; they are asked when Snapshot was called, and now and then between two calls of Process or Advance. A key that is on the disk is a group.
type Sized interface{ Size() Size }

// Clocked operators use the wall clock, microseconds, as told before each ticket.
type Clocked interface{ SetNow(now int64) }

// Toiling operators may be at work for seconds between two results. They ask interrupted now and then, and return its error, which says that nobody waits for results any more.
type Toiling interface {
	SetInterrupted(interrupted func() error)
}

// Calling operators call code of the program, of which nobody knows whether it returns.
type Calling interface {
	// Call says what is called at the moment, for people, and the number of the call, by which it is told from the next; "" if nothing is. Any goroutine may ask.
	Call() (what string, number uint64)
}

// Fronted operators look at the frontier of every row: before each batch they are told the one that holds up to its first mark.
type Fronted interface{ SetFrontier(f watermark.Frontier) }

// Apart operators tell the inputs of their fragment apart by how far they have come: they stand at its head, the marks of a batch are those of the input that it came by, and what
// another one says reaches them alone. Advance is for all inputs at once, when they have ended.
type Apart interface {
	Operator
	// AdvanceInput tells that the frontier, the system frontier or the activity of an input changed.
	AdvanceInput(input int, p Progress, out Output) error
}

// SystemFronted operators look at the system frontier of all rows that come. They stand at the head of a fragment, and are told whenever it has risen, behind the rows that came before.
type SystemFronted interface{ SetSystem(f watermark.Frontier) }

// Phased operators have several tasks and frontiers of their own making, which may fall: that of the fragment is the greatest that the least of its tasks has been. They work in phases, which every task
// counts alike, as all see the same frontiers: in each they emit rows, which have an Order, and then tell how far they have come. OnPhase gives them what to tell that a phase begins; it is called once,
// before everything else.
type Phased interface {
	Operator
	OnPhase(tell func(number uint64))
}

// Ticking operators do something when time goes by. Tick is called at the end of each ticket, whose time they know; it may emit and advance.
type Ticking interface {
	Clocked
	Tick(out Output) error
}

// Counted operators tell what became of their rows.
type Counted interface{ Counts() *Counts }
