package runtime

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// A sink that stands still holds back the source: no more than what edges, workers and the batch at hand hold is ever in flight.
func TestBackpressure(t *testing.T) {
	const workers, tasks, rows = 2, 2, 8
	polled := 0
	m := &memory{splits: make([][]chunk, 1), live: true}
	var gate chan struct{}
	m.poll = func(int, int64) (connector.Chunk, int64, error) {
		if polled++; polled > 2000 {
			return nil, connector.Never, nil
		}
		var k chunk
		for i := range int64(rows) {
			k.rows = append(k.rows, row{i, int64(polled) * second, 1})
		}
		return k, 0, nil
	}
	out := &lines{}
	ctx, cancel := context.WithCancel(context.Background())
	written := 0
	out.write = func(b *vector.Batch) error {
		written++
		if written == 20 {
			// Everything before the sink runs full while it waits here.
			close(gate)
			<-ctx.Done()
		}
		return nil
	}
	b := newBuilder()
	b.source(m, 0, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: grid(second)})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", second, []int{0}, 1, 2)}, To: []Target{{Fragment: 1}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
	synctest.Test(t, func(t *testing.T) {
		gate = make(chan struct{})
		j, err := New(&b.graph, Options{Workers: workers, Clock: WallClock{}})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() { ended <- j.Run(ctx) }()
		<-gate
		synctest.Wait()
		inFlight := polled - written/tasks
		if limit := 2*edgeMessages + 3*workers + 4; inFlight > limit {
			t.Errorf("%d chunks are in flight, want at most %d", inFlight, limit)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
