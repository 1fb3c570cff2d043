// Package dataflow is the waist of the engine: what flows on an edge, what an operator is, and what they owe each other.
//
// # The stream
//
// Between two operators there is a sequence of rows and frontiers, in one order. A frontier F between two rows promises that
// every later row has t >= F. Everything else is packaging:
//
//   - A Batch holds many rows; its Marks say between which rows the frontier rises.
//   - A Progress carries a frontier, or a change of activity, that falls between batches.
//   - A ticket is a stretch of the stream that one read of one split set off. Tickets are numbered from 0 for the whole
//     statement. Whoever receives from several senders takes all that belongs to ticket 0, then ticket 1, and so on; this is
//     what makes results independent of how many senders there are and how fast each of them is.
//
// # The edge
//
// An Edge carries messages in order from one sender to one receiver: any number of Batch and Progress messages of a ticket, then
// exactly one Close of it. A Close may also carry a barrier, behind the ticket's rows, or the end. Results that a frontier
// caused precede it. End is last and implies the final frontier.
//
// # Frontiers
//
// Frontiers never fall. Inputs that are not active are left out of the minimum; if no input is active the maximum counts, and
// then the operator is not active either (package watermark, Merge).
//
// Beside the frontier of event time there is the system frontier, of the times at which rows were written; see Progress.
//
// # Batches
//
// A batch on an edge has at least one row. Emitting gives it away with its memory: the receiver may overwrite, keep or release
// it, and the sender must not touch it again. Who keeps bytes beyond the batch copies them. Builds with -tags invariants fill
// released memory with garbage.
//
// # Operators
//
// See Operator. Optional abilities are interfaces of one or two methods (Stateful, Clocked, Counted), found once while the graph
// is built. An operator has one owner, the task that runs it, and needs no lock.
//
// # Late rows
//
// There are two different things, counted apart and never added up: a row is late at the source if t < F of its source when it was
// read (watermark.Core counts it, and it flows on), and an operator drops a row if the last deadline that the row could serve
// is complete there. For every operator, rows in = rows out + filtered + absorbed + dropped, but that a
// window function on its own lets a row out once per window.
package dataflow
