package profile

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/metrics"
)

// BenchmarkProfile is the profile of a statement that reads a thousand splits, and it as JSON.
func BenchmarkProfile(b *testing.B) {
	many := func(seconds int64) *metrics.Look {
		l := join(seconds)
		s := &l.Stats.Sources[0]
		one := s.Watermark.Splits[0]
		s.Splits, s.Watermark.Splits, s.Watermark.Holders = nil, nil, nil
		for i := range 1000 {
			s.Splits, s.Backlogs = append(s.Splits, fmt.Sprint("orders-", i)), append(s.Backlogs, connector.Backlog{Records: 1})
			s.Watermark.Splits, s.Watermark.Holders = append(s.Watermark.Splits, one), append(s.Watermark.Holders, i)
		}
		return l
	}
	l := many(100)
	l.Before = many(90)
	b.Run("compute", func(b *testing.B) {
		for b.Loop() {
			of(l)
		}
	})
	b.Run("JSON", func(b *testing.B) {
		p, size := of(l), 0
		for b.Loop() {
			text, _ := json.Marshal(p)
			size = len(text)
		}
		b.ReportMetric(float64(size), "bytes")
	})
}
