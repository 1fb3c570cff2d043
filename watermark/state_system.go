package watermark

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// What version 4 of the state, that of a core with Lookahead, has behind the splits:
//
//	8  system frontier
//	for each split
//	     8  when its last row was written, Unset if it has had none
//
// A core whose strategy is another by now leaves it out; one that looks ahead only now begins without.
const stateSystemVersion = 4

// systemState is what appendSystem wrote.
type systemState struct {
	source  Frontier
	written []Frontier // by split
}

// noSystem stands for what versions 2 and 3 do not have.
func noSystem(splits []split) *systemState {
	s := &systemState{source: Unset, written: make([]Frontier, len(splits))}
	for i := range s.written {
		s.written[i] = Unset
	}
	return s
}

func (f *flow) appendSystem(dst []byte) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint64(dst, uint64(f.system))
	for i := range f.splits {
		written := f.splits[i].written
		for _, b := range f.splits[i].inFlight() {
			written = max(written, b.writtenLast)
		}
		dst = le.AppendUint64(dst, uint64(written))
	}
	return dst
}

func readSystem(state []byte, splits []split) (*systemState, error) {
	r := reader{rest: state}
	s := &systemState{source: Frontier(r.long()), written: make([]Frontier, len(splits))}
	for i := range s.written {
		s.written[i] = Frontier(r.long())
		if !s.written[i].onTick(second) {
			return nil, fmt.Errorf("split %d: a row written at %d, which is no whole second", i, s.written[i])
		}
	}
	if r.short || len(r.rest) > 0 {
		return nil, errors.New("what is behind the splits has another length")
	}
	if !s.source.onTick(second) {
		return nil, fmt.Errorf("system frontier %d is no whole second", s.source)
	}
	return s, nil
}
