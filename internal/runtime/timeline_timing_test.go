package runtime

import (
	"context"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/cputime"
)

// BenchmarkTimeline is what keeping the last minutes costs, as the ratio of processor time to the same job without: with large chunks, and with one row to a ticket.
func BenchmarkTimeline(b *testing.B) {
	tickets := &memory{splits: make([][]chunk, 1)}
	for i := range int64(20_000) {
		tickets.splits[0] = append(tickets.splits[0], chunk{rows: []row{{i % 10, i * 100_000, 1}}})
	}
	for _, c := range []struct {
		name    string
		input   *memory
		tickets int
	}{{"chunks", endless(100), 100}, {"tickets", tickets, 20_000}} {
		b.Run(c.name, func(b *testing.B) {
			var spent [2]time.Duration
			for b.Loop() {
				for kept := range spent {
					j, err := New(windowed(1, nothing{}, c.input), Options{Workers: 1, Timeline: kept == 1})
					if err != nil {
						b.Fatal(err)
					}
					from := cputime.Used()
					if err := j.Run(context.Background()); err != nil {
						b.Fatal(err)
					}
					spent[kept] += cputime.Used() - from
				}
			}
			b.ReportMetric(float64(spent[1])/float64(max(spent[0], 1)), "ratio")
			b.ReportMetric(float64(spent[1]-spent[0])/float64(b.N)/float64(c.tickets), "ns/ticket")
		})
	}
}
