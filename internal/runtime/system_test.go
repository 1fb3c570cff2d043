package runtime

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TestSystemFrontier lives through random statements: tables that look ahead and others, splits that deliver, fall silent and end, snapshots that become durable sooner, later or never, crashes. After every step of the
// clock the system frontier of every table and sink is compared with what it says it is: the least of the times at which the rows were written that were read and are not completed. No sink may ever get a row from before
// the one that it has.
func TestSystemFrontier(t *testing.T) {
	var seen struct{ known, unknown, final, crashes, held int }
	for seed := range uint64(*worlds) {
		w := newArchive(t, seed)
		w.live()
		if t.Failed() {
			t.Fatalf("statement %d, %d workers, %d tasks, checkpointed %t", seed, w.workers, w.tasks, w.checkpointed)
		}
		seen.known += w.known
		seen.unknown += w.unknown
		seen.final += w.final
		seen.crashes += w.crashes
		seen.held += int(w.held.Load())
	}
	if seen.known == 0 || seen.unknown == 0 || seen.final == 0 || seen.crashes == 0 || seen.held == 0 {
		t.Errorf("something has never happened: %+v", seen)
	}
}

// archive is a statement over tables whose rows know when they were written: the value of a row. One sink gets what all tables have together, through tasks that hold rows for a while; the other one gets the first table.
type archive struct {
	t              *testing.T
	rng            *rand.Rand
	clock          *fixedClock
	workers, tasks int
	checkpointed   bool
	tables         []*annals
	job            *Job
	input          int // of the last fragment, that is being written

	taken, saved *archived // the last snapshot, and the last one that will survive

	known, unknown, final, crashes int
	held                           atomic.Int64 // batches, by tasks
}

// archived is a snapshot with what the tables were then.
type archived struct {
	snapshot *Snapshot
	tables   []annals
}

// annals is a table, and how its system frontier is defined. Its rows stay, whatever happens to the statement.
type annals struct {
	looks, bounded bool
	splits         []annalsSplit
	system         watermark.Frontier
}

// annalsSplit is a split, and how far it was read.
type annalsSplit struct {
	chunks    []chunk
	ended     bool
	read      int // chunks
	completed int // of those
	finished  bool
	confirmed int64 // when it was seen to be empty, since its last row
}

func newArchive(t *testing.T, seed uint64) *archive {
	rng := rand.New(rand.NewPCG(seed, 5))
	w := &archive{t: t, rng: rng, clock: &fixedClock{}, workers: 1 + rng.IntN(3), tasks: 1 + rng.IntN(3), checkpointed: rng.IntN(3) > 0}
	w.clock.now.Store(100*second + rng.Int64N(second))
	for i := range 1 + rng.IntN(3) {
		x := &annals{looks: i == 0 || rng.IntN(3) > 0, bounded: i > 0 && rng.IntN(2) == 0, system: watermark.Unset}
		for range 1 + rng.IntN(3) {
			x.splits = append(x.splits, annalsSplit{confirmed: watermark.NoTime})
		}
		w.tables = append(w.tables, x)
	}
	return w
}

func (w *archive) live() {
	w.start()
	for range 150 {
		if w.t.Failed() {
			break
		}
		x := w.tables[w.rng.IntN(len(w.tables))]
		split := &x.splits[w.rng.IntN(len(x.splits))]
		switch n := w.rng.IntN(40); {
		case n < 18:
			w.arrive(split)
		case n < 30:
			w.clock.now.Add(w.rng.Int64N([]int64{100_000, second, 5 * second}[w.rng.IntN(3)]))
		case n < 32:
			split.ended = true
		case n < 36:
			w.checkpoint()
		case n < 39 && w.taken != nil:
			w.saved = w.taken
			w.job.Durable(w.saved.snapshot)
			w.durable(w.saved)
		case n == 39:
			w.crashes++
			w.stop()
			w.start()
		}
		w.step()
	}
	w.stop()
}

// arrive lets rows come by a split that have been written since the last step.
func (w *archive) arrive(s *annalsSplit) {
	if s.ended {
		return
	}
	var c chunk
	for range 1 + w.rng.IntN(4) {
		at := w.clock.now.Add(w.rng.Int64N(400_000))
		c.rows = append(c.rows, row{w.rng.Int64N(5), at - w.rng.Int64N(3*second), at})
	}
	s.chunks = append(s.chunks, c)
}

