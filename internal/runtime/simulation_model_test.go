package runtime

import (
	"fmt"
	"maps"
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
	sends    watermark.LateRows
	awaited  map[string]bool // values that hold the source until they come
	ahead    int64           // rows too far ahead of the clock
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
	joined         int64              // wall time
	stood          int64              // of the time since then, what went by in pauses, up to pausedAt
	values         map[string]*member // with a dimension
	lasts          []int64            // times of all rows that have one, with LastRows
	greatest       int64              // watermark of the greatest candidate, whatever its value
	beyond         int                // chunks read in a row while it was too far ahead
}

// member is a value of an inlet.
type member struct {
	mark  int64
	heard int64 // time of its last row, on the clock of its inlet
}

func newOutlet(by watermark.Strategy, sends watermark.LateRows, now int64) *outlet {
	o := &outlet{by: by, active: true, started: now, sends: sends, awaited: map[string]bool{}}
	if by.Dimension != nil {
		for _, v := range by.Dimension.Expected {
			o.awaited[v] = true
		}
	}
	o.nextTick = now + o.interval()
	return o
}

// interval is the time between ticks, 0 if there are none.
func (o *outlet) interval() int64 {
	switch e := o.by.Emission.(type) {
	case watermark.Periodic:
		return e.Interval
	default:
		if o.by.Idleness != (watermark.Never{}) || o.by.Alignment.Drift > 0 || o.by.Dimension != nil && (o.by.Dimension.Timeout > 0 || len(o.by.Dimension.Timeouts) > 0) {
			return 200_000
		}
		return 0
	}
}

func (o *outlet) join(name string, now int64) {
	o.splits = append(o.splits, &inlet{name: name, begun: now, joined: now, values: map[string]*member{}})
	o.active = true
}

func (o *outlet) split(name string) *inlet {
	i := slices.IndexFunc(o.splits, func(s *inlet) bool { return s.name == name && !s.finished })
	return o.splits[i]
}

// restarted is what is left of an outlet: what the data said stays, what the clocks said does not.
func (o *outlet) restarted(now int64) *outlet {
	n := newOutlet(o.by, o.sends, now)
	n.emitted, n.has, n.late, n.edge = o.emitted, o.has, o.late, slices.Clone(o.edge)
	n.awaited = maps.Clone(o.awaited)
	for _, s := range o.splits {
		c := *s
		c.idle, c.begun, c.waited, c.paused, c.beyond = false, now, 0, false, 0
		c.joined, c.stood, c.values, c.lasts = now, 0, map[string]*member{}, slices.Clone(s.lasts)
		for v, m := range s.values {
			c.values[v] = &member{mark: m.mark}
		}
		n.splits = append(n.splits, &c)
	}
	return n
}

func (o *outlet) row(s *inlet, r row, delay, now int64) {
	if s.idle {
		s.idle, o.active = false, true
	}
	if s.paused {
		s.stood += now - s.pausedAt
	}
	s.begun, s.waited, s.pausedAt = now, 0, now
	if !o.spoke {
		o.spoke, o.first = true, now
	}
	s.read++
	null := r.time == watermark.NoTime
	ahead := !null && o.by.MaxAhead > 0 && r.time > now+int64(o.by.MaxAhead)
	late := !null && !ahead && o.has && r.time < o.emitted
	if late {
		s.late++
		o.late++
	}
	if ahead {
		o.ahead++
	}
	if late == (o.sends == watermark.OnlyLate) || o.sends == watermark.PassLate {
		if !null || o.by.NullTime != watermark.Drop {
			o.edge = append(o.edge, fmt.Sprint("row ", r.value))
		}
	}
	if !null && !ahead {
		o.see(s, r, delay, now)
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

// see lets a row with a time count.
func (o *outlet) see(s *inlet, r row, delay, now int64) {
	candidate := r.time - delay
	if n := int(o.by.LastRows); n > 0 {
		s.lasts = append(s.lasts, r.time)
		candidate = min(candidate, slices.Min(s.lasts[max(0, len(s.lasts)-n):]))
	}
	if o.by.Dimension != nil {
		value := fmt.Sprint(r.key)
		delete(o.awaited, value)
		m := s.values[value]
		if m == nil {
			m = &member{mark: o.promise(candidate)}
			s.values[value] = m
		}
		m.mark, m.heard = max(m.mark, o.promise(candidate)), s.clock(now)
	}
	s.rise(r.time, o.promise(candidate))
}

// rise raises the newest time and the greatest watermark of s, and with them its own.
func (s *inlet) rise(t, mark int64) {
	if !s.timed || t > s.newest {
		s.newest, s.timed = t, true
	}
	if !s.marked || mark > s.greatest {
		s.greatest, s.marked = mark, true
	}
	s.least()
}

// least is what s has by its values: the least of them, the greatest of all rows if it has none.
func (s *inlet) least() {
	s.mark = s.greatest
	for _, m := range s.values {
		s.mark = min(s.mark, m.mark)
	}
}

// clock is the time that s has been there and could be read.
func (s *inlet) clock(now int64) int64 {
	if s.paused {
		now = s.pausedAt
	}
	return now - s.joined - s.stood
}

// forget leaves out values that said nothing for too long, and reports whether there were any.
func (o *outlet) forget(now int64) bool {
	if o.by.Dimension == nil {
		return false
	}
	timeout := func(value string) int64 {
		if t, ok := o.by.Dimension.Timeouts[value]; ok {
			return t
		}
		return o.by.Dimension.Timeout
	}
	turned, longest := false, int64(0)
	for _, s := range o.splits {
		if s.finished {
			continue
		}
		longest = max(longest, s.clock(now))
		for v, m := range s.values {
			if t := timeout(v); t > 0 && s.clock(now)-m.heard >= t {
				delete(s.values, v)
				turned = true
			}
		}
		s.least()
	}
	for v := range o.awaited {
		if t := timeout(v); t > 0 && longest >= t {
			delete(o.awaited, v)
			turned = true
		}
	}
	return turned
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
	turned := o.forget(now)
	for _, s := range o.splits {
		if s.finished || s.idle || !o.silent(s, now) {
			continue
		}
		s.idle, turned = true, true
		if o.flushes() && s.timed {
			for _, m := range s.values {
				m.mark = max(m.mark, o.promise(s.newest))
			}
			s.rise(s.newest, o.promise(s.newest))
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
	if has && len(o.awaited) == 0 && (!o.has || f > o.emitted) {
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
		s.stood += now - s.pausedAt
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
