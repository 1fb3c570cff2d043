package process

import (
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/watermark"
)

// fronts are the watermarks of an instance: how far its inputs have come, alone and together.
type fronts struct {
	all     *watermark.Merge // of all inputs
	watches []front          // by timer stream: what makes its timers due
	sets    []Parents        // by timer stream: what can set timers
	made    []Parents        // by output: what rows can be made of
	from    []front          // by output: the inputs that its rows go back to, also by way of timers
	holding [][]int          // by output: the timer streams that hold it back
	streams []front          // by timer stream: the inputs that its timers go back to
	behind  [][]int          // by timer stream: those that hold it back, among them itself
	follows bool             // timers wait for others
	swept   int              // keys that were left when those of which nothing is kept were last forgotten
}

// front is the least watermark of some inputs.
type front struct {
	merge *watermark.Merge // nil if there are no inputs
	place []int            // by input: its place in merge, -1 if it has none
	delay []int64          // by place
	after []Watched        // timer streams
	fired watermark.Frontier
}

func newFronts(spec *Spec) fronts {
	inputs := len(spec.Inputs)
	f := fronts{all: watermark.NewMerge(inputs), follows: spec.Follows()}
	for t := range spec.Timers {
		f.watches = append(f.watches, newFront(inputs, spec.Watches(t)))
		f.sets = append(f.sets, spec.Sets(t))
		origins := spec.Origins(Parents{Timers: []int{t}})
		f.streams = append(f.streams, newFront(inputs, watched(origins.Inputs)))
		f.behind = append(f.behind, origins.Timers)
	}
	for k := range spec.Outputs {
		p := Parents{spec.HoldsInputs(k), spec.HoldsTimers(k)}
		origins := spec.Origins(p)
		f.made = append(f.made, p)
		f.from = append(f.from, newFront(inputs, watched(origins.Inputs)))
		f.holding = append(f.holding, origins.Timers)
	}
	return f
}

func newFront(inputs int, watches []Watched) front {
	f := front{place: slices.Repeat([]int{-1}, inputs), fired: watermark.Unset}
	for _, w := range watches {
		if w.Input < 0 {
			f.after = append(f.after, w)
			continue
		}
		f.place[w.Input] = len(f.delay)
		f.delay = append(f.delay, w.Delay)
	}
	if len(f.delay) > 0 {
		f.merge = watermark.NewMerge(len(f.delay))
	}
	return f
}

func (f *front) reach(input int, r Reached, active bool) {
	if at := f.place[input]; at >= 0 {
		f.merge.Update(at, r.Event.Sub(f.delay[at]), active)
		f.merge.UpdateSystem(at, r.System.Sub(f.delay[at]))
	}
}

// reach tells how far an input has come.
func (f *fronts) reach(input int, r Reached, active bool) {
	f.all.Update(input, r.Event, active)
	f.all.UpdateSystem(input, r.System)
	for _, list := range [][]front{f.watches, f.streams, f.from} {
		for i := range list {
			list[i].reach(input, r, active)
		}
	}
}

// Frontier is how far an output has come: no further than the inputs that its rows go back to, of which those that are not active do not count, and than what timers hold back. It never falls, not even when a
// late row sets a timer. It is active while one of these inputs is, and while a timer holds it back, whose row is still to come; at the end of all inputs every output is. An output that is made of nothing
// has no frontier until then.
func (x *Instance) Frontier(output int) (f watermark.Frontier, active bool) {
	f, active = x.Least(output)
	x.told[output] = max(x.told[output], f)
	return x.told[output], active
}

// Least is Frontier as it is now: it falls when a late row sets a timer. That of several instances side by side is no further than the least of theirs, and no less than it was; it is active if one of them is.
func (x *Instance) Least(output int) (f watermark.Frontier, active bool) {
	f, active = watermark.Unset, x.over()
	if m := x.from[output].merge; m != nil {
		f, active = m.Frontier(), active || m.Active()
	} else if active {
		f = watermark.Final
	}
	for _, t := range x.holding[output] {
		if held := x.timers[t].hold(); held < watermark.Final {
			f, active = min(f, held), true
		}
	}
	return f, active
}

// passed is how far a timer stream has come: no further than the inputs that its timers go back to, and than what those hold back that wait. It never falls, as Frontier does not.
func (x *Instance) passed(stream int) watermark.Frontier {
	f := x.streams[stream].least()
	for _, t := range x.behind[stream] {
		f = min(f, x.timers[t].hold())
	}
	x.came[stream] = max(x.came[stream], f)
	return x.came[stream]
}

// dueBy is how far the streams have come by which timers of a stream are due in event time.
func (x *Instance) dueBy(stream int) watermark.Frontier {
	watch := &x.watches[stream]
	w := watch.least()
	for _, u := range watch.after {
		w = min(w, x.passed(u.Timer).Sub(u.Delay))
	}
	return w
}

// follower reports whether a timer of a stream waits for others.
func (x *Instance) follower(stream int, trigger int64) bool {
	return slices.ContainsFunc(x.watches[stream].after, func(w Watched) bool {
		return slices.ContainsFunc(x.behind[w.Timer], func(u int) bool { return !x.timers[u].hold().Sub(w.Delay).Complete(trigger) })
	})
}

// least is the least frontier of the inputs, watermark.Final if there are none.
func (f *front) least() watermark.Frontier {
	if f.merge == nil {
		return watermark.Final
	}
	return f.merge.Frontier()
}

// mayCome wants the parent of c to be among those that something can come from.
func (x *Instance) mayCome(from *Parents, c *Context, does, name string) error {
	if c.input >= 0 && slices.Contains(from.Inputs, c.input) || c.timer >= 0 && slices.Contains(from.Timers, c.timer) {
		return nil
	}
	kind, parent := "a message of", ""
	if c.input >= 0 {
		parent = x.spec.Inputs[c.input].Name
	} else {
		kind, parent = "a timer of", x.spec.Timers[c.timer].Name
	}
	return fmt.Errorf("%s '%s' %s of '%s', which does not depend on it", kind, parent, does, name)
}
