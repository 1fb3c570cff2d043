package summary

import (
	"fmt"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// A Notice is a sentence, and statements or options that change what it tells of.
type Notice struct {
	Text     string
	Remedies []string
}

const (
	second = 1_000_000
	// farAhead is how far a watermark may be ahead of the clock without a word.
	farAhead = 60 * second
)

// Notices looks at what the watermark of a source says of its rows.
func Notices(s *runtime.SourceStats) []Notice {
	if s.Watermark == nil || !s.Watermarked {
		return nil
	}
	var all []Notice
	if n := s.Watermark.Ahead; n > 0 {
		all = append(all, Notice{Text: fmt.Sprintf("%s of '%s' came from more than %s ahead of the clock and did not move the watermark; the furthest is of %s", rows(n), s.Name,
			timefmt.Length(int64(s.Strategy.MaxAhead)), timefmt.EventTime(s.Watermark.Farthest, s.Instant))})
	}
	if f := s.Watermark.Reached; !s.Bounded && f != watermark.Unset && f != watermark.Final && int64(f.Sub(s.Watermark.At)) > farAhead {
		why, remedy := "a row from the future moved it", fmt.Sprintf("ALTER TABLE `%s` SET ('watermark.max-ahead' = '1 h')", s.Name)
		if _, handed := s.Strategy.Candidates.(watermark.HandedOver); handed {
			why, remedy = "a writer has handed it over so", "set 'watermark.max-ahead' = '1 h' of the tables that are read by the statements which write it"
		}
		all = append(all, Notice{
			Text:     fmt.Sprintf("the watermark of '%s' is %s ahead of the clock, as %s: rows with the right time are late", s.Name, length(int64(f.Sub(s.Watermark.At))), why),
			Remedies: []string{remedy},
		})
	}
	if s.Late > 0 && s.DefaultWatermark {
		worst, _ := s.Watermark.Worst()
		disorder := worst.Lateness + watermark.SourceDelay
		all = append(all, Notice{
			Text: fmt.Sprintf("%s of %s of '%s' came late on the default watermark, which is 180 ms behind the newest record; records are out of order by %s or more", rows(s.Late), numfmt.Grouped(s.Rows), s.Name,
				length(disorder)),
			Remedies: []string{
				fmt.Sprintf("ALTER TABLE `%s` MODIFY WATERMARK FOR $rowtime AS $rowtime - %s", s.Name, delay(int64(disorder))),
				fmt.Sprintf("message.timestamp.type = LogAppendTime of the topic, if the order in which the broker gets records will do; of a managed table, ALTER TABLE `%s` SET ('kafka.message-timestamp-type' = 'LogAppendTime')", s.Name),
			},
		})
	}
	return all
}

// delay is an interval that is no shorter, in two digits as far as that goes: Flink 2.3 refuses more unless they are asked for.
func delay(micros int64) string {
	n, unit := ceil(micros, second), "SECOND"
	for _, longer := range []struct {
		micros int64
		unit   string
	}{{timefmt.Minute, "MINUTE"}, {timefmt.Hour, "HOUR"}, {timefmt.Day, "DAY"}} {
		if n > 99 {
			n, unit = ceil(micros, longer.micros), longer.unit
		}
	}
	text := strconv.FormatInt(n, 10)
	if len(text) > 2 {
		unit += fmt.Sprintf("(%d)", len(text))
	}
	return fmt.Sprintf("INTERVAL '%s' %s", text, unit)
}

// ceil is a/b, rounded up.
func ceil(a, b int64) int64 { return (a + b - 1) / b }
