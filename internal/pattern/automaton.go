package pattern

// Automaton is a compiled Pattern.
type Automaton struct {
	skip   Skip
	within int64
	start  int32
	states []state
}

// state is what a partial match waits for: a row that is variable, and not unless. It may also go on as proceed without a row.
type state struct {
	variable, unless int
	take, proceed    int32
}

const (
	none int32 = -1 // no state
	end  int32 = -2 // the match is complete
)

// Compile makes the automaton of p. Rows of a match are less than within microseconds apart; zero is no bound.
func Compile(p Pattern, skip Skip, within int64) *Automaton {
	a := &Automaton{skip: skip, within: within, start: end}
	for v := len(p) - 1; v >= 0; v-- {
		a.start = a.term(v, p[v], a.start)
	}
	return a
}

// term makes the states of variable v in front of next, the last of them first, and tells which one begins.
func (a *Automaton) term(v int, t Term, next int32) int32 {
	if t.Greedy() && next >= 0 {
		a.states[next].unless = v
	}
	least, last := max(t.Min, 1), next
	if t.Max == Unbounded {
		last = a.add(state{v, -1, int32(len(a.states)), next})
	}
	for i := least; i < t.Max; i++ {
		last = a.add(state{v, -1, last, next})
	}
	for range least - 1 {
		last = a.add(state{v, -1, last, none})
	}
	first := state{v, -1, last, none}
	if t.Min == 0 {
		first.proceed = next
	}
	return a.add(first)
}

func (a *Automaton) add(s state) int32 {
	a.states = append(a.states, s)
	return int32(len(a.states) - 1)
}

// ends reports whether a partial match in state s is a match as it is.
func (a *Automaton) ends(s int32) bool {
	for s >= 0 {
		s = a.states[s].proceed
	}
	return s == end
}
