package connector

// Checkpointed is a Sink whose rows come to light with the checkpoint that covers them, so that a statement which goes on from a checkpoint writes nothing
// twice. A sink that is not asked to Recover works as a plain one.
type Checkpointed interface {
	Sink
	// Recover comes before the first Write of a statement that takes checkpoints. state is what Epoch.Prepare gave for the checkpoint from which the
	// statement goes on, nil if it begins: what was prepared then comes to light if it has not, and what was written behind it never does.
	Recover(state []byte) error
	// Seal ends an epoch: the rows since the last one. It must not wait for a network or a disk; Prepare does.
	Seal() (Epoch, error)
}

// Epoch is the rows between two checkpoints. Its methods are called once each, in this order, beside Write and in the order of epochs.
type Epoch interface {
	// Prepare returns when the rows would survive a crash, hidden or not, with what Recover needs to bring them to light.
	Prepare() (state []byte, err error)
	// Commit brings the rows to light. The checkpoint that knows the state is durable.
	Commit() error
}
