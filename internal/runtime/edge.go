package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/invariant"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
)

// edge carries messages in order from one sender to one receiver. It holds edgeMessages of them, and more only where the sender would
// otherwise wait for a receiver that itself waits for somebody else; see inbox.
type edge struct {
	to    *inbox
	from  *meter             // the sender's
	queue []dataflow.Message // from head on; guarded by to.mu
	head  int
	room  chan struct{} // capacity 1: the sender looks again whether there is room
	ended bool          // the receiver has had the end; known only where invariants are checked
}

// edgeMessages bounds an edge. Batches come from chunks of half a megabyte or hold a few thousand results, which bounds memory too as long as
// single values are not huge.
const edgeMessages = 4

// inbox is the receiving ends of all edges of a task.
//
// A task takes from its edges in an order of its own, and waits at one while the others fill up. Were a full edge always closed, two senders
// and two receivers could each wait for the next one round the circle. So while a receiver waits at one edge, the others take whatever
// belongs to the ticket that it is at; of later tickets they take no more than their bound.
type inbox struct {
	mu      sync.Mutex
	edges   []*edge
	ticket  int64         // that the receiver is at
	awaited *edge         // where the receiver waits; nil while it works
	arrived chan struct{} // capacity 1: there is something at the edge where the receiver waits
	closed  bool          // the receiver takes no more
}

func newInbox() *inbox { return &inbox{arrived: make(chan struct{}, 1)} }

// edge adds an edge to b.
func (b *inbox) edge() *edge {
	e := &edge{to: b, room: make(chan struct{}, 1)}
	b.edges = append(b.edges, e)
	return e
}

// begin tells that the receiver goes on to a ticket.
func (b *inbox) begin(ticket int64) {
	b.mu.Lock()
	b.ticket = ticket
	b.mu.Unlock()
}

// close lets go of all that comes from now on, so that a task that failed does not hold back those whose rows come before the error.
func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, e := range b.edges {
		wake(e.room)
	}
}

// send hands m over. It blocks while there is no room, and fails once done is closed.
func (e *edge) send(done <-chan struct{}, m dataflow.Message) error {
	if e.offer(m) {
		return nil
	}
	e.from.wait(sending)
	defer e.from.resume()
	for {
		select {
		case <-e.room:
		case <-done:
			return errStopped
		}
		if e.offer(m) {
			return nil
		}
	}
}

func (e *edge) offer(m dataflow.Message) bool {
	b := e.to
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return true
	}
	waitsElsewhere := b.awaited != nil && b.awaited != e
	if len(e.queue)-e.head >= edgeMessages && !(waitsElsewhere && m.Ticket <= b.ticket) {
		return false
	}
	if e.head > 0 && 2*e.head >= len(e.queue) && len(e.queue) == cap(e.queue) {
		n := copy(e.queue, e.queue[e.head:])
		clear(e.queue[n:])
		e.queue, e.head = e.queue[:n], 0
	}
	e.queue = append(e.queue, m)
	if b.awaited == e {
		wake(b.arrived)
	}
	return true
}

// receive takes the next message. It blocks while there is none, and fails once done is closed.
func (e *edge) receive(done <-chan struct{}) (dataflow.Message, error) {
	for {
		if m, ok := e.take(); ok {
			return m, nil
		}
		select {
		case <-e.to.arrived:
		case <-done:
			return dataflow.Message{}, errStopped
		}
	}
}

func (e *edge) take() (m dataflow.Message, ok bool) {
	b := e.to
	b.mu.Lock()
	defer b.mu.Unlock()
	if e.head == len(e.queue) {
		b.awaited = e
		for _, other := range b.edges {
			if len(other.queue)-other.head >= edgeMessages {
				wake(other.room)
			}
		}
		return m, false
	}
	b.awaited = nil
	if invariant.Enabled {
		invariant.Check(!e.ended, "a message behind the end of an edge")
		e.ended = e.queue[e.head].End
	}
	m, e.queue[e.head] = e.queue[e.head], dataflow.Message{}
	if e.head++; e.head == len(e.queue) {
		e.queue, e.head = e.queue[:0], 0
	}
	wake(e.room)
	return m, true
}

// wake leaves a note in a channel of capacity 1 unless there is one already.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
