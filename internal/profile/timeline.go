package profile

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/timeline"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Timeline is the last minutes of a statement whose sources are called names; x is nil if it does not run.
func Timeline(x *runtime.Timeline, stats *runtime.Stats, names []string) api.Timeline {
	t := api.Timeline{APIVersion: api.Version, Kind: api.KindTimeline, Sources: []api.TimelineSource{}, Firings: []api.Firing{}, Marks: []api.TimelineMark{}}
	if x == nil {
		return t
	}
	t.Running, t.At, t.From, t.Marks = true, millis(x.At), millis(x.From), timelineMarks(x.Combined)
	for _, s := range x.Sources {
		p := api.TimelineSource{Name: names[s.Source], Instant: stats.Sources[s.Source].Instant, Marks: timelineMarks(s.Marks), Splits: []api.TimelineSplit{}, More: s.More}
		for i := range s.Splits {
			p.Splits = append(p.Splits, timelineSplit(&s.Splits[i], s.Names[i]))
		}
		t.Sources = append(t.Sources, p)
	}
	for _, o := range x.Firings {
		for _, f := range o.All {
			fired := api.Firing{At: millis(f.At), Operator: o.ID, End: millis(f.End), Rows: f.Rows}
			if f.Start != watermark.NoTime {
				fired.Start = new(millis(f.Start))
			}
			t.Firings = append(t.Firings, fired)
		}
	}
	slices.SortStableFunc(t.Firings, func(a, b api.Firing) int { return cmp.Compare(a.At, b.At) })
	return t
}

func timelineSplit(s *timeline.Split, name string) api.TimelineSplit {
	p := api.TimelineSplit{Name: name, Rows: []api.TimelineRow{}, Marks: timelineMarks(s.Marks), Spells: []api.TimelineSpell{}}
	for _, r := range s.Rows {
		p.Rows = append(p.Rows, api.TimelineRow{At: millis(r.At), Event: millis(r.Time), Late: r.Late})
	}
	for _, x := range s.Spells {
		spell := api.TimelineSpell{State: "idle", From: millis(x.From)}
		if x.Status == watermark.Stalled {
			spell.State = "paused"
		}
		if x.To != 0 {
			spell.To = millis(x.To)
		}
		p.Spells = append(p.Spells, spell)
	}
	return p
}

// timelineMarks are watermarks from moments on. Behind the last row of a source there is none to be shown.
func timelineMarks(marks []timeline.Mark) []api.TimelineMark {
	all := []api.TimelineMark{}
	for _, m := range marks {
		mark := api.TimelineMark{At: millis(m.At)}
		if m.F != watermark.Unset && m.F != watermark.Final {
			mark.Event = new(m.F.W())
		}
		all = append(all, mark)
	}
	return all
}
