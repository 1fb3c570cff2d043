package runtime

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// byKey is an Intake that divides rows by their key.
type byKey struct {
	eventTime
	numbers map[int64]int32
	keys    []int64
	found   []int32
}

func (k *byKey) Prepare(b *vector.Batch, each func(*vector.Batch, []int64, []int64)) error {
	k.found = b.Arena.Sel(b.N)
	for i, key := range b.Cols[0].Ints {
		n, ok := k.numbers[key]
		if !ok {
			n = int32(len(k.keys))
			k.numbers[key] = n
			k.keys = append(k.keys, key)
		}
		k.found[i] = n
	}
	return k.eventTime.Prepare(b, each)
}

func (k *byKey) Values() []int32          { return k.found }
func (k *byKey) ValueName(n int32) string { return fmt.Sprint(k.keys[n]) }

// divided reads m by key, into a sink.
func divided(m *memory, out *lines) *Graph {
	b := newBuilder()
	s := watermark.Replay(1000)
	s.Dimension = &watermark.Dimension{}
	b.source(m, 0, s, Target{Fragment: 0})
	b.graph.Sources[0].NewIntake = func() (Intake, error) { return &byKey{numbers: map[int64]int32{}}, nil }
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
	return &b.graph
}

// The value that is one too many stops the statement at its row, however rows are cut into batches.
func TestTooManyValues(t *testing.T) {
	const before = watermark.MaxValues + 1000
	m := &memory{splits: make([][]chunk, 1)}
	for k := range int64(before + 500) {
		if k%500 == 0 {
			m.splits[0] = append(m.splits[0], chunk{})
		}
		key := k - 1000 // the first thousand rows have one value
		if k < 1000 {
			key = 0
		}
		last := &m.splits[0][len(m.splits[0])-1]
		last.rows = append(last.rows, row{key, k * second, k})
	}
	for _, s := range []shape{{1, 1, 8192}, {3, 1, 7}, {4, 1, 500}} {
		out := &lines{}
		j, err := New(divided(m, out), s.options())
		if err != nil {
			t.Fatal(err)
		}
		err = j.Run(context.Background())
		if fault.Of(err) != fault.Data || !strings.Contains(err.Error(), fmt.Sprintf("'%d' in split 0 is one too many", watermark.MaxValues)) {
			t.Fatalf("%s: error %v", s, err)
		}
		if len(out.got) != before {
			t.Errorf("%s: %d rows before the error, want %d", s, len(out.got), before)
		}
	}
}

// Values have one number in the core, whatever worker meets them first: the frontier is that of a single worker.
func TestValuesOverWorkers(t *testing.T) {
	m := random(5, 3000, 40, 3, 9)
	var want string
	for _, s := range shapes {
		out := &lines{}
		j := run(t, divided(m, out), s.options())
		w := j.Stats().Sources[0].Watermark
		got := fmt.Sprint(out.got, w.Reached, j.Stats().Sources[0].Late)
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("%s: another outcome than with one worker", s)
		}
	}
}
