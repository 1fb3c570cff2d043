package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/timeline"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Timeline is event time against wall clock over the last minutes of a job.
type Timeline struct {
	// From is the first moment that is known, and At the last, in microseconds of the wall clock.
	From, At int64
	// Sources are those with a watermark, and Combined is that of the statement.
	Sources  []SourceTimeline
	Combined []timeline.Mark
	Firings  []OperatorFirings
}

// SourceTimeline is that of a source, a place in Stats.Sources.
type SourceTimeline struct {
	Source int
	timeline.Picture
	// Names are those of the splits in the picture, and More is how many splits are not.
	Names []string
	More  int
}

// OperatorFirings are the windows that an operator let go, and Instant says that its event times are instants.
type OperatorFirings struct {
	ID      string
	Instant bool
	All     []timeline.Firing
}

// keepTimeline begins to keep the last minutes.
func (j *Job) keepTimeline() {
	recorders := timeline.NewSources(max(len(j.sources), 1))
	for i, s := range j.sources {
		if s.spec.Watermarked {
			s.timeline = recorders[i]
		}
	}
	var ids []string
	for f := range j.graph.Fragments {
		for k := range j.graph.Fragments[f].Chain {
			ids = append(ids, j.graph.Fragments[f].Chain[k].ID)
		}
	}
	j.firings = map[string]*timeline.Firings{}
	for i, f := range timeline.NewFirings(max(len(ids), 1)) {
		if i < len(ids) {
			j.firings[ids[i]] = f
		}
	}
}

// tellFirings has the operators of t tell of the windows that they let go.
func (t *task) tellFirings() {
	for i, op := range t.ops {
		o, ok := op.(dataflow.Firing)
		if f := t.job.firings[t.spec.Chain[i].ID]; ok && f != nil {
			o.OnFire(func(start, end, rows int64) { f.Note(start, end, rows, t.now) })
		}
	}
}

// sample notes the last or the first of the rows that were read, and one that was late; it is used in turn.
func (s *source) sample(times []int64) {
	row := len(times) - 1
	if n := len(s.seen.Late); n > 0 {
		s.late = times[s.seen.Late[0]]
		if int(s.seen.Late[n-1]) == row {
			row = 0
		}
		if s.seen.Late[0] == 0 && row == 0 {
			return
		}
	}
	if row >= 0 {
		s.row = times[row]
	}
}

// record keeps what a ticket did; it is used in turn.
func (s *source) record(t *ticket) {
	x := timeline.Ticket{Now: t.now, Frontier: s.core.Frontier(), Active: s.core.Active(), Split: -1, Row: s.row, Late: s.late, Own: watermark.Unset}
	if t.kind == readChunk && (s.row != watermark.NoTime || s.late != watermark.NoTime) {
		x.Split = t.split.number
		s.row, s.late = watermark.NoTime, watermark.NoTime
		if !s.looks {
			x.Own = s.core.SplitFrontier(x.Split)
		}
	}
	s.timeline.Note(&x)
}

// Timeline is the last minutes of the job, or those since a moment; it is empty if they are not kept. It may be called at any time from any goroutine.
func (j *Job) Timeline(since int64) Timeline {
	now := j.clock.Now()
	x := Timeline{From: max(j.began, now-timeline.Span, since), At: now}
	var pictures []timeline.Picture
	for i, s := range j.sources {
		if s.timeline == nil {
			continue
		}
		p := SourceTimeline{Source: i, Picture: s.timeline.Picture(x.From)}
		known := *s.known.Load()
		for _, split := range p.Splits {
			name := ""
			if split.Number < len(known) {
				name = known[split.Number].Name()
			}
			p.Names = append(p.Names, name)
		}
		p.More = max(0, len(known)-len(p.Splits))
		x.Sources, pictures = append(x.Sources, p), append(pictures, p.Picture)
	}
	x.Combined = timeline.Combined(pictures)
	for f := range j.graph.Fragments {
		for k := range j.graph.Fragments[f].Chain {
			spec := &j.graph.Fragments[f].Chain[k]
			if r := j.firings[spec.ID]; r != nil {
				if all := r.List(x.From, now); all != nil {
					x.Firings = append(x.Firings, OperatorFirings{spec.ID, spec.Instant, all})
				}
			}
		}
	}
	return x
}
