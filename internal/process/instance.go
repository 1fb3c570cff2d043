package process

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Instance is a function with all that it keeps. It belongs to one goroutine.
type Instance struct {
	// Full is called when an output has gathered so much that it should be cut.
	Full func(output int) error
	// Phase is called before the timers that are due are handed out, and again before those that these have set, which is so behind the last row alone; nil if nobody wants to know.
	Phase func() error
	// Together counts the timers of all instances that share the limits; nil if there is one instance.
	Together *atomic.Int64
	// Places has rows of outputs get the place of what they are made of, see Place.
	Places bool
	// Interrupted returns an error if nobody waits for results any more.
	Interrupted func() error
	// Late counts rows that came behind the watermark of their stream; nil if nobody wants to know.
	Late *atomic.Int64

	spec    *Spec
	who     string // the computation, in errors
	f       Function
	memory  *vector.Pool
	now     int64
	store   *store
	timers  []*timers // by stream
	pending int64     // timers of all streams
	number  int64     // of the timer that is set next
	place   Place     // of the row or timer at hand
	reached []Reached // by input
	fronts
	outlets []*outlet
	told    []watermark.Frontier // by output
	came    []watermark.Frontier // by timer stream: how far it has come, if others wait for it

	c     Context
	m     Message
	t     Timer
	ids   []uint32
	cols  []*vector.Vector
	due   []dueTimer
	calls int // since Interrupted was asked
	call  call
}

// dueTimer is a timer that is about to be handed out.
type dueTimer struct {
	pending
	stream int
}

// Place is where something stands among what instances do side by side: a row where whoever shows it says, a timer by its trigger and then by the hash of its key.
type Place struct {
	Row uint64
	Sub [2]uint32
}

// NewInstance makes a function. Its memory is of the pool. With an error there is an instance too, but not to be shown anything.
func NewInstance(spec *Spec, memory *vector.Pool) (x *Instance, err error) {
	who := fmt.Sprintf("computation '%s'", spec.Name)
	defer fault.Blamed(&err)
	defer fault.Blame(who)
	x = &Instance{spec: spec, who: who, memory: memory, reached: make([]Reached, len(spec.Inputs)), fronts: newFronts(spec)}
	for i := range x.reached {
		x.reached[i] = Reached{watermark.Unset, watermark.Unset}
	}
	var kinds []vector.Kind
	for _, k := range spec.Inputs[0].Keys {
		kinds = append(kinds, vector.KindOf(spec.Inputs[0].Columns[k].Type))
	}
	x.store = newStore(kinds)
	for i := range spec.Timers {
		x.timers = append(x.timers, newTimers(spec.Timers[i].KeepEqual))
		x.came = append(x.came, watermark.Unset)
	}
	for i := range spec.Outputs {
		x.outlets = append(x.outlets, newOutlet(&spec.Outputs[i], memory))
		x.told = append(x.told, watermark.Unset)
	}
	x.c.x = x
	if x.f, err = spec.New(); err != nil {
		return x, x.blame(err)
	}
	return x, nil
}

// blame says whose an error of the function is.
func (x *Instance) blame(err error) error {
	return fault.Errorf(fault.User, "%s: %w", x.who, err)
}

// SetNow tells the wall clock, microseconds. It stands until it is told again.
func (x *Instance) SetNow(now int64) { x.now = now }

