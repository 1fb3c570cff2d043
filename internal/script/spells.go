package script

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// showSplits prints what came of the rows of every table read, or of one, and how long each of its splits was active, stalled and idle. All of it
// is since the job was started.
func (r *rig) showSplits(b *Block) error {
	if b.Table != "" {
		if _, err := r.readTable(b); err != nil {
			return err
		}
	}
	for _, s := range r.job.Stats().Sources {
		if b.Table != "" && s.Name != b.Table {
			continue
		}
		fmt.Fprintf(&r.output, "%s: %s\n", s.Name, strings.Join(rowsOf(&s), ", "))
		if !s.Watermarked {
			continue
		}
		for i := range s.Watermark.Splits {
			split := &s.Watermark.Splits[i]
			parts := []string{count(int(split.Read), "row")}
			if split.Late > 0 {
				parts = append(parts, fmt.Sprintf("%d late", split.Late))
			}
			fmt.Fprintf(&r.output, "  %s: %s; %s\n", s.Splits[i], strings.Join(parts, ", "), strings.Join(spells(split), ", "))
		}
	}
	return nil
}

// rowsOf says what became of the rows of a source.
func rowsOf(s *runtime.SourceStats) []string {
	parts := []string{count(int(s.Rows), "row")}
	if !s.Watermarked {
		return append(parts, "no watermark")
	}
	if s.Late > 0 {
		diverted := ""
		if s.Diverted > 0 {
			diverted = " and diverted"
		}
		parts = append(parts, fmt.Sprintf("%d late%s", s.Late, diverted))
	}
	if past := s.Watermark.Recent(); past > 0 {
		parts = append(parts, fmt.Sprintf("by %s at most in the last minute", timefmt.Length(past)))
	}
	if n := s.Watermark.Ahead; n > 0 {
		parts = append(parts, fmt.Sprintf("%d too far ahead, the furthest %s", n, appendEventTime(nil, s.Watermark.Farthest, s.Instant)))
	}
	return parts
}

// spells says what a split is doing and how long it did what.
func spells(s *watermark.SplitSnapshot) []string {
	parts := []string{s.Status.String() + " now"}
	for _, spell := range []struct {
		status watermark.Status
		length int64
	}{{watermark.Active, s.ActiveFor}, {watermark.Stalled, s.StalledFor}, {watermark.Idle, s.IdleFor}} {
		if spell.length > 0 {
			parts = append(parts, fmt.Sprintf("%s for %s", spell.status, timefmt.Length(spell.length)))
		}
	}
	return parts
}
