package server

import (
	"net/http"

	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/why"
	"github.com/tidemark-sql/tidemark/watermark"
)

// why tells what a statement waits for.
func (s *Server) why(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	answer, ok, err := s.options.Hub.Why(found.Name)
	if err != nil {
		return 0, nil, err
	}
	body := api.Why{APIVersion: api.Version, Kind: api.KindWhy, Running: ok, Sources: []api.WhySource{}}
	if !ok {
		return http.StatusOK, body, nil
	}
	body.At, body.Text = instant(answer.At), answer.Text()
	for _, x := range answer.Sources {
		if x.Holds {
			body.Watermark = mark(answer.Frontier, x.Instant)
		}
		body.Sources = append(body.Sources, whySource(x))
	}
	for i := range answer.Waiting {
		body.Waiting = append(body.Waiting, whyWaiting(&answer.Waiting[i]))
	}
	return http.StatusOK, body, nil
}

func whyWaiting(w *why.Waiting) api.WhyWaiting {
	out := api.WhyWaiting{ID: w.ID, Name: w.Label, What: string(w.What), At: timefmt.EventTime(w.At, w.Instant), Text: w.Text}
	if w.Start != watermark.NoTime {
		out.Start = timefmt.EventTime(w.Start, w.Instant)
	}
	if !w.Unset {
		out.NeededMs = new((w.Left + 999) / 1000)
	}
	return out
}

func whySource(x why.Source) api.WhySource {
	out := api.WhySource{Name: x.Name, Table: x.Table, State: string(x.State), Holds: x.Holds, Watermark: mark(x.Frontier, x.Instant), Text: x.Text, More: x.More, Awaited: x.Awaited, Releases: x.Releases}
	for _, h := range x.Holders {
		split := api.WhySplit{Split: h.Split, Doing: string(h.Doing), Since: instant(h.Since), Watermark: mark(h.Frontier, x.Instant), Rows: h.Read, Upstream: h.Upstream, Value: h.Value}
		if h.LastTime != watermark.NoTime {
			split.LastRow = timefmt.EventTime(h.LastTime, x.Instant)
		}
		if h.IdleIn != watermark.NeverIdle {
			ms := h.IdleIn / 1000
			split.IdleInMs = &ms
		}
		out.Holders = append(out.Holders, split)
	}
	for _, r := range x.Remedies {
		out.Remedies = append(out.Remedies, api.WhyRemedy(r))
	}
	return out
}

// mark writes a watermark; "" if there is none, or none any more.
func mark(f watermark.Frontier, instant bool) string {
	if f == watermark.Unset || f == watermark.Final {
		return ""
	}
	return timefmt.EventTime(f.W()*1000, instant)
}
