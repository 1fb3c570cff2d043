package profile

import (
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

func millis(micros int64) int64 { return timefmt.FloorDiv(micros, timefmt.Millisecond) }

// mark is a watermark for people, nil while there is none. instant says that the times of its table are instants.
func (v *view) mark(f watermark.Frontier, instant bool) *api.Mark {
	switch f {
	case watermark.Unset:
		return nil
	case watermark.Final:
		return &api.Mark{Final: true, Text: "ended"}
	}
	at := f.W()
	return &api.Mark{Watermark: timefmt.EventTime(at*timefmt.Millisecond, instant), At: at, Delay: millis(v.look.At) - at, Text: timefmt.Delay(at*timefmt.Millisecond, v.look.At)}
}
