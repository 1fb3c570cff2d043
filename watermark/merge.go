package watermark

import (
	"fmt"
	"slices"
)

// Merge combines the frontiers of an operator's inputs.
//
// The frontier is the minimum over the active inputs; inactive ones are left out. When all are inactive it is the maximum over
// all of them, and the operator is inactive too. Frontiers never fall, neither an input's nor the combined one.
//
// Beside it there is the system frontier, see [Core.System]: the minimum over all inputs, active or not, since a row can be written whenever it likes. An input that has none leaves the operator without.
//
// An input that wakes up below the combined frontier blocks it until it has caught up. Flink 2.3 does so for the splits of a
// source and for the inputs of a join, but leaves the parallel channels of one input out until then; here one rule holds
// everywhere, so that results do not depend on whether two streams meet in a channel or at a join.
type Merge struct {
	frontier []Frontier // by input
	inactive []bool     // by input
	waiting  int        // inputs that are inactive
	tree     minTree    // of the active inputs
	combined Frontier

	system      []Frontier // by input; nil while all are Unset
	leastSystem Frontier
}

// NewMerge combines n >= 1 inputs, all active and without a frontier.
func NewMerge(n int) *Merge {
	if n < 1 {
		panic(fmt.Sprintf("watermark: merge of %d inputs", n))
	}
	m := &Merge{frontier: make([]Frontier, n), inactive: make([]bool, n), combined: Unset, leastSystem: Unset}
	m.tree.grow(n)
	for i := range n {
		m.frontier[i] = Unset
		m.tree.set(i, Unset)
	}
	return m
}

// Update tells what input says now. It returns the combined frontier and status, and whether either of them changed.
func (m *Merge) Update(input int, f Frontier, active bool) (combined Frontier, combinedActive, changed bool) {
	combinedBefore, activeBefore := m.combined, m.Active()

	m.frontier[input] = max(m.frontier[input], f)
	if m.inactive[input] == active {
		m.inactive[input] = !active
		if active {
			m.waiting--
		} else {
			m.waiting++
		}
	}
	if active {
		m.tree.set(input, m.frontier[input])
	} else {
		m.tree.set(input, Final)
	}

	if m.Active() {
		m.combined = max(m.combined, m.tree.min())
	} else {
		for _, f := range m.frontier {
			m.combined = max(m.combined, f)
		}
	}
	return m.combined, m.Active(), m.combined != combinedBefore || m.Active() != activeBefore
}

// Frontier is the combined frontier.
func (m *Merge) Frontier() Frontier { return m.combined }

// Active reports whether any input is active.
func (m *Merge) Active() bool { return m.waiting < len(m.frontier) }

// UpdateSystem tells the system frontier that input has now. It returns the combined one, and whether that changed.
func (m *Merge) UpdateSystem(input int, s Frontier) (combined Frontier, changed bool) {
	before := m.leastSystem
	if s > m.InputSystem(input) {
		if m.system == nil {
			m.system = slices.Repeat([]Frontier{Unset}, len(m.frontier))
		}
		m.system[input] = s
		m.leastSystem = slices.Min(m.system)
	}
	return m.leastSystem, m.leastSystem != before
}

// System is the combined system frontier, Unset if an input has none.
func (m *Merge) System() Frontier { return m.leastSystem }

// InputSystem is the system frontier of one input.
func (m *Merge) InputSystem(input int) Frontier {
	if m.system == nil {
		return Unset
	}
	return m.system[input]
}

// Input is the frontier and the status of one input.
func (m *Merge) Input(input int) (f Frontier, active bool) {
	return m.frontier[input], !m.inactive[input]
}
