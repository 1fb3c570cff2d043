package dataflow

import "github.com/tidemark-sql/tidemark/watermark"

// Progress is the only carrier of frontiers and activity outside batches. It is sent when a field changes.
type Progress struct {
	Frontier watermark.Frontier
	// System is the system frontier: no later row was written before it. Unset says that nobody knows, which is so behind any source whose watermark does not look ahead. It does not stand among the rows of
	// a batch, and operators do not deal with it: the runtime keeps it beside a chain and tells it behind what came before. A row that an operator held back or made is written when it leaves, so it holds
	// back nothing: what the operator has taken in is processed. YTsaurus Flow: the system timestamp of what a computation writes is its clock, and the system watermark of a stream does not depend on those of
	// the streams that it is made of.
	System watermark.Frontier
	// Active is false while nothing upstream can be expected to speak, so that others need not wait for it.
	Active bool
}

// Start is the progress of a stream that has not begun.
var Start = Progress{Frontier: watermark.Unset, System: watermark.Unset, Active: true}

// Over is the progress of a stream that has come to its end.
var Over = Progress{Frontier: watermark.Final, System: watermark.Final, Active: true}

// Kind tells the messages of an edge apart.
type Kind uint8

// The kinds of messages.
const (
	Rows    Kind = iota // Batch is set
	Advance             // Progress is set
	Close               // the ticket is over; Barrier or End may be set
)

// Message is one item on an edge.
type Message struct {
	Kind   Kind
	Ticket int64
	// Now is the wall clock of the ticket, microseconds.
	Now int64
	// Input says which of the receiver's inputs the rows or the progress belong to: UNION ALL has one per branch. A Close is
	// for all inputs.
	Input int
	Batch *Batch
	// Bytes is about how many Batch takes.
	Bytes    int64
	Progress Progress
	// Phase is a number that the tasks of a fragment have in common, see Phased; 0 for all others.
	Phase uint64
	// Barrier, if not 0, is the number of the snapshot that everybody takes when the ticket is over.
	Barrier int64
	// End says that nothing follows at all. With Err the statement failed here: everything before it in stream order has been sent, so
	// that what a user sees before an error does not depend on timing; nothing more will be, and no frontier follows from it.
	End bool
	Err error
}
