package connector

import "errors"

// Checkpointed is a Sink whose rows come to light with the checkpoint that covers them, so that a statement which goes on from a checkpoint writes nothing
// twice. A sink that is not asked to Recover works as a plain one.
type Checkpointed interface {
	Sink
	// Recover comes before the first Write of a statement that takes checkpoints. What was prepared for the checkpoint comes to light if it has not, and what was
	// written behind it never does.
	Recover(r Recovery) error
	// Seal ends an epoch: the rows since the last one. It must not wait for a network or a disk; Prepare does.
	Seal() (Epoch, error)
}

// Recovery is where a statement goes on.
type Recovery struct {
	// Statement names the statement together with the folder of its state: the same in each of its runs, and no other's.
	Statement string
	// State is what Epoch.Prepare gave for the checkpoint from which the statement goes on, nil if it begins.
	State []byte
	// Copied says that it was another statement's checkpoint, which may go on from it beside this one: what that writes stays.
	Copied bool
	// Shown says that Epoch.Commit is known to have succeeded. It may have without that being known.
	Shown bool
}

// ErrUndone is what Recover of a Transactional sink returns if what it prepared for the checkpoint has not come to light and never will. The statement goes on from the
// checkpoint before; the sink is asked again.
var ErrUndone = errors.New("the transaction of the checkpoint was given up")

// Transactional is a Checkpointed sink whose rows come to light when a transaction in another system is committed, which that system can refuse for good. Sinks of one statement
// that write to one system write in one transaction, and a statement writes to one such system at most: two could not be committed together.
type Transactional interface {
	Checkpointed
	// System names where the transactions are; it is empty if the table wants none.
	System() (string, error)
	// Join has the sink write in the transactions of first, whose System is the same. It comes before Recover of either. From then on first prepares and commits for both, and is
	// sealed behind the sink.
	Join(first Transactional) error
}

// ErrClosed is what the methods of an Epoch return whose sink was closed meanwhile: why it was says what went wrong.
var ErrClosed = errors.New("the sink was closed")

// Epoch is the rows between two checkpoints. Its methods are called once each, in this order, beside Write and in the order of epochs.
type Epoch interface {
	// Prepare returns when the rows would survive a crash, hidden or not, with what Recover needs to bring them to light.
	Prepare() (state []byte, err error)
	// Commit brings the rows to light. The checkpoint that knows the state is durable.
	Commit() error
}

// Revocable epochs are told when they will never be committed.
type Revocable interface {
	// Revoke is called instead of Commit, when there is no checkpoint that knows what Prepare gave: the rows are given up when the sink is aborted, as those behind them.
	Revoke()
}
