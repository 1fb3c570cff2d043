package runtime

import (
	"runtime"
	"sync/atomic"
)

// doing is what an instance does with its time.
type doing int32

const (
	resting   doing = iota // it has not begun, or is over
	idling                 // it waits for rows
	sending                // it waits for room behind it
	following              // it waits for somebody else of the job; see meter.follow
	working                // or working + i, in a worker, for source i
)

// meter adds up what an instance does with its time, in microseconds. The clock is read when that changes: when the instance begins to wait, and when it goes on. What it did up to a moment adds up
// to the time since it began.
//
// Its owner calls the methods that change it; any goroutine may call times and backpressured. A nil meter measures nothing.
type meter struct {
	clock func() int64
	does  doing // the owner's
	did   doing // before it began to wait; the owner's

	version atomic.Uint32 // odd while what follows is written
	now     atomic.Int32  // does, for others
	since   atomic.Int64
	spent   []atomic.Int64 // by doing
	leader  atomic.Pointer[meter]
	from    atomic.Int64 // what leader had waited for room when the instance began to follow it
}

func newMeter(clock func() int64, sources int) *meter {
	return &meter{clock: clock, spent: make([]atomic.Int64, int(working)+max(sources, 1))}
}

// turn ends what the instance did and begins something else.
func (m *meter) turn(to doing) {
	if m == nil || m.does == to {
		return
	}
	m.change(to, nil)
}

// wait is turn for a wait, of which resume is the end.
func (m *meter) wait(to doing) {
	if m != nil {
		m.did = m.does
		m.change(to, nil)
	}
}

// follow begins a wait for another instance of the job: as long as that waits for room, so does this one, and else for rows.
func (m *meter) follow(leader *meter) {
	if m != nil {
		m.did = m.does
		m.change(following, leader)
	}
}

// resume goes on with what the instance did before it began to wait.
func (m *meter) resume() {
	if m != nil {
		m.change(m.did, nil)
	}
}

func (m *meter) change(to doing, leader *meter) {
	now := m.clock()
	var behind int64
	if leader != nil {
		behind = leader.backpressured(now, mostHops)
	}
	took := max(0, now-m.since.Load())
	room := int64(0) // of a wait for another, what it spent without room
	if m.does == following {
		room = m.followed(now, took, mostHops)
	}
	m.version.Add(1)
	switch m.does {
	case resting:
	case following:
		m.spent[sending].Add(room)
		m.spent[idling].Add(took - room)
	default:
		m.spent[m.does].Add(took)
	}
	m.does = to
	m.now.Store(int32(to))
	m.since.Store(now)
	m.leader.Store(leader)
	m.from.Store(behind)
	m.version.Add(1)
}

// mostHops bounds how far one follows who follows another. It is more than a chain of workers comes to that all wait for the first of them, and for readers that look while things change.
const mostHops = 128

// followed is how much of a wait for another, which has taken so long now, that had no room.
func (m *meter) followed(now, took int64, hops int) int64 {
	leader := m.leader.Load()
	if leader == nil || hops == 0 {
		return 0
	}
	return min(max(0, leader.backpressured(now, hops-1)-m.from.Load()), took)
}

// backpressured is how long the instance has waited for room, up to now.
func (m *meter) backpressured(now int64, hops int) (total int64) {
	m.read(func() {
		total = m.spent[sending].Load()
		took := max(0, now-m.since.Load())
		switch doing(m.now.Load()) {
		case sending:
			total += took
		case following:
			total += m.followed(now, took, hops)
		}
	})
	return total
}

// times is how long the instance has done everything, by doing, up to now; nothing for following.
func (m *meter) times(now int64) []int64 {
	spent := make([]int64, len(m.spent))
	m.read(func() {
		for i := range m.spent {
			spent[i] = m.spent[i].Load()
		}
		took := max(0, now-m.since.Load())
		switch does := doing(m.now.Load()); does {
		case resting:
		case following:
			room := m.followed(now, took, mostHops)
			spent[sending] += room
			spent[idling] += took - room
		default:
			spent[does] += took
		}
	})
	return spent
}

// read runs f until nothing has changed meanwhile.
func (m *meter) read(f func()) {
	for {
		v := m.version.Load()
		if v%2 == 0 {
			f()
			if m.version.Load() == v {
				return
			}
		}
		runtime.Gosched() // the owner may have no processor
	}
}
