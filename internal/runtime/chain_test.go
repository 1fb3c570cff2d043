package runtime

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// notes is an output that writes down what it gets.
type notes []string

func (n *notes) Emit(b *dataflow.Batch) error {
	*n = append(*n, fmt.Sprintf("rows %d %v", b.N, b.Marks))
	return nil
}

func (n *notes) Advance(p dataflow.Progress) error {
	*n = append(*n, fmt.Sprintf("%d, system %d, active %t", p.Frontier, p.System, p.Active))
	return nil
}

// atEvery sends one row with every frontier, in front of it.
type atEvery struct{ memory *vector.Pool }

func (a atEvery) Process(b *dataflow.Batch, out dataflow.Output) error { return out.Emit(b) }

func (a atEvery) Advance(p dataflow.Progress, out dataflow.Output) error {
	if p.System != watermark.Unset {
		panic("an operator is told of a system frontier")
	}
	if err := out.Emit(&dataflow.Batch{Batch: vector.Batch{N: 1, Arena: a.memory.Get()}, Released: p.Frontier}); err != nil {
		return err
	}
	p.System = 77 // which nobody looks at
	return out.Advance(p)
}

// TestChainSystem: the system frontier goes round the operators, stays out of batches, leaves behind what a frontier releases, and changes nothing where there is none.
func TestChainSystem(t *testing.T) {
	const none = watermark.Unset
	for _, n := range []int{0, 1} {
		memory := &vector.Pool{}
		var got notes
		c := newChain(&Job{ctx: context.Background()}, []dataflow.Operator{atEvery{memory}}[:n], &got)
		batch := func(marks ...watermark.Mark) error {
			return c.head().Emit(&dataflow.Batch{Batch: vector.Batch{N: 2, Arena: memory.Get()}, Marks: marks})
		}
		// A frontier that an operator passes on releases a row here, and a system frontier alone does not.
		released := func(line string) []string {
			if n == 0 {
				return []string{line}
			}
			return []string{"rows 1 []", line}
		}
		var want []string
		for _, s := range []struct {
			do   func() error
			want []string
		}{
			{func() error { return c.advance(dataflow.Progress{Frontier: 5, System: none, Active: true}) }, released(fmt.Sprint("5, system ", none, ", active true"))},
			{func() error { return c.advance(dataflow.Progress{Frontier: 5, System: 3, Active: true}) }, []string{"5, system 3, active true"}},
			{func() error { return c.advance(dataflow.Progress{Frontier: 5, System: 3, Active: true}) }, nil},
			{func() error { return batch(watermark.Mark{Row: 1, F: 8}) }, []string{"rows 2 [{1 8}]"}},
			{func() error { return c.advance(dataflow.Progress{Frontier: 8, System: 4, Active: true}) }, []string{"8, system 4, active true"}},
			{func() error { return c.advance(dataflow.Progress{Frontier: 8, System: 4}) }, released("8, system 4, active false")},
			{func() error { return c.advance(dataflow.Over) }, append(released(fmt.Sprint(int64(watermark.Final), ", system 4, active true")), fmt.Sprint(int64(watermark.Final), ", system ", int64(watermark.Final), ", active true"))},
		} {
			if err := s.do(); err != nil {
				t.Fatal(err)
			}
			if want = append(want, s.want...); !slices.Equal(got, want) {
				t.Fatalf("%d operators: got %q, want %q", n, got, want)
			}
		}
	}
}
