package summary

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// reached tells how far the rows of a source took its watermark, and whether the input ended behind that; if nowhere, why.
func reached(src *runtime.SourceStats) string {
	s := src.Watermark
	switch ended := s.Frontier == watermark.Final; {
	case s.Reached != watermark.Unset && ended:
		return mark(s.Reached, src.Instant) + present(src) + ", then the end of the input"
	case s.Reached != watermark.Unset:
		return mark(s.Reached, src.Instant) + present(src)
	case ended:
		return "at the end of the input (" + whyUnset(src) + ")"
	}
	return "not set: " + whyUnset(src)
}

// present says that rows would have taken the watermark further than the clock, empty if they would not.
func present(src *runtime.SourceStats) string {
	s := src.Watermark
	if s.Beyond == 0 {
		return ""
	}
	return fmt.Sprintf(" (held by the present: rows would take it to %s)", mark(s.Reached.Add(s.Beyond), src.Instant))
}

// whyUnset says why a source sent no watermark, or none before the end of its input.
func whyUnset(src *runtime.SourceStats) string {
	moved := false
	for _, p := range src.Watermark.Splits {
		moved = moved || p.Frontier != watermark.Unset
	}
	if src.Rows == 0 {
		return "no row was read"
	}
	emission := src.Strategy.Emission
	if e, ok := emission.(watermark.Periodic); ok && e.Interval == 0 {
		if e.EagerFor > 0 {
			return fmt.Sprintf("between the first %s and the end of the input none is sent, because 'pipeline.auto-watermark-interval' is 0", timefmt.Length(e.EagerFor))
		}
		return "none is sent before the end of the input, because 'pipeline.auto-watermark-interval' is 0"
	}
	if held := holders(src); held != "" {
		return "held by " + held
	}
	if awaited := src.Watermark.Awaited; len(awaited) > 0 {
		return "no row yet of " + strings.Join(awaited, " and ")
	}
	if !moved {
		return "no row moved it"
	}
	switch e := emission.(type) {
	case watermark.Periodic:
		return fmt.Sprintf("none was sent yet; it is sent every %s", timefmt.Length(e.Interval))
	case watermark.OnEvent:
		if e.Gap > 1 {
			return fmt.Sprintf("none was sent yet; it is sent with every %s row of a split", ordinal(int(e.Gap)))
		}
	}
	return "none was sent yet"
}

// holdersNamed is how many splits are named.
const holdersNamed = 3

// holders names the splits that hold the watermark because they have none themselves: "a.jsonl (active, no row yet), b.jsonl (stalled, no row
// yet)". It is empty if there are none.
func holders(src *runtime.SourceStats) string {
	var named []string
	more := 0
	for _, i := range src.Watermark.Holders {
		p := &src.Watermark.Splits[i]
		switch {
		case p.Frontier != watermark.Unset:
		case len(named) == holdersNamed:
			more++
		case p.Read == 0:
			named = append(named, fmt.Sprintf("%s (%s, no row yet)", src.Splits[i], p.Status))
		default:
			named = append(named, fmt.Sprintf("%s (%s, no row of it moved it)", src.Splits[i], p.Status))
		}
	}
	text := strings.Join(named, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// mark writes the watermark of a frontier that is set.
func mark(f watermark.Frontier, utc bool) string {
	if f == watermark.Final {
		return "beyond all times"
	}
	return timefmt.EventTime(f.W()*1000, utc)
}
