package runtime

import (
	"context"
	"fmt"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// nothing is a sink that drops everything.
type nothing struct{}

func (nothing) Write(*vector.Batch) error { return nil }
func (nothing) Flush() error              { return nil }
func (nothing) Close() error              { return nil }

// endless hands out one chunk n times.
func endless(n int) *memory {
	const rows = 8192
	c := chunk{rows: make([]row, rows)}
	seed := uint64(1)
	for i := range c.rows {
		seed = seed*6364136223846793005 + 1442695040888963407
		c.rows[i] = row{int64(seed>>33) % 1000, int64(i) * 100, 1}
	}
	m := &memory{splits: make([][]chunk, 1)}
	for range n {
		m.splits[0] = append(m.splits[0], c)
	}
	return m
}

// BenchmarkJob runs a whole job, a tumbling count per key, over chunks in memory; decoding them is a copy.
func BenchmarkJob(b *testing.B) {
	for _, s := range []shape{{1, 1, 8192}, {2, 1, 8192}, {2, 2, 8192}, {2, 4, 8192}} {
		b.Run(s.String(), func(b *testing.B) {
			const chunks = 50
			for b.Loop() {
				m := endless(chunks)
				j, err := New(windowed(s.tasks, nothing{}, m), s.options())
				if err != nil {
					b.Fatal(err)
				}
				if err := j.Run(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(chunks*8192), "ns/row")
		})
	}
}

// BenchmarkRoute spreads batches over tasks that release what they get.
func BenchmarkRoute(b *testing.B) {
	for _, tasks := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("%d tasks", tasks), func(b *testing.B) {
			const rows = 8192
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			j := &Job{graph: &Graph{Memory: &vector.Pool{}}, ctx: ctx}
			r := newRoute(j, Target{Keys: []int{0}}, nil, &flow{})
			for range tasks {
				e := newInbox().edge()
				r.edges = append(r.edges, e)
				go func() {
					for {
						m, err := e.receive(ctx.Done())
						if err != nil {
							return
						}
						m.Batch.Release()
					}
				}()
			}
			chunk := endless(1).splits[0][0]
			for b.Loop() {
				_, err := memoryDecoder{}.Decode(chunk, j.graph.Memory, rows, func(v *vector.Batch) error {
					return r.Emit(&dataflow.Batch{Batch: *v, Released: watermark.Unset})
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}

// BenchmarkBranches sends the rows of a source one, two and four ways, each with all three columns; all but one of them are copies.
func BenchmarkBranches(b *testing.B) {
	for _, ways := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("%d ways", ways), func(b *testing.B) {
			const chunks = 50
			for b.Loop() {
				g := newBuilder()
				g.source(endless(chunks), 2*second, watermark.Replay(1000), Target{})
				for i := 1; i < ways; i++ {
					g.graph.Sources[0].Branches = append(g.graph.Sources[0].Branches, Branch{To: Target{Input: i}})
				}
				g.fragment(Fragment{Tasks: 1, Inputs: ways, Sink: nothing{}})
				j, err := New(&g.graph, Options{Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				if err := j.Run(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(chunks*8192), "ns/row")
		})
	}
}

// BenchmarkTickets has one row to a ticket, so that what counts is what every ticket costs; with a window, and where nobody looks at frontiers.
func BenchmarkTickets(b *testing.B) {
	for _, keyed := range []bool{true, false} {
		for _, s := range []shape{{1, 1, 8192}, {2, 2, 8192}, {4, 4, 8192}} {
			name := "passed on"
			if keyed {
				name = "windows"
			}
			b.Run(fmt.Sprint(name, " ", s), func(b *testing.B) {
				const chunks = 20_000
				m := &memory{splits: make([][]chunk, 1)}
				for i := range int64(chunks) {
					m.splits[0] = append(m.splits[0], chunk{rows: []row{{i % 10, i * 100_000, 1}}})
				}
				for b.Loop() {
					g := windowed(s.tasks, nothing{}, m)
					if !keyed {
						x := newBuilder()
						x.source(m, 2*second, watermark.Replay(1000), Target{})
						x.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: nothing{}})
						g = &x.graph
					}
					j, err := New(g, Options{Workers: s.workers, BatchRows: s.batchRows})
					if err != nil {
						b.Fatal(err)
					}
					if err := j.Run(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/chunks, "ns/ticket")
			})
		}
	}
}
