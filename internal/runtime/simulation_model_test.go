package runtime

import (
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/watermark"
)

// outlet is a source as its users are told that it works: the rules of Confluent Cloud, Flink and YDB one after the other, over plain numbers, a row at a time and everything worked
// out anew. It shares nothing with the core but the strategy. Frontiers are exclusive, microseconds.
type outlet struct {
	by       watermark.Strategy
	splits   []*inlet
	emitted  int64
	has      bool // emitted
	active   bool
	started  int64
	first    int64 // wall time of the first record since the start
	spoke    bool
	nextTick int64
	edge     []string // what left, one item each
	late     int64
}

// inlet is a split of an outlet.
type inlet struct {
	name           string
	newest, mark   int64 // event time and own watermark
	timed, marked  bool
	idle, finished bool
	begun          int64 // wall time of the last record, or of joining
	waited         int64 // of the time since then, what went by in pauses that are over
	paused         bool
	pausedAt       int64
	read, late     int64
	beyond         int // chunks read in a row while it was too far ahead
}

func newOutlet(by watermark.Strategy, now int64) *outlet {
	o := &outlet{by: by, active: true, started: now}
	o.nextTick = now + o.interval()
	return o
}

// interval is the time between ticks, 0 if there are none.
func (o *outlet) interval() int64 {
	switch e := o.by.Emission.(type) {
	case watermark.Periodic:
		return e.Interval
	default:
		if o.by.Idleness != (watermark.Never{}) || o.by.Alignment.Drift > 0 {
			return 200_000
		}
		return 0
	}
}

func (o *outlet) join(name string, now int64) {
	o.splits = append(o.splits, &inlet{name: name, begun: now})
	o.active = true
}

func (o *outlet) split(name string) *inlet {
	i := slices.IndexFunc(o.splits, func(s *inlet) bool { return s.name == name && !s.finished })
	return o.splits[i]
}

// restarted is what is left of an outlet: what the data said stays, what the clocks said does not.
func (o *outlet) restarted(now int64) *outlet {
	n := newOutlet(o.by, now)
	n.emitted, n.has, n.late, n.edge = o.emitted, o.has, o.late, slices.Clone(o.edge)
	for _, s := range o.splits {
		c := *s
		c.idle, c.begun, c.waited, c.paused, c.beyond = false, now, 0, false, 0
		n.splits = append(n.splits, &c)
	}
	return n
}

func (o *outlet) row(s *inlet, r row, delay, now int64) {
	if s.idle {
		s.idle, o.active = false, true
	}
	s.begun, s.waited, s.pausedAt = now, 0, now
	if !o.spoke {
		o.spoke, o.first = true, now
	}
	s.read++
	null := r.time == watermark.NoTime
	if !null && o.has && r.time < o.emitted {
		s.late++
		o.late++
	}
	o.edge = append(o.edge, fmt.Sprint("row ", r.value))
	if !null {
		s.see(r.time, o.promise(r.time-delay))
	}
	switch e := o.by.Emission.(type) {
	case watermark.Periodic:
		if now-o.first < e.EagerFor {
			o.emit()
		}
	case watermark.OnEvent:
		if s.read%e.Gap == 0 {
			o.emit()
		}
	case watermark.Granular:
		o.emit()
	}
}

func (s *inlet) see(t, mark int64) {
	if !s.timed || t > s.newest {
		s.newest, s.timed = t, true
	}
	if !s.marked || mark > s.mark {
		s.mark, s.marked = mark, true
	}
}

// promise is the frontier of a candidate.
func (o *outlet) promise(candidate int64) int64 {
	if g, ok := o.by.Emission.(watermark.Granular); ok {
		return downTo(candidate, g.Step)
	}
	return downTo(candidate, 1000) + 1000
}

func downTo(t, step int64) int64 { return t - ((t%step)+step)%step }

