package watermark

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The state of a core, little-endian:
//
//	1  version, 2, or with a tail 3 or 4
//	1  flags: 1 = sealed
//	8  tick
//	8  emitted frontier
//	8  the one before Final, Unset until then
//	8  number of replaced splits
//	8  worst lateness among them, 8 its time, 8 its position
//	4  number of splits, then for each of them
//	     1  flags: 1 = finished
//	     8  newest event time
//	     8  frontier
//	     8  rows read
//	     8  rows late
//	     8  worst lateness, 8 its time, 8 its position
//	the tail of version 3, see state_tail.go, or that of version 4, see state_system.go
//
// Idle clocks, stalls, the eager phase and the accumulated spells are not in it: they measure a process, not the data. After a
// restore all unfinished splits are active and their silence starts anew, and the first record opens a new eager phase.
//
// Under Lookahead nothing is in flight in a state, since a snapshot is behind whole batches and makes their effects durable: what was fetched is completed.
const (
	stateVersion   = 2
	stateHeader    = 1 + 1 + 7*8 + 4
	stateSplit     = 1 + 7*8
	flagSealed     = 1
	flagFinished   = 1
	errStatePrefix = "watermark state: "
)

// AppendState appends the core's state to dst. What the strategy says is not part of it, except for the tick.
func (c *Core) AppendState(dst []byte) []byte {
	le := binary.LittleEndian
	dst = append(dst, c.stateVersion(), flagIf(c.sealed, flagSealed))
	dst = le.AppendUint64(dst, uint64(c.tick))
	dst = le.AppendUint64(dst, uint64(c.emitted))
	dst = le.AppendUint64(dst, uint64(c.beforeEnd))
	for _, v := range [...]int64{c.replaced.Splits, c.replaced.Worst.Lateness, c.replaced.Worst.Time, c.replaced.Worst.Position} {
		dst = le.AppendUint64(dst, uint64(v))
	}
	dst = le.AppendUint32(dst, uint32(len(c.splits)))
	for i := range c.splits {
		s, l := &c.splits[i], &c.logs[i]
		dst = append(dst, flagIf(s.status == Finished, flagFinished))
		for _, v := range [...]int64{
			s.maxTime, int64(s.frontier), s.read, l.late, l.worst.Lateness, l.worst.Time, l.worst.Position,
		} {
			dst = le.AppendUint64(dst, uint64(v))
		}
	}
	switch {
	case c.flow != nil:
		dst = c.flow.appendSystem(dst)
	case c.tailed():
		dst = c.appendTail(dst)
	}
	return dst
}

// stateVersion is the version that the state of c has. No strategy needs two tails.
func (c *Core) stateVersion() byte {
	switch {
	case c.flow != nil:
		return stateSystemVersion
	case c.tailed():
		return stateTailVersion
	}
	return stateVersion
}

func flagIf(set bool, bit byte) byte {
	if set {
		return bit
	}
	return 0
}

// Restore puts a core that has no splits yet back to where AppendState was called. The split numbers are the same as before. On
// an error the core is unchanged.
func (c *Core) Restore(state []byte) error {
	if len(c.splits) > 0 {
		panic("watermark: core restored after splits were added")
	}
	h, err := readHead(state, c.tick)
	if err != nil {
		return err
	}
	splits, logs, count := h.splits, h.logs, len(h.splits)
	behind, system := noTail(splits), noSystem(splits)
	switch rest := state[stateHeader+count*stateSplit:]; state[0] {
	case stateTailVersion:
		behind, err = readTail(rest, h.tick, splits)
	case stateSystemVersion:
		system, err = readSystem(rest, splits)
	}
	if err != nil {
		return fmt.Errorf(errStatePrefix+"%w", err)
	}

	c.sealed = state[1]&flagSealed != 0
	c.emitted, c.beforeEnd, c.replaced = h.emitted, h.beforeEnd, h.replaced
	c.splits, c.logs = splits, logs
	c.take(behind)
	if c.flow != nil {
		c.flow.system = system.source
	}
	c.tree.grow(count)
	for i := range splits {
		if c.flow != nil {
			c.flow.resume(i, splits[i].maxTime, system.written[i])
		}
		splits[i].quietSince, logs[i].since = c.armedAt, c.armedAt
		logs[i].before, logs[i].readThen = logs[i].late, splits[i].read
		if splits[i].status != Finished {
			c.live++
			c.tree.set(i, splits[i].frontier)
		}
	}
	if c.flow != nil {
		c.flow.restored(splits, c.armedAt)
	}
	return nil
}

