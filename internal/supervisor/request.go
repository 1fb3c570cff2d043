package supervisor

import "errors"

// Request is something that people ask of a running statement.
type Request struct {
	// Drain ends the input where it is, and so the statement. Without it a checkpoint is taken now, behind one that is on its way.
	Drain bool
	// Done gets nil once the checkpoint is durable, or why it is not. It has room for that; a Drain has no use for it.
	Done chan<- error
}

// errOver is the answer to who asked for a checkpoint of an attempt that ended before there was one.
var errOver = errors.New("the statement has failed, or come to its end, before there was another checkpoint")

// take does what is asked.
func (a *attempt) take(r Request) {
	if r.Drain {
		a.drained = true
		a.job.Drain()
		return
	}
	a.asked = r.Done
	a.want()
}

// answer tells who asked for a checkpoint what became of it, if somebody did.
func (a *attempt) answer(err error) {
	if a.asked != nil {
		a.asked <- err
		a.asked = nil
	}
}