func (o *outlet) tick(now int64) {
	if o.interval() == 0 || now < o.nextTick {
		return
	}
	for o.nextTick <= now {
		o.nextTick += o.interval()
	}
	turned := false
	for _, s := range o.splits {
		if s.finished || s.idle || !o.silent(s, now) {
			continue
		}
		s.idle, turned = true, true
		if o.flushes() && s.timed {
			s.see(s.newest, o.promise(s.newest))
		}
	}
	if _, periodic := o.by.Emission.(watermark.Periodic); periodic || turned {
		o.emit()
	}
}

func (o *outlet) flushes() bool {
	switch i := o.by.Idleness.(type) {
	case watermark.Fixed:
		return i.Flush
	case watermark.Progressive:
		return i.Flush
	}
	return false
}

// silent reports whether s has said nothing for too long, in the time in which it could have.
func (o *outlet) silent(s *inlet, now int64) bool {
	until := now
	if s.paused {
		until = s.pausedAt
	}
	since := s.begun + s.waited
	switch i := o.by.Idleness.(type) {
	case watermark.Fixed:
		return until-since >= i.Timeout
	case watermark.Progressive:
		return until-since >= min(i.To, i.From+(since-o.started)/10)
	case watermark.Stepped:
		return downTo(until, i.Step) >= downTo(since, i.Step)+i.Step+i.Timeout
	}
	return false
}

// emit is what the combined watermark becomes: the least of the active splits, if all of them have one; the greatest if all are idle.
func (o *outlet) emit() {
	var all, awake []*inlet
	for _, s := range o.splits {
		if !s.finished {
			all = append(all, s)
			if !s.idle {
				awake = append(awake, s)
			}
		}
	}
	var f int64
	has := false
	switch _, stays := o.by.Idleness.(watermark.Stepped); {
	case len(all) == 0:
	case len(awake) == 0:
		o.active = false
		for _, s := range all {
			if s.marked && !stays && (!has || s.mark > f) {
				f, has = s.mark, true
			}
		}
	default:
		o.active = true
		f, has = awake[0].mark, true
		for _, s := range awake {
			has = has && s.marked
			f = min(f, s.mark)
		}
	}
	if has && (!o.has || f > o.emitted) {
		o.emitted, o.has = f, true
		o.edge = append(o.edge, fmt.Sprint("frontier ", f))
	}
}

func (o *outlet) finish(s *inlet) {
	s.finished = true
	o.emit()
}

// pause notes what the runtime has done to s.
func (s *inlet) pause(paused bool, now int64) {
	switch {
	case paused && !s.paused:
		s.pausedAt = now
	case !paused && s.paused:
		s.waited += now - s.pausedAt
	}
	s.paused = paused
}

// limit is what no split of o may be ahead of, as the aligned outlets are; ok is false if there is none.
func (o *outlet) limit(all []*outlet) (limit int64, ok bool) {
	for _, x := range all {
		if x.by.Alignment.Drift == 0 {
			continue
		}
		for _, s := range x.splits {
			if s.marked && !s.idle && !s.finished && (!ok || s.mark < limit) {
				limit, ok = s.mark, true
			}
		}
	}
	return limit + o.by.Alignment.Drift, ok && o.by.Alignment.Drift > 0
}

func (s *inlet) ahead(o *outlet, all []*outlet) bool {
	limit, ok := o.limit(all)
	return ok && s.marked && s.mark > limit
}

// junction is where outlets meet: the least of those that are active, the greatest if none is, and never less than before.
type junction struct {
	frontier int64
	has      bool
}

func (n *junction) look(all []*outlet) (active bool) {
	var least, most int64
	has, any := true, false
	for _, o := range all {
		if o.has && (!any || o.emitted > most) {
			most, any = o.emitted, true
		}
		if !o.active {
			continue
		}
		if !active || o.emitted < least {
			least = o.emitted
		}
		has = has && o.has
		active = true
	}
	f := least
	if !active {
		f, has = most, any
	}
	if has && (!n.has || f > n.frontier) {
		n.frontier, n.has = f, true
	}
	return active
}
