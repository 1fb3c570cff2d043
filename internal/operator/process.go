package operator

import (
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// ProcessSpec describes a Process.
type ProcessSpec struct {
	*process.Spec
	// Streams says for each input of the fragment which input of Spec it belongs to.
	Streams []int
	// Several is what several tasks have in common, the number of their timers; nil if there is one.
	Several *atomic.Int64
	Memory  *vector.Pool
}

// Process runs code of the program over rows by key. Rows leave as they come in and also when timers fire, and what timers hold back is each task's own: several tasks work in phases, see dataflow.Phased.
// Each output has a frontier and an activity of its own, those of what its rows are made of and of timers that wait, see process.Instance.Frontier.
type Process struct {
	spec    ProcessSpec
	x       *process.Instance
	merges  []*watermark.Merge // by input of Spec: of its streams
	streams []int              // by input of the fragment: its place in the merge
	outlets []processOutlet
	failed  error // of New
	phase   uint64
	places  []process.Place     // of the rows of the batch at hand
	rank    [2]int64            // in the phase: of messages, or of a round of timers
	begins  func(number uint64) // a phase
	counts  dataflow.Counts
}

// processOutlet is where an output goes.
type processOutlet struct {
	out    dataflow.Output
	marks  []watermark.Mark // among the rows that the output has gathered
	told   watermark.Frontier
	active bool
}

// NewProcess makes the operator, and the function. If that fails, the first call of the operator does.
func NewProcess(spec ProcessSpec) *Process {
	p := &Process{spec: spec, outlets: make([]processOutlet, len(spec.Outputs))}
	p.x, p.failed = process.NewInstance(spec.Spec, spec.Memory)
	for i := range p.outlets {
		p.outlets[i].told, p.outlets[i].active = watermark.Unset, true
	}
	sizes := make([]int, len(spec.Inputs))
	for _, in := range spec.Streams {
		p.streams = append(p.streams, sizes[in])
		sizes[in]++
	}
	for _, n := range sizes {
		p.merges = append(p.merges, watermark.NewMerge(n))
	}
	p.x.Full, p.x.Late = p.flush, &p.counts.Late
	if spec.Several != nil {
		p.x.Places, p.x.Phase, p.x.Together = true, p.timers, spec.Several
	}
	return p
}

// Counts implements dataflow.Counted.
func (p *Process) Counts() *dataflow.Counts { return &p.counts }

// SetNow implements dataflow.Clocked.
func (p *Process) SetNow(now int64) { p.x.SetNow(now) }

// SetOutlets implements dataflow.Forking.
func (p *Process) SetOutlets(all []dataflow.Output) {
	for k, out := range all {
		p.outlets[k].out = out
	}
}

// SetInterrupted implements dataflow.Toiling.
func (p *Process) SetInterrupted(interrupted func() error) { p.x.Interrupted = interrupted }

// Call implements dataflow.Calling.
func (p *Process) Call() (what string, number uint64) { return p.x.Call() }

// Process implements dataflow.Operator.
func (p *Process) Process(b *dataflow.Batch, out dataflow.Output) error {
	if err := p.begin(out); err != nil {
		return err
	}
	n := int64(b.Rows().Count())
	p.counts.In.Add(n)
	p.counts.Absorbed.Add(n)
	oneZero(b.Cols)
	input := b.Input
	in := p.spec.Streams[input]
	p.places = p.places[:0]
	for _, o := range b.Order {
		p.places = append(p.places, process.Place(o))
	}
	err := b.Segments(
		func(lo, hi int) error { return p.x.Messages(in, b.Cols, stretch(b, lo, hi), b.Hashes, p.places) },
		func(f watermark.Frontier) error {
			return p.reach(input, dataflow.Progress{Frontier: f, System: watermark.Unset, Active: true})
		})
	b.Release()
	return p.leave(err)
}

// AdvanceInput implements dataflow.Apart.
func (p *Process) AdvanceInput(input int, to dataflow.Progress, out dataflow.Output) error {
	if err := p.begin(out); err != nil {
		return err
	}
	return p.leave(p.reach(input, to))
}

// Advance implements dataflow.Operator.
func (p *Process) Advance(to dataflow.Progress, out dataflow.Output) error {
	if err := p.begin(out); err != nil {
		return err
	}
	for input := range p.spec.Streams {
		if err := p.reach(input, to); err != nil {
			return p.leave(err)
		}
	}
	return p.leave(nil)
}

// Tick implements dataflow.Ticking.
func (p *Process) Tick(out dataflow.Output) error {
	if err := p.begin(out); err != nil {
		return err
	}
	err := p.x.Tick()
	if err == nil {
		err = p.mark()
	}
	return p.leave(err)
}

// OnPhase implements dataflow.Phased.
func (p *Process) OnPhase(tell func(number uint64)) { p.begins = tell }

// timers is in front of each round of timers.
func (p *Process) timers() error {
	err := p.flushAll()
	p.rank = [2]int64{1, p.rank[1] + 1}
	return err
}

// reach tells how far an input of the fragment has come.
func (p *Process) reach(input int, to dataflow.Progress) error {
	in, at := p.spec.Streams[input], p.streams[input]
	m := p.merges[in]
	m.Update(at, to.Frontier, to.Active)
	m.UpdateSystem(at, to.System)
	if err := p.x.Reach(in, process.Reached{Event: m.Frontier(), System: m.System()}, m.Active()); err != nil {
		return err
	}
	return p.mark()
}

// mark notes among the rows of each output how far it has come; a mark says that there is activity, so an output without rows that has none waits for leave. One of several tasks tells it behind what has left,
// and begins another phase.
func (p *Process) mark() error {
	if p.spec.Several != nil {
		return p.endPhase()
	}
	for k := range p.outlets {
		o := &p.outlets[k]
		var f watermark.Frontier
		if f, o.active = p.x.Frontier(k); f <= o.told {
			continue
		}
		o.told = f
		if o.active || p.x.Rows(k) > 0 {
			o.marks = append(o.marks, watermark.Mark{Row: int32(p.x.Rows(k)), F: f})
		}
	}
	return nil
}

func (p *Process) endPhase() error {
	if err := p.flushAll(); err != nil {
		return err
	}
	for k := range p.outlets {
		o := &p.outlets[k]
		o.told, o.active = p.x.Least(k)
		if err := o.tell(); err != nil {
			return err
		}
	}
	p.phase++
	p.rank = [2]int64{}
	p.begins(p.phase)
	return nil
}

// flushAll sends what outputs have gathered.
func (p *Process) flushAll() error {
	for k := range p.outlets {
		if err := p.flush(k); err != nil {
			return err
		}
	}
	return nil
}

// begin is in front of every call: out is where the only output goes.
func (p *Process) begin(out dataflow.Output) error {
	if len(p.outlets) == 1 {
		p.outlets[0].out = out
	}
	return p.failed
}

// leave sends what all outputs have gathered, also what was gathered before an error.
func (p *Process) leave(err error) error {
	if first := p.flushAll(); first != nil {
		return first
	}
	if err != nil {
		return err
	}
	p.x.Compact()
	for k := range p.outlets {
		o := &p.outlets[k]
		_, o.active = p.x.Least(k) // a row may have set a timer
		if err := o.tell(); err != nil {
			return err
		}
	}
	return nil
}

// tell says how far the output has come.
func (o *processOutlet) tell() error {
	return o.out.Advance(dataflow.Progress{Frontier: o.told, Active: o.active})
}

// flush sends what an output has gathered.
func (p *Process) flush(k int) error {
	o := &p.outlets[k]
	marks := o.marks
	o.marks = nil
	if p.x.Rows(k) == 0 {
		for _, m := range marks {
			if err := o.out.Advance(dataflow.Progress{Frontier: m.F, Active: true}); err != nil {
				return err
			}
		}
		return nil
	}
	rows, places := p.x.Cut(k)
	b := &dataflow.Batch{Batch: rows, Marks: marks, Released: watermark.Unset, Rank: p.rank}
	for _, at := range places {
		b.Order = append(b.Order, dataflow.Order(at))
	}
	p.counts.Out.Add(int64(b.N))
	return o.out.Emit(b)
}

// Next implements dataflow.Awaiting.
func (p *Process) Next() (dataflow.Due, bool) {
	trigger, ok := p.x.Next()
	return dataflow.Due{What: dataflow.WaitsTimer, Start: watermark.NoTime, At: trigger, Deadline: trigger}, ok
}

// Size implements dataflow.Sized. States are groups, and timers rows.
func (p *Process) Size() dataflow.Size {
	states, timers, bytes := p.x.Kept()
	return dataflow.Size{Groups: states, Rows: timers, Bytes: bytes}
}

// Snapshot implements dataflow.Stateful.
func (p *Process) Snapshot(dst []byte) []byte { return p.x.Snapshot(dst) }

// Restore implements dataflow.Stateful.
func (p *Process) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	if p.failed != nil {
		return p.failed
	}
	return p.x.Restore(parts, owns)
}
