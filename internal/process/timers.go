package process

import (
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/watermark"
)

// pending is a timer that waits.
type pending struct {
	trigger, event int64
	number         int64 // in the order in which they were set
	key            uint32
}

func (p pending) before(q pending) bool {
	if p.trigger != q.trigger {
		return p.trigger < q.trigger
	}
	return p.number < q.number
}

// held is the event time that a timer holds back.
type held struct{ event, number int64 }

func (h held) before(g held) bool {
	if h.event != g.event {
		return h.event < g.event
	}
	return h.number < g.number
}

// at is what timers are told apart by.
type at struct {
	trigger int64
	key     uint32
}

// timers are those of one stream. What has lost its place to an equal one, or was handed out, is left in the heaps until it comes up or there is too much of it.
type timers struct {
	queue []pending // a heap, by trigger
	holds []held    // a heap, by event time
	equal map[at]held
	gone  map[int64]struct{} // numbers of those that have lost their place, and are still in queue
	out   map[int64]struct{} // numbers of those that are not there any more, and are still in holds
	live  int
}

// timerBytes is about how much memory a timer takes.
const timerBytes = 32 + 16 + 48

func newTimers(keepEqual bool) *timers {
	t := &timers{gone: map[int64]struct{}{}, out: map[int64]struct{}{}}
	if !keepEqual {
		t.equal = map[at]held{}
	}
	return t
}

// add sets a timer. Of equal ones the one with the least event time stays, and of those the first.
func (t *timers) add(p pending) {
	if t.equal != nil {
		place := at{p.trigger, p.key}
		if other, ok := t.equal[place]; ok {
			if other.event <= p.event {
				return
			}
			t.gone[other.number] = struct{}{}
			t.leave(other)
		}
		t.equal[place] = held{p.event, p.number}
	}
	t.queue = heap.Push(t.queue, p, pending.before)
	if p.event != watermark.NoTime {
		t.holds = heap.Push(t.holds, held{p.event, p.number}, held.before)
	}
	t.live++
}

// leave notes that a timer does not hold anything back any more.
func (t *timers) leave(h held) {
	t.live--
	switch {
	case h.event == watermark.NoTime:
	case t.holds[0].number == h.number:
		_, t.holds = heap.Pop(t.holds, held.before)
	default:
		t.out[h.number] = struct{}{}
	}
}

// next is the timer that is due first.
func (t *timers) next() (p pending, ok bool) {
	for len(t.queue) > 0 {
		p = t.queue[0]
		if _, lost := t.gone[p.number]; !lost {
			return p, true
		}
		delete(t.gone, p.number)
		_, t.queue = heap.Pop(t.queue, pending.before)
	}
	return pending{}, false
}

// offer takes the timer that is due first out of the queue. It is still there for those that are equal to it, and holds back what it did, until it is handed out.
func (t *timers) offer() (p pending) {
	p, t.queue = heap.Pop(t.queue, pending.before)
	return p
}

// hand hands out a timer that was offered; it reports false if that has lost its place meanwhile.
func (t *timers) hand(p pending) bool {
	if _, lost := t.gone[p.number]; lost {
		delete(t.gone, p.number)
		return false
	}
	if t.equal != nil {
		delete(t.equal, at{p.trigger, p.key})
	}
	t.leave(held{p.event, p.number})
	return true
}

// hold is the least event time of all timers, watermark.Final if nothing is held back.
func (t *timers) hold() watermark.Frontier {
	for len(t.holds) > 0 {
		h := t.holds[0]
		if _, left := t.out[h.number]; !left {
			return watermark.Frontier(h.event)
		}
		delete(t.out, h.number)
		_, t.holds = heap.Pop(t.holds, held.before)
	}
	return watermark.Final
}

// each shows all timers, in no order.
func (t *timers) each(show func(p *pending)) {
	for i := range t.queue {
		if _, lost := t.gone[t.queue[i].number]; !lost {
			show(&t.queue[i])
		}
	}
}

// renumber gives keys other numbers, in the same order, nil for those that they have, and forgets what is left of timers that are not there.
func (t *timers) renumber(number []uint32) {
	old := t.queue
	gone := t.gone
	fresh := newTimers(t.equal == nil)
	for _, p := range old {
		if _, lost := gone[p.number]; lost {
			continue
		}
		if number != nil {
			p.key = number[p.key]
		}
		fresh.add(p)
	}
	*t = *fresh
}

// crowded reports whether most of what is in the heaps is not there any more.
func (t *timers) crowded() bool {
	dead := max(len(t.gone), len(t.out))
	return dead > 1024 && dead > t.live
}

// check wants so many timers to be within the limits.
func (l *Limits) check(n int64) error {
	switch {
	case l.Timers > 0 && n > l.Timers:
		return fault.Errorf(fault.Resource, "it has more timers than its limit, %d; raise the limit, or set fewer: those of one key and trigger are one timer unless equal ones are kept", l.Timers)
	case l.TimerBytes > 0 && n*timerBytes > l.TimerBytes:
		return fault.Errorf(fault.Resource, "its timers take more than their limit, %d bytes; raise the limit, or set fewer", l.TimerBytes)
	}
	return nil
}