func (w *archive) checkpoint() {
	if err := w.job.Checkpoint(); err != nil {
		w.t.Fatal(err)
	}
	for _, x := range w.tables {
		kept := *x
		kept.splits = slices.Clone(x.splits)
		w.taken.tables = append(w.taken.tables, kept)
	}
}

// durable notes what is completed by a snapshot that will survive.
func (w *archive) durable(s *archived) {
	if !w.checkpointed {
		return
	}
	for i, x := range w.tables {
		for k := range x.splits {
			x.splits[k].completed = max(x.splits[k].completed, s.tables[i].splits[k].read)
		}
	}
}

func (w *archive) stop() {
	if err := w.job.Stop(); err != nil {
		w.t.Fatal(err)
	}
}

// step lets the statement read what there is, and compares.
func (w *archive) step() {
	now := w.clock.Now()
	for i, x := range w.tables {
		if now >= w.job.sources[i].nextTick {
			x.tick(now)
		}
	}
	if _, err := w.job.Step(); err != nil {
		w.t.Fatal(err)
	}
	for _, x := range w.tables {
		x.pass(w.checkpointed)
	}
	w.compare()
}

// tick makes the system frontier anew.
func (x *annals) tick(now int64) {
	least, there := now, false
	for i := range x.splits {
		s := &x.splits[i]
		if s.read == len(s.chunks) && !s.finished {
			s.confirmed = now
		}
		if s.finished && s.completed == s.read {
			continue
		}
		there = true
		at := s.confirmed
		for k, c := range s.chunks[:s.read] {
			if k == s.completed {
				at = c.rows[0].value
				break
			}
			at = max(at, c.rows[len(c.rows)-1].value)
		}
		least = min(least, at)
	}
	if !there { // all of it is completed
		least = watermark.NoTime
		for i := range x.splits {
			for _, c := range x.splits[i].chunks[:x.splits[i].read] {
				least = max(least, c.rows[len(c.rows)-1].value)
			}
		}
		least = min(least, now)
	}
	if x.looks && least != watermark.NoTime {
		x.system = max(x.system, watermark.Frontier(least-least%second))
	}
}

// pass lets all be read that there is.
func (x *annals) pass(checkpointed bool) {
	ended := x.bounded
	for i := range x.splits {
		s := &x.splits[i]
		if s.read < len(s.chunks) {
			s.read, s.confirmed = len(s.chunks), watermark.NoTime
		}
		if !checkpointed {
			s.completed = s.read
		}
		s.finished = s.ended
		ended = ended && s.ended
	}
	if ended {
		x.system = watermark.Final
	}
}

func (w *archive) compare() {
	stats := w.job.Stats()
	least := watermark.Final
	for i, x := range w.tables {
		least = min(least, x.system)
		if got := stats.Sources[i].Watermark.System; got != x.system {
			w.t.Errorf("table %d at %d: system frontier %d, want %d", i, w.clock.Now(), got, x.system)
		}
	}
	for i, want := range []watermark.Frontier{least, w.tables[0].system} {
		if got := stats.Sinks[i].System; got != want {
			w.t.Errorf("sink %s at %d: system frontier %d, want %d", stats.Sinks[i].Name, w.clock.Now(), got, want)
		}
	}
	switch least {
	case watermark.Unset:
		w.unknown++
	case w.tables[0].system:
		w.known++
	}
	if slices.ContainsFunc(w.tables, func(x *annals) bool { return x.system == watermark.Final }) {
		w.final++
	}
}

