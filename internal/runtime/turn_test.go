package runtime

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// dawdling is a bounded memory table whose splits let others wait: now and then they have nothing for some time, and they hand out a chunk in parts.
type dawdling struct {
	*memory
	seed uint64 // 0: no waiting, and every chunk is one part
	// open leaves the last turn of a split for its end to end.
	open bool
}

func (d *dawdling) Open() ([]connector.Split, error) {
	all, err := d.memory.Open()
	for i, s := range all {
		all[i] = &dawdlingSplit{Split: s, table: d, dice: rand.New(rand.NewPCG(d.seed, uint64(i)))}
	}
	return all, err
}

func (d *dawdling) NewDecoder() (connector.Decoder, error) { return partDecoder{}, nil }

type dawdlingSplit struct {
	connector.Split
	table *dawdling
	dice  *rand.Rand
	rest  []row
}

type part struct {
	chunk
	last bool
}

func (p part) EndsTurn() bool { return p.last }

func (s *dawdlingSplit) Poll(now int64) (connector.Chunk, int64, error) {
	if s.table.seed > 0 && s.dice.IntN(2) == 0 {
		return nil, now + 1 + s.dice.Int64N(5*second), nil
	}
	if len(s.rest) == 0 {
		c, wake, err := s.Split.Poll(now)
		if err != nil {
			return nil, wake, err
		}
		s.rest = c.(chunk).rows
	}
	n := len(s.rest)
	if s.table.seed > 0 {
		n = 1 + s.dice.IntN(n)
	}
	p := part{chunk: chunk{rows: s.rest[:n]}, last: n == len(s.rest)}
	s.rest = s.rest[n:]
	if m := s.Split.(*memorySplit); s.table.open && m.at == len(m.table.splits[m.number]) {
		p.last = false
	}
	return p, 0, nil
}

type partDecoder struct{ memoryDecoder }

func (d partDecoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	return d.memoryDecoder.Decode(c.(part).chunk, memory, maxRows, each)
}

// TestTheClockDoesNotDecideWhatIsReadFirst: a replay is the same however long splits have nothing, and however their turns come in parts. Time
// passes only while everybody waits, so the test also fails to end if the sequencer spins.
func TestTheClockDoesNotDecideWhatIsReadFirst(t *testing.T) {
	for _, open := range []bool{false, true} {
		for _, s := range []shape{{1, 1, 8192}, {2, 3, 7}, {5, 2, 1}} {
			replay := func(seed uint64) []string {
				out := &lines{}
				data := []*memory{random(3, 300, 20, 2, 30), random(4, 300, 20, 2, 30)}
				graph := windowed(s.tasks, out, data...)
				for i := range data {
					graph.Sources[i].Reader = &dawdling{memory: data[i], seed: seed, open: open}
				}
				synctest.Test(t, func(t *testing.T) {
					run(t, graph, Options{Workers: s.workers, BatchRows: s.batchRows})
				})
				return out.got
			}
			want := replay(0)
			for seed := range uint64(5) {
				if got := replay(seed + 1); len(got) == 0 || !slices.Equal(got, want) {
					t.Fatalf("%s, left open %t, seed %d: %s", s, open, seed+1, firstDifference(got, want))
				}
			}
		}
	}
}