// head is a state without its tail.
type head struct {
	tick               int64
	emitted, beforeEnd Frontier
	replaced           Replaced
	splits             []split
	logs               []splitLog
}

// readHead reads a state made with a tick, or with any if that is 0.
func readHead(state []byte, tick int64) (h head, err error) {
	if len(state) < stateHeader {
		return h, fmt.Errorf(errStatePrefix+"%d bytes, shorter than its header", len(state))
	}
	le := binary.LittleEndian
	if state[0] < stateVersion || state[0] > stateSystemVersion {
		return h, fmt.Errorf(errStatePrefix+"version %d, this program reads versions %d to %d", state[0], stateVersion, stateSystemVersion)
	}
	if state[1]&^flagSealed != 0 {
		return h, fmt.Errorf(errStatePrefix+"unknown flags %#x", state[1])
	}
	h.tick = int64(le.Uint64(state[2:]))
	h.emitted = Frontier(le.Uint64(state[10:]))
	h.beforeEnd = Frontier(le.Uint64(state[18:]))
	var v [4]int64
	for k := range v {
		v[k] = int64(le.Uint64(state[26+8*k:]))
	}
	h.replaced = Replaced{v[0], Worst{Lateness: v[1], Time: v[2], Position: v[3]}}
	count := int(le.Uint32(state[stateHeader-4:]))
	if tick != 0 && h.tick != tick {
		return h, fmt.Errorf(errStatePrefix+"made with a tick of %d us, the time attribute has %d us", h.tick, tick)
	}
	if h.tick <= 0 {
		return h, fmt.Errorf(errStatePrefix+"a tick of %d us", h.tick)
	}
	if !h.emitted.onTick(h.tick) {
		return h, fmt.Errorf(errStatePrefix+"frontier %d is not on the tick", h.emitted)
	}
	if h.beforeEnd == Final || h.emitted != Final && h.beforeEnd != Unset || !h.beforeEnd.onTick(h.tick) {
		return h, fmt.Errorf(errStatePrefix+"frontier %d was not before %d", h.beforeEnd, h.emitted)
	}
	if w := h.replaced.Worst; h.replaced.Splits < 0 || w != (Worst{}) && (h.replaced.Splits == 0 || w.Lateness < 1 || w.Position < 0) {
		return h, fmt.Errorf(errStatePrefix+"%d replaced splits with a worst late row of %+v", h.replaced.Splits, w)
	}
	body := (len(state) - stateHeader) / stateSplit
	if exact := (len(state)-stateHeader)%stateSplit == 0; body < count || state[0] == stateVersion && (body > count || !exact) {
		return h, fmt.Errorf(errStatePrefix+"%d bytes do not hold %d splits", len(state), count)
	}
	h.splits, h.logs = make([]split, count), make([]splitLog, count)
	for i := range h.splits {
		if err := readSplit(state[stateHeader+i*stateSplit:], h.tick, &h.splits[i], &h.logs[i]); err != nil {
			return h, fmt.Errorf(errStatePrefix+"split %d: %w", i, err)
		}
	}
	return h, nil
}

func readSplit(b []byte, tick int64, s *split, l *splitLog) error {
	var v [7]int64
	for k := range v {
		v[k] = int64(binary.LittleEndian.Uint64(b[1+8*k:]))
	}
	if b[0]&flagFinished != 0 {
		s.status = Finished
	}
	s.maxTime, s.frontier, s.read = v[0], Frontier(v[1]), v[2]
	l.late, l.worst = v[3], Worst{Lateness: v[4], Time: v[5], Position: v[6]}
	switch {
	case b[0]&^flagFinished != 0:
		return fmt.Errorf("unknown flags %#x", b[0])
	case !s.frontier.onTick(tick):
		return fmt.Errorf("frontier %d is not on the tick", s.frontier)
	case s.read < 0 || l.late < 0 || l.late > s.read:
		return fmt.Errorf("%d rows late of %d read", l.late, s.read)
	case l.late == 0 && l.worst != Worst{}:
		return errors.New("a worst late row without late rows")
	case l.late > 0 && (l.worst.Lateness < 1 || l.worst.Position < 0 || l.worst.Position >= s.read):
		return errors.New("the worst late row was not read or is not late")
	}
	return nil
}

// onTick reports whether f is a frontier that a source with this tick can have.
func (f Frontier) onTick(tick int64) bool {
	return f == Unset || f == Final || int64(f)%tick == 0
}