// start begins a life of the statement.
func (w *archive) start() {
	b := newBuilder()
	n := len(w.tables)
	grains := []dataflow.Grain{{}, {Every: true}, grid(second)}
	for i, x := range w.tables {
		by := watermark.Replay(1000)
		if x.looks {
			by = looksAhead(second)
		}
		branches := []Branch{{To: Target{Fragment: 0, Input: i, Keys: []int{0}, Grain: grains[w.rng.IntN(3)]}}}
		if i == 0 {
			branches = append(branches, Branch{To: Target{Fragment: 1, Input: 1}, Chain: []OperatorSpec{{ID: "odd", New: func() dataflow.Operator { return oddOnly{counts: &dataflow.Counts{}} }}}})
		}
		b.graph.Sources = append(b.graph.Sources, Source{Name: fmt.Sprint("t", i), Reader: &annalsReader{x}, Strategy: by, Watermarked: true, Branches: branches,
			NewIntake: func() (Intake, error) { return eventTime{second}, nil }})
	}
	b.fragment(Fragment{Tasks: w.tasks, Inputs: n, To: []Target{{Fragment: 1, Grain: grains[w.rng.IntN(3)]}},
		Chain: []OperatorSpec{{ID: "late", New: func() dataflow.Operator { return &latecomer{archive: w} }}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 2, Sink: w})
	b.graph.Sinks = []SinkSpec{{Name: "all", Inputs: 1}, {Name: "first", Inputs: 1}}
	o := Options{Workers: w.workers, BatchRows: 1 + w.rng.IntN(5), Clock: w.clock, Checkpointed: w.checkpointed, OnSnapshot: func(s *Snapshot) { w.taken = &archived{snapshot: s} }}
	if w.saved != nil {
		o.Restore = w.saved.snapshot
	}
	var err error
	if w.job, err = New(&b.graph, o); err != nil {
		w.t.Fatal(err)
	}
	w.taken = nil
	for i, x := range w.tables {
		was := annals{system: watermark.Unset, splits: make([]annalsSplit, len(x.splits))}
		if w.saved != nil {
			was = w.saved.tables[i]
		}
		x.system = was.system
		for k := range x.splits {
			s := &x.splits[k]
			s.read, s.completed, s.finished, s.confirmed = was.splits[k].read, was.splits[k].read, was.splits[k].finished, watermark.NoTime
		}
	}
	w.job.Begin(context.Background())
}

// archive is the sink.

func (w *archive) From(input int) { w.input = input }

func (w *archive) Reached(int, watermark.Frontier, bool) error { return nil }
func (w *archive) Flush() error                                { return nil }
func (w *archive) Close() error                                { return nil }

func (w *archive) Write(b *vector.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		if at, f := b.Cols[2].Int(rows.At(k)), w.job.Stats().Sinks[w.input].System; f.Late(at) {
			w.t.Errorf("a row that was written at %d comes to sink %d, behind system frontier %d", at, w.input, f)
		}
	}
	return nil
}

// latecomer holds batches until the frontier moves, and writes them then.
type latecomer struct {
	archive *archive
	now     int64
	held    []*dataflow.Batch
}

func (l *latecomer) SetNow(now int64) { l.now = now }

func (l *latecomer) Process(b *dataflow.Batch, out dataflow.Output) error {
	marks := b.Marks
	b.Marks = nil
	l.held = append(l.held, b)
	return advance(marks, out)
}

func (l *latecomer) Advance(p dataflow.Progress, out dataflow.Output) error {
	for _, b := range l.held {
		l.archive.held.Add(1)
		v := b.Arena.Flat(vector.Int64, b.N)
		for i := range v.Ints {
			v.Ints[i] = l.now
		}
		b.Cols[2] = v
		if err := out.Emit(b); err != nil {
			return err
		}
	}
	l.held = nil
	return out.Advance(p)
}

// annalsReader reads a table.
type annalsReader struct{ *annals }

func (r *annalsReader) Bounded() bool                          { return r.bounded }
func (r *annalsReader) NewDecoder() (connector.Decoder, error) { return writtenDecoder{}, nil }

func (r *annalsReader) Open() (all []connector.Split, err error) {
	for i := range r.splits {
		all = append(all, &annalsReading{split: &r.splits[i], name: fmt.Sprint("split ", i)})
	}
	return all, nil
}

type annalsReading struct {
	split *annalsSplit
	name  string
	at    int
}

func (r *annalsReading) Name() string              { return r.name }
func (r *annalsReading) Offset() int64             { return int64(r.at) }
func (r *annalsReading) Resume(offset int64) error { r.at = int(offset); return nil }
func (r *annalsReading) Close() error              { return nil }
func (r *annalsReading) Group() string             { return "" }
func (r *annalsReading) Reads() connector.Reads {
	return connector.Reads{Worked: true, Empty: r.at == len(r.split.chunks)}
}

func (r *annalsReading) Poll(int64) (connector.Chunk, int64, error) {
	switch {
	case r.at < len(r.split.chunks):
		r.at++
		return writtenChunk{r.split.chunks[r.at-1]}, 0, nil
	case r.split.ended:
		return nil, 0, io.EOF
	}
	return nil, connector.Never, nil
}

// writtenChunk knows when its rows were written.
type writtenChunk struct{ chunk }

func (c writtenChunk) Written() (first, last int64) {
	return c.rows[0].value, c.rows[len(c.rows)-1].value
}

type writtenDecoder struct{ memoryDecoder }

func (d writtenDecoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	return d.memoryDecoder.Decode(c.(writtenChunk).chunk, memory, maxRows, each)
}
