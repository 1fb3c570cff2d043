package checkpoint

import (
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/cputime"
)

var gigabytes = flag.Float64("gigabytes", 0.125, "state in benchmarks of checkpoints")

// BenchmarkCheckpoint writes checkpoints of a state of records of 64 bytes, of which one in a hundred changes from each to the next: at random, beside each other, by new ones at the end, and by new ones at the end while the oldest
// leave at the front; and all. "whole" shares nothing, as programs did before version 2. MB/s are of the state; files/state is what of it is written, and
// cpu-s/GB what the processors work for a gigabyte of state.
func BenchmarkCheckpoint(b *testing.B) {
	const record = 64
	n := int(*gigabytes*(1<<30)) / record * record
	changes := []struct {
		name string
		do   func(state []byte, rng *rand.Rand) []byte
	}{
		{"random", func(s []byte, rng *rand.Rand) []byte {
			for range len(s) / record / 100 {
				binary.LittleEndian.PutUint64(s[rng.IntN(len(s)/record)*record+32:], rng.Uint64())
			}
			return s
		}},
		{"together", func(s []byte, rng *rand.Rand) []byte {
			at := rng.IntN(len(s)/record*99/100) * record
			for i := range len(s) / record / 100 {
				binary.LittleEndian.PutUint64(s[at+i*record+32:], rng.Uint64())
			}
			return s
		}},
		{"front-to-end", func(s []byte, rng *rand.Rand) []byte {
			gone := len(s) / record / 100 * record
			copy(s, s[gone:])
			fill(s[len(s)-gone:], rng)
			return s
		}},
		{"all", func(s []byte, rng *rand.Rand) []byte {
			for i := 32; i < len(s); i += record {
				s[i]++
			}
			return s
		}},
	}
	state := make([]byte, n)
	for _, c := range changes {
		for _, whole := range []bool{true, false} {
			name := c.name + "/shared"
			if whole {
				name = c.name + "/whole"
			}
			b.Run(name, func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 1))
				fill(state, rng)
				disk, err := Directory(b.TempDir())
				if err != nil {
					b.Fatal(err)
				}
				f, err := Open(disk, 2)
				if err != nil {
					b.Fatal(err)
				}
				if whole {
					f.Whole()
				}
				id, written := int64(0), int64(0)
				write := func() {
					id++
					w, err := f.Begin(id)
					if err != nil {
						b.Fatal(err)
					}
					w.Add("operator", state)
					if err := w.Commit(); err != nil {
						b.Fatal(err)
					}
					written += f.held.sizes[id]
				}
				write()
				written = 0
				b.SetBytes(int64(n))
				var busy time.Duration
				for b.Loop() {
					b.StopTimer()
					state = c.do(state, rng)
					before := cputime.Used()
					b.StartTimer()
					write()
					busy += cputime.Used() - before
				}
				b.ReportMetric(busy.Seconds()*1e9/float64(n)/float64(b.N), "cpu-s/GB")
				b.ReportMetric(float64(written)/float64(n)/float64(b.N), "files/state")
			})
		}
	}
}

// fill makes records of random bytes and zeros, half of each, as states are.
func fill(state []byte, rng *rand.Rand) {
	for i := 0; i < len(state); i += 16 {
		binary.LittleEndian.PutUint64(state[i:], rng.Uint64())
		clear(state[i+8 : i+16])
	}
}

// BenchmarkFingerprints is what looking for the blocks of a section costs beside its checksum.
func BenchmarkFingerprints(b *testing.B) {
	state, prints := make([]byte, 64<<20), newFingerprinter()
	fill(state, rand.New(rand.NewPCG(1, 1)))
	b.SetBytes(int64(len(state)))
	before := cputime.Used()
	for b.Loop() {
		for s := state; len(s) > 0; {
			n := blocks.cut(s)
			prints.of(s[:n])
			s = s[n:]
		}
	}
	b.ReportMetric((cputime.Used()-before).Seconds()*1e9/float64(len(state))/float64(b.N), "cpu-s/GB")
}
