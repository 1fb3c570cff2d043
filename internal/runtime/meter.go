package runtime

import (
	"runtime"
	"sync/atomic"
)

// doing is what an instance does with its time.
type doing int64

const (
	resting   doing = iota // it has not begun, or is over
	idling                 // it waits for rows
	sending                // it waits for room behind it
	following              // it waits for somebody else of the job; see meter.follow
	working                // or working + i, in a worker, for source i
)

// meter adds up what an instance does with its time, in microseconds. The clock is read when that changes: when the instance begins to wait, and when it goes on. What it has done up to a moment
// adds up to the time since it began.
//
// Its owner changes it, anybody may call times. A nil meter measures nothing.
type meter struct {
	clock func() int64

	// The owner's:
	does  doing
	did   doing // before it began to wait
	since int64
	spent []int64 // by doing; nothing for following

	// state is does and since, or changing; shown is spent.
	state  atomic.Int64
	shown  []atomic.Int64
	leader atomic.Pointer[meter]
	from   atomic.Int64 // how long the leader had waited for room when the instance began to follow it
}

const (
	doingBits = 8 // the number of sources in a statement is no larger than that leaves; see newMeter
	doingMask = 1<<doingBits - 1
	changing  = doingMask
)

// newMeter makes a meter of somebody who works for so many sources. What goes beyond the bits there are counts for the last.
func newMeter(clock func() int64, sources int) *meter {
	n := min(int(working)+max(sources, 1), changing)
	return &meter{clock: clock, spent: make([]int64, n), shown: make([]atomic.Int64, n)}
}

// work is what the instance does when it works for a source.
func (m *meter) work(source int) doing { return min(working+doing(source), doing(len(m.spent)-1)) }

// turn ends what the instance did and begins something else.
func (m *meter) turn(to doing) {
	if m != nil && m.does != to {
		m.change(to, m.clock())
	}
}

// wait is turn for a wait, of which resume is the end.
func (m *meter) wait(to doing) {
	if m != nil {
		m.did = m.does
		m.change(to, m.clock())
	}
}

// waitForOthers begins a wait for whoever takes the rows of a sink, and gives what ends it.
func (m *meter) waitForOthers() (over func()) {
	m.wait(sending)
	return m.resume
}

// resume goes on with what the instance did before it began to wait.
func (m *meter) resume() {
	if m != nil {
		m.change(m.did, m.clock())
	}
}

// follow begins a wait for another instance of the job, at a moment: as long as that waits for room, so does this one, and else for rows.
func (m *meter) follow(leader *meter, now int64) {
	m.did = m.does
	m.leader.Store(leader)
	m.from.Store(leader.blocked(now))
	m.change(following, now)
}

func (m *meter) change(to doing, now int64) {
	took := max(0, now-m.since)
	m.state.Store(changing)
	switch m.does {
	case resting:
	case following:
		// Whoever it followed has gone on before, and so knows what it did.
		room := min(max(0, m.leader.Load().blocked(now)-m.from.Load()), took)
		m.add(sending, room)
		m.add(idling, took-room)
	default:
		m.add(m.does, took)
	}
	m.does, m.since = to, now
	m.state.Store(now<<doingBits | int64(to))
}

func (m *meter) add(to doing, took int64) {
	m.spent[to] += took
	m.shown[to].Store(m.spent[to])
}

// blocked is about how long the instance has waited for room, without a wait for another that is not over.
func (m *meter) blocked(now int64) int64 {
	total, state := m.shown[sending].Load(), m.state.Load()
	if doing(state&doingMask) == sending {
		total += max(0, now-state>>doingBits)
	}
	return total
}

// times is how long the instance has done everything up to now, by doing; nothing for following. It looks through as many waits for others as hops says.
func (m *meter) times(now int64, hops int) []int64 {
	does, since, spent, leader, from := m.look()
	took := max(0, now-since)
	switch does {
	case resting:
	case following:
		room := int64(0)
		if hops > 0 {
			room = min(max(0, leader.times(now, hops-1)[sending]-from), took)
		}
		spent[sending] += room
		spent[idling] += took - room
	default:
		spent[does] += took
	}
	return spent
}

// look reads what the owner has written, all of one moment.
func (m *meter) look() (does doing, since int64, spent []int64, leader *meter, from int64) {
	spent = make([]int64, len(m.shown))
	for {
		state := m.state.Load()
		if state != changing {
			for i := range m.shown {
				spent[i] = m.shown[i].Load()
			}
			leader, from = m.leader.Load(), m.from.Load()
			if m.state.Load() == state {
				return doing(state & doingMask), state >> doingBits, spent, leader, from
			}
		}
		runtime.Gosched() // the owner may have no processor
	}
}
