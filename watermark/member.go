package watermark

import "math"

// member is one value in one split.
type member struct {
	frontier   Frontier
	quietSince int64 // of its last row, on the split's idle clock
	value      int32
}

// members are those of one split.
type members struct {
	places []int32 // by value: 1 + its place in list, 0 if it has none
	list   []member
	tree   minTree // frontiers of list; lags behind for members that are not the least
	least  int     // place of the first of the least, unless stale
	stale  bool
	reach  Frontier
	joined int64 // wall time at which the split joined
	lost   int64 // wall time that its idle clock stood still
	due    int64 // on the idle clock: nothing is to be forgotten before
}

func newMembers(now int64) members { return members{reach: Unset, joined: now, due: math.MaxInt64} }

// frontier is that of the split.
func (m *members) frontier() Frontier {
	if len(m.list) == 0 {
		return m.reach
	}
	if m.stale {
		m.settle()
	}
	return m.list[m.least].frontier
}

// holder is how many members there are, and the name of the first of the least; "" if there are none.
func (m *members) holder(names []string) (members int, name string) {
	if len(m.list) == 0 {
		return 0, ""
	}
	m.frontier()
	return len(m.list), names[m.list[m.least].value]
}

// place is where a value is in list, -1 if nowhere.
func (m *members) place(value int32) int {
	if int(value) >= len(m.places) {
		return -1
	}
	return int(m.places[value]) - 1
}

// raise takes the frontier of a member to f, which is further.
func (m *members) raise(place int, f Frontier) {
	m.list[place].frontier = f
	m.stale = m.stale || place == m.least
}

// join makes a value a member.
func (m *members) join(value int32, f Frontier, clock, timeout int64) {
	if n := int(value) + 1; n > len(m.places) {
		m.places = append(m.places, make([]int32, n-len(m.places))...)
	}
	m.list = append(m.list, member{frontier: f, quietSince: clock, value: value})
	m.places[value] = int32(len(m.list))
	m.tree.grow(len(m.list))
	m.tree.set(len(m.list)-1, f)
	if timeout > 0 {
		m.due = min(m.due, clock+timeout)
	}
	m.stale = true
}

// settle finds the least member, and tells the tree how far those have come that it takes for the least.
func (m *members) settle() {
	m.stale = false
	for {
		m.least = m.tree.holder()
		f := m.list[m.least].frontier
		if f == m.tree.at(m.least) {
			return
		}
		m.tree.set(m.least, f)
	}
}

// forget leaves out those that have been silent for too long, and reports whether there were any.
func (m *members) forget(clock int64, timeouts []int64) bool {
	if clock < m.due {
		return false
	}
	before := len(m.list)
	m.due = math.MaxInt64
	for place := 0; place < len(m.list); {
		x := m.list[place]
		timeout := timeouts[x.value]
		switch {
		case timeout == 0:
			place++
		case clock-x.quietSince < timeout:
			m.due = min(m.due, x.quietSince+timeout)
			place++
		default:
			m.remove(place)
		}
	}
	m.stale = true
	return len(m.list) < before
}

// remove takes out a member; the last one moves to its place.
func (m *members) remove(place int) {
	last := len(m.list) - 1
	m.places[m.list[place].value] = 0
	if place < last {
		x := m.list[last]
		m.list[place], m.places[x.value] = x, int32(place+1)
		m.tree.set(place, x.frontier)
	}
	m.list = m.list[:last]
	m.tree.set(last, Final)
}

// lift raises all that are behind f. The least stays the least.
func (m *members) lift(f Frontier) {
	m.reach = max(m.reach, f)
	for place := range m.list {
		x := &m.list[place]
		x.frontier = max(x.frontier, f)
	}
}
