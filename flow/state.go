package flow

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// State is bytes that are kept of a key, by name. It survives the end of the pipeline with everything else that a checkpoint covers. An empty state is none, and a key without states and timers takes
// no memory. It is valid until the handler returns.
type State struct {
	c    *Context
	name uint32
}

// Bytes is the state, nil if there is none. It may not be changed, and is valid until the state is set or the handler returns.
func (s State) Bytes() []byte { return s.c.inner.State(s.name) }

// Set keeps a copy of value; an empty one clears the state.
func (s State) Set(value []byte) { s.c.inner.SetState(s.name, value) }

// Clear removes the state.
func (s State) Clear() { s.c.inner.SetState(s.name, nil) }

// IsEmpty reports whether there is no state.
func (s State) IsEmpty() bool { return len(s.Bytes()) == 0 }

// Int is a state that SetInt has set, 0 if there is none.
func (s State) Int() int64 {
	b := s.Bytes()
	if len(b) == 0 {
		return 0
	}
	v, n := binary.Varint(b)
	if n != len(b) {
		s.c.fail(fmt.Errorf("the state is not a number that SetInt has set"), "")
		return 0
	}
	return v
}

// SetInt keeps a number. 0 is kept too: Clear removes it.
func (s State) SetInt(v int64) {
	var buf [binary.MaxVarintLen64]byte
	s.Set(buf[:binary.PutVarint(buf[:], v)])
}

// Text is the state as a string.
func (s State) Text() string { return string(s.Bytes()) }

// Load reads a state that Save has kept into v; it reports false, and leaves v alone, if there is none.
func (s State) Load(v any) (ok bool) {
	b := s.Bytes()
	if len(b) == 0 {
		return false
	}
	if err := json.Unmarshal(b, v); err != nil {
		s.c.fail(fmt.Errorf("the state is not what Save has kept: %w", err), "")
		return false
	}
	return true
}

// Save keeps v as JSON. For states that are written with every message, Set and SetInt are faster.
func (s State) Save(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		s.c.fail(fmt.Errorf("what should be kept as a state: %w", err), "")
		return
	}
	s.Set(b)
}
