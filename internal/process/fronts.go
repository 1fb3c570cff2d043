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
	sets    []front          // by timer stream: what can set timers
	from    []front          // by output: what rows can be made of
	holding [][]int          // by output: the timer streams that hold it back
	swept   int              // keys that were left when those of which nothing is kept were last forgotten
}

// front is the least watermark of some inputs.
type front struct {
	merge *watermark.Merge // nil if there are no inputs
	place []int            // by input: its place in merge, -1 if it has none
	delay []int64          // by place
	fired watermark.Frontier
	Parents
}

func newFronts(spec *Spec) fronts {
	inputs := len(spec.Inputs)
	f := fronts{all: watermark.NewMerge(inputs)}
	for t := range spec.Timers {
		f.watches = append(f.watches, newFront(inputs, spec.Watches(t), Parents{}))
		f.sets = append(f.sets, newFront(inputs, undelayed(spec.Origins(spec.Sets(t)).Inputs), spec.Sets(t)))
	}
	for k := range spec.Outputs {
		p := Parents{spec.HoldsInputs(k), spec.HoldsTimers(k)}
		f.from = append(f.from, newFront(inputs, undelayed(p.Inputs), p))
		f.holding = append(f.holding, spec.Origins(p).Timers)
	}
	return f
}

func undelayed(inputs []int) (w []Watched) {
	for _, i := range inputs {
		w = append(w, Watched{Input: i})
	}
	return w
}

func newFront(inputs int, watches []Watched, p Parents) front {
	f := front{place: slices.Repeat([]int{-1}, inputs), fired: watermark.Unset, Parents: p}
	for _, w := range watches {
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
	for _, list := range [][]front{f.watches, f.sets, f.from} {
		for i := range list {
			list[i].reach(input, r, active)
		}
	}
}

// Frontier is how far an output has come: no further than what its rows are made of, and than what timers hold back. It never falls, not even when a late row sets a timer. active is false if none of its
// inputs is.
func (x *Instance) Frontier(output int) (f watermark.Frontier, active bool) {
	f, active = x.Least(output)
	x.told[output] = max(x.told[output], f)
	return x.told[output], active
}

// Least is Frontier as it is now: it falls when a late row sets a timer. That of several instances side by side is no further than the least of theirs, and no less than it was.
func (x *Instance) Least(output int) (f watermark.Frontier, active bool) {
	from := &x.from[output]
	f, active = from.least()
	for _, t := range x.holding[output] {
		own, alive := x.sets[t].least()
		f, active = min(f, own, x.timers[t].hold()), active || alive
	}
	return f, active
}

// least is the least frontier of the inputs.
func (f *front) least() (watermark.Frontier, bool) {
	if f.merge == nil {
		return watermark.Final, false
	}
	return f.merge.Frontier(), f.merge.Active()
}

// mayCome wants the parent of c to be among those that something can come from.
func (x *Instance) mayCome(from *front, c *Context, does, name string) error {
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