// Messages handles rows of an input, which are those of cols; hashes are those of their keys by row, if they are known, and places their own, if that matters.
func (x *Instance) Messages(input int, cols []*vector.Vector, rows vector.Rows, hashes []uint64, places []Place) (err error) {
	defer fault.Blamed(&err)
	defer fault.Blame(x.who)
	in := &x.spec.Inputs[input]
	x.cols = x.cols[:0]
	for _, k := range in.Keys {
		x.cols = append(x.cols, cols[k])
	}
	x.ids = slices.Grow(x.ids[:0], rows.Count())[:rows.Count()]
	x.store.keys.Find(&state.Input{Cols: x.cols, Rows: rows, Hashes: hashes}, x.ids)
	x.store.grow()
	frontier, late := x.reached[input].Event, int64(0)
	x.m.Input, x.m.Cols = input, cols
	for k, id := range x.ids {
		row := rows.At(k)
		x.m.Row = row
		if len(places) > 0 {
			x.place = places[row]
		}
		x.m.EventTime, x.m.SystemTime, x.m.Late = timeOf(cols, in.EventTime, row), timeOf(cols, in.SystemTime, row), false
		if x.m.SystemTime == watermark.NoTime {
			x.m.SystemTime = x.now
		}
		if x.m.EventTime != watermark.NoTime && frontier.Late(x.m.EventTime) {
			x.m.Late = true
			late++
		}
		x.c.key, x.c.input, x.c.timer, x.c.event = id, input, -1, x.m.EventTime
		x.call.begin(input, false)
		if err := x.f.Message(&x.c, &x.m); err != nil {
			x.c.Fail(err)
		}
		if err := x.called(); err != nil {
			return err
		}
	}
	x.call.end()
	if late > 0 && x.Late != nil {
		x.Late.Add(late)
	}
	return nil
}

// called looks after a handler that has returned.
func (x *Instance) called() error {
	if x.c.err != nil {
		return x.blame(x.c.err)
	}
	if x.calls++; x.calls >= 16 && x.Interrupted != nil {
		x.calls = 0
		return x.Interrupted()
	}
	return nil
}

func timeOf(cols []*vector.Vector, i, row int) int64 {
	if i < 0 || cols[i].IsNull(row) {
		return watermark.NoTime
	}
	return cols[i].Int(row)
}

// Reach tells how far an input has come, and whether it is active, and fires what is due by that.
func (x *Instance) Reach(input int, r Reached, active bool) error {
	was := &x.reached[input]
	was.Event, was.System = max(was.Event, r.Event), max(was.System, r.System)
	x.fronts.reach(input, *was, active)
	return x.fire()
}

// Tick fires what the clock makes due.
func (x *Instance) Tick() error { return x.fire() }

// over reports whether all inputs have ended: none is idle instead.
func (x *Instance) over() bool {
	return !slices.ContainsFunc(x.reached, func(r Reached) bool { return r.Event < watermark.Final })
}

// fire hands out the timers that are due because a watermark has moved. What is set meanwhile has to wait until one moves again; behind the last row none does, so then it is handed out in turn. Where timers wait for others,
// those that were handed out may have moved the watermark of their stream.
func (x *Instance) fire() (err error) {
	if x.pending == 0 { // one that is set now waits for the next move all the same
		for stream := range x.timers {
			x.moved(stream)
		}
		return nil
	}
	defer fault.Blamed(&err)
	defer fault.Blame(x.who)
	for round := 1; ; round++ {
		x.due = x.due[:0]
		for stream := range x.timers {
			w, moved := x.moved(stream)
			if !moved {
				continue
			}
			for {
				p, ok := x.timers[stream].next()
				if !ok || !w.Complete(p.trigger) {
					break
				}
				x.due = append(x.due, dueTimer{x.timers[stream].offer(), stream})
			}
		}
		if len(x.due) == 0 {
			return nil
		}
		if round > lastRounds {
			return fault.Errorf(fault.User, "%s still sets timers of '%s' behind %d rounds of them after the end of its inputs, and may for ever; let the handler set none when the watermark of all inputs is at the end",
				x.who, x.spec.Timers[x.due[0].stream].Name, lastRounds)
		}
		slices.SortFunc(x.due, func(a, b dueTimer) int {
			return cmp.Or(cmp.Compare(a.trigger, b.trigger), cmp.Compare(x.store.keys.Hash(a.key), x.store.keys.Hash(b.key)), cmp.Compare(a.number, b.number))
		})
		if x.Phase != nil {
			if err := x.Phase(); err != nil {
				return err
			}
		}
		for some := range slices.Chunk(x.due, outletRows) {
			if err := x.handOut(some); err != nil {
				return err
			}
		}
		if !x.over() && !x.follows {
			return nil
		}
	}
}

// lastRounds bounds how often timers of timers are handed out behind the end of the inputs, where nothing else does: code that sets another whenever one fires has to come to an end, and enough is left for one
// that counts minutes for two months. What comes of them is the same whatever the number of instances: rounds are of keys.
const lastRounds = 100_000

