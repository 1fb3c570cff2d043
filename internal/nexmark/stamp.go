package nexmark

import (
	"time"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// stamper writes times as 2026-01-01T00:00:00.123Z. It keeps the text of the last minute, since rows near each other
// in a file are near each other in time.
type stamper struct {
	minute int64 // since the epoch, of prefix
	prefix []byte
}

const millisPerMinute = 60_000

func newStamper() stamper {
	s := stamper{prefix: make([]byte, 0, len("2026-01-01T00:00:"))}
	s.turnTo(0)
	return s
}

func (s *stamper) turnTo(minute int64) {
	s.minute = minute
	s.prefix = time.Unix(minute*60, 0).UTC().AppendFormat(s.prefix[:0], "2006-01-02T15:04:")
}

// appendTime appends the time that lies millis after the epoch, or before it if negative.
func (s *stamper) appendTime(dst []byte, millis int64) []byte {
	minute := timefmt.FloorDiv(millis, millisPerMinute)
	if minute != s.minute {
		s.turnTo(minute)
	}
	rest := millis - minute*millisPerMinute
	second, milli := rest/1000, rest%1000
	dst = append(dst, s.prefix...)
	return append(dst,
		byte('0'+second/10), byte('0'+second%10), '.',
		byte('0'+milli/100), byte('0'+milli/10%10), byte('0'+milli%10), 'Z')
}
