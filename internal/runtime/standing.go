package runtime

import (
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Standing is how far a stream has come at some place.
type Standing struct {
	// Frontier is Unset before the first one.
	Frontier watermark.Frontier
	// Active is false while nothing upstream can be expected to speak.
	Active bool
}

// Together is how far streams have come that run side by side: the least of those that are active, or the greatest if none is.
func Together(all []Standing) Standing {
	least, greatest, active := watermark.Final, watermark.Unset, false
	for _, s := range all {
		greatest = max(greatest, s.Frontier)
		if s.Active {
			least, active = min(least, s.Frontier), true
		}
	}
	if !active {
		return Standing{greatest, false}
	}
	return Standing{least, true}
}

// Input is the watermark of a statement: the least of its sources that take part. Flink 2.3: those that are idle do not, unless all are. It is Final if no source has a watermark that rows wait for.
func (s *Stats) Input() watermark.Frontier {
	least, of, active := watermark.Final, watermark.Final, false
	for i := range s.Sources {
		x := &s.Sources[i]
		if !x.Paces() || x.Watermark.Frontier == watermark.Final {
			continue
		}
		of = min(of, x.Watermark.Frontier)
		if x.Watermark.Active {
			least, active = min(least, x.Watermark.Frontier), true
		}
	}
	if !active {
		return of
	}
	return least
}

// Output is the watermark that has come to the sinks.
func (s *Stats) Output() watermark.Frontier {
	all := make([]Standing, len(s.Sinks))
	for i := range s.Sinks {
		all[i] = s.Sinks[i].Input
	}
	return Together(all).Frontier
}

// Paces reports whether rows of other sources can wait for the watermark of this one: it has one, and that does not wait for the end.
func (s *SourceStats) Paces() bool {
	return s.Watermarked && s.Watermark != nil && s.Strategy.Emission != (watermark.AtEnd{})
}

// place is a Standing that its owner writes and anybody reads.
type place struct {
	frontier atomic.Int64
	quiet    atomic.Bool
	shown    Standing // the owner's
}

func (p *place) show(s Standing) {
	if s == p.shown {
		return
	}
	p.shown = s
	p.frontier.Store(int64(s.Frontier))
	p.quiet.Store(!s.Active)
}

func (p *place) standing() Standing {
	return Standing{watermark.Frontier(p.frontier.Load()), !p.quiet.Load()}
}

// chainPlaces are those of a chain, as its task shows them: from time to time while it works, and when it begins to wait.
type chainPlaces struct {
	all   []place // before every operator, and behind the last
	at    int64   // wall clock when they were shown last; the owner's
	sizes []sizes // of what the operators hold
	weigh int64   // wall clock when they are asked next
	due   []due   // what those do next that wait for something
}

// due is what an operator does next. Its owner writes it, anybody reads it.
type due struct {
	operator int // place in the chain
	awaiting dataflow.Awaiting
	next     atomic.Pointer[dataflow.Due] // nil if it holds nothing
}

// show lets others see what the operator does next.
func (d *due) show() {
	next, ok := d.awaiting.Next()
	was := d.next.Load()
	switch {
	case !ok:
		if was != nil {
			d.next.Store(nil)
		}
	case was == nil || *was != next:
		changed := next // only what is new goes to the heap
		d.next.Store(&changed)
	}
}

// next is what an operator does next.
func (p *chainPlaces) next(operator int) *dataflow.Due {
	for i := range p.due {
		if p.due[i].operator == operator {
			return p.due[i].next.Load()
		}
	}
	return nil
}

// sizes is a dataflow.Size that its owner writes and anybody reads.
type sizes struct{ groups, rows, bytes atomic.Int64 }

func (s *sizes) show(n dataflow.Size) {
	s.groups.Store(n.Groups)
	s.rows.Store(n.Rows)
	s.bytes.Store(n.Bytes)
}

func (s *sizes) size() dataflow.Size {
	return dataflow.Size{Groups: s.groups.Load(), Rows: s.rows.Load(), Bytes: s.bytes.Load()}
}

func newPlaces(ops []dataflow.Operator) *chainPlaces {
	p := &chainPlaces{all: make([]place, len(ops)+1), at: watermark.NoTime, sizes: make([]sizes, len(ops)), weigh: watermark.NoTime}
	for i, op := range ops {
		if a, ok := op.(dataflow.Awaiting); ok {
			p.due = append(p.due, due{operator: i, awaiting: a})
		}
	}
	for i := range p.all {
		p.all[i].show(Standing{watermark.Unset, true})
	}
	return p
}

// stale reports whether what was shown last is too old. It is as well if the clock was set back.
func stale(now, last int64) bool { return now >= last+publishEvery || now < last }

// show lets others see how far the operators of t are, and what comes to the sinks.
func (t *task) show() {
	for i := range t.chain.links {
		t.places.all[i].show(standingAt(t.chain.links[i].told))
	}
	t.places.all[len(t.chain.links)].show(t.chain.left())
	for i := range t.places.due {
		t.places.due[i].show()
	}
	if !t.last() {
		return
	}
	for _, s := range t.job.sinks {
		if len(t.job.sinks) == 1 {
			s.place.show(t.chain.left())
			continue
		}
		s.come = s.come[:0]
		for _, i := range s.inputs {
			f, active := t.merge.Input(i)
			s.come = append(s.come, Standing{f, active})
		}
		if t.chain.ends[0].told == dataflow.Over {
			s.come = append(s.come[:0], standingAt(dataflow.Over))
		}
		s.place.show(Together(s.come))
	}
}

// weigh asks the operators how much they hold. With many keys that can take long, so it gets a hundredth of the time at most.
func (t *task) weigh() {
	from, sized := t.job.elapsed(), false
	for i, op := range t.ops {
		if s, ok := op.(dataflow.Sized); ok {
			t.places.sizes[i].show(s.Size())
			sized = true
		}
	}
	t.places.weigh = t.now
	if sized {
		t.places.weigh += 100 * (t.job.elapsed() - from)
	}
}

// standingAt is what p says of event time.
func standingAt(p dataflow.Progress) Standing { return Standing{p.Frontier, p.Active} }
