package timeline

import (
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// BenchmarkRead records a ticket: a row, and the watermarks that it raises.
func BenchmarkNote(b *testing.B) {
	s := NewSources(1)[0]
	now := int64(0)
	for b.Loop() {
		now += 1000
		s.Note(&Ticket{Now: now, Frontier: watermark.Frontier(now), Active: true, Split: 3, Row: now, Late: watermark.NoTime, Own: watermark.Frontier(now)})
	}
}