// moved is the watermark by which timers of a stream are due, and whether it has moved since it was asked.
func (x *Instance) moved(stream int) (w watermark.Frontier, moved bool) {
	watch := &x.watches[stream]
	switch scale := x.spec.Timers[stream].Scale; {
	case x.over():
		return x.dueBy(stream), true
	case scale == RealTime:
		w = watermark.Frontier(x.now)
	case scale == SystemTime:
		w = watch.merge.System()
	default:
		w = x.dueBy(stream)
	}
	moved = w > watch.fired
	watch.fired = max(watch.fired, w)
	return w, moved
}

// handOut calls the function for timers.
func (x *Instance) handOut(due []dueTimer) error {
	ids := slices.Grow(x.ids[:0], len(due))
	for _, d := range due {
		ids = append(ids, d.key)
	}
	x.ids = ids
	a := x.memory.Get()
	defer a.Release()
	x.t.Cols = x.store.keys.Columns(a, ids, x.t.Cols[:0])
	for i, d := range due {
		if !x.timers[d.stream].hand(d.pending) {
			continue
		}
		x.count(-1)
		x.store.parts[d.key].timers--
		x.t.Stream, x.t.Trigger, x.t.EventTime, x.t.Row = d.stream, d.trigger, d.event, i
		hash := x.store.keys.Hash(d.key)
		x.place = Place{Row: uint64(d.trigger) ^ 1<<63, Sub: [...]uint32{uint32(hash >> 32), uint32(hash)}}
		x.c.key, x.c.input, x.c.timer, x.c.event = d.key, -1, d.stream, d.event
		x.call.begin(d.stream, true)
		if err := x.f.Timer(&x.c, &x.t); err != nil {
			x.c.Fail(err)
		}
		if err := x.called(); err != nil {
			return err
		}
	}
	x.call.end()
	return nil
}

// setTimer sets a timer of a key.
func (x *Instance) setTimer(key uint32, r Request) {
	t := x.timers[r.Stream]
	before := t.live
	t.add(pending{r.Trigger, r.EventTime, x.number, key})
	x.number++
	if t.live == before {
		return // it took the place of another, or had none
	}
	x.store.parts[key].timers++
	if err := x.spec.Limits.check(x.count(1)); err != nil {
		x.c.Fail(err)
	}
}

// count notes that there are n more timers, and tells how many that makes with those of others.
func (x *Instance) count(n int64) int64 {
	x.pending += n
	if x.Together == nil {
		return x.pending
	}
	return x.Together.Add(n)
}

// Rows is how many rows an output has gathered, Cut hands them over with their memory.
func (x *Instance) Rows(output int) int { return x.outlets[output].n }

// Cut is what an output has gathered, at least one row, and the places of its rows, if they have some. The caller owns both.
func (x *Instance) Cut(output int) (vector.Batch, []Place) { return x.outlets[output].cut() }

// Next is the first timer by event time that waits for its watermark, and not for other timers; ok is false if there is none.
func (x *Instance) Next() (trigger int64, ok bool) {
	for i, t := range x.timers {
		if x.spec.Timers[i].Scale != EventTime {
			continue
		}
		if p, any := t.next(); any && (!ok || p.trigger < trigger) && !x.follower(i, p.trigger) {
			trigger, ok = p.trigger, true
		}
	}
	return trigger, ok
}

// Kept is how much is kept: keys with a state, timers, and about how many bytes all of it takes.
func (x *Instance) Kept() (states, timers, bytes int64) {
	return int64(x.store.live), x.pending, x.store.keys.Bytes() + x.store.bytes + stateBytes*int64(x.store.live) + timerBytes*x.pending
}

// Compact forgets what is not kept any more, if that is much. Call it between two calls of Messages or Reach.
func (x *Instance) Compact() {
	for _, t := range x.timers {
		if t.crowded() {
			t.renumber(nil)
		}
	}
	if n := x.store.keys.Len(); n <= 2*x.swept+1024 {
		return
	}
	number := x.store.compact()
	for _, t := range x.timers {
		t.renumber(number)
	}
	x.swept = x.store.keys.Len()
}
