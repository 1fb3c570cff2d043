package runtime

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

var worlds = flag.Int("worlds", 150, "how many random worlds TestSimulation lives through")

// TestSimulation lives through random worlds: sources whose splits deliver at their own pace, fall silent, run ahead, join and end, under every strategy, with pauses and restarts. What
// leaves on every edge, what is late, who is idle and who waits is compared with the definitions after every step of the clock. With `-args -worlds N` it lives through more.
func TestSimulation(t *testing.T) {
	var total tally
	for seed := range uint64(*worlds) {
		w := newWorld(t, seed, &total)
		w.live()
		if t.Failed() {
			t.Fatalf("world %d, %d workers, one chunk at a time: %v", seed, w.workers, w.gated)
		}
	}
	t.Logf("%d worlds: %+v", *worlds, total)
	for _, n := range []int{total.Rows, total.Late, total.Rises, total.Idle, total.Pauses, total.Resumes, total.Joins, total.Ends, total.Restarts, total.Null,
		total.Ahead, total.Members, total.Awaited, total.Sessions, total.Dropped} {
		if n == 0 {
			t.Errorf("something has never happened: %+v", total)
		}
	}
}

// tally says what has happened, so that it is known that it did.
type tally struct{ Rows, Late, Null, Rises, Idle, Pauses, Resumes, Joins, Ends, Restarts, Ahead, Members, Awaited, Sessions, Dropped int }

// world is a statement and what happens to it.
type world struct {
	t       *testing.T
	rng     *rand.Rand
	clock   *fixedClock
	workers int
	gated   bool // a step reads one chunk
	budget  int  // chunks that may still be read in this step
	tables  []*table
	log     []happening // in the order of tickets
	stamp   int64       // the value of the next row

	outlets  []*outlet
	junction junction
	job      *Job
	edges    []*recorder // of the sources
	merged   []*recorder // of the tasks behind

	visits *visits // behind the tasks
	sink   *slow

	witness func(x *table, of *watermark.Core) Witness // looks at what is begun without a snapshot; nil if nobody does

	saved *Snapshot
	kept  []*outlet // as they were then
	left  *visits
	total *tally
}

// happening is a ticket that a source gave rise to.
type happening struct {
	source int
	split  string
	what   string // "join", "chunk", "end"
	rows   []row
}

// table is a source of a world. Its rows stay, whatever happens to the statement.
type table struct {
	world   *world
	number  int
	delay   int64
	by      watermark.Strategy
	sends   watermark.LateRows
	streams []*stream
	known   int // streams that Open or Discover has handed out in this life
}

// stream is what has come by one split so far.
type stream struct {
	name   string
	chunks []chunk
	ended  bool
	pace   int64 // of event time, microseconds a row
	at     int64 // event time of the newest row
}

func newWorld(t *testing.T, seed uint64, total *tally) *world {
	rng := rand.New(rand.NewPCG(seed, 4))
	w := &world{t: t, rng: rng, clock: &fixedClock{}, workers: 1 + rng.IntN(4), gated: rng.IntN(3) > 0, total: total}
	w.visits, w.sink = &visits{gap: second * (1 + rng.Int64N(5))}, &slow{rng: rand.New(rand.NewPCG(seed, 5))}
	w.clock.now.Store(rng.Int64N([]int64{5 * second, 1000 * second}[rng.IntN(2)]))
	for i := range 1 + rng.IntN(2) {
		w.tables = append(w.tables, &table{world: w, number: i, delay: rng.Int64N(3) * second, by: w.strategy(), sends: watermark.LateRows(rng.IntN(3))})
		for range 1 + rng.IntN(6) {
			w.tables[i].begin()
		}
	}
	return w
}

func (w *world) strategy() watermark.Strategy {
	s := watermark.Strategy{Tick: 1000, NullTime: watermark.SkipWatermark}
	switch w.rng.IntN(4) {
	case 0:
		s.Emission = watermark.Periodic{Interval: leastInterval * (1 + w.rng.Int64N(3))}
	case 1:
		s.Emission = watermark.Periodic{Interval: 200_000, EagerFor: 200_000}
	case 2:
		s.Emission = watermark.OnEvent{Gap: 1 + w.rng.Int64N(4)}
	case 3:
		s.Emission = watermark.Granular{Step: second * (1 + w.rng.Int64N(5))}
	}
	timeout := second * (1 + w.rng.Int64N(3))
	switch w.rng.IntN(4) {
	case 0:
		s.Idleness = watermark.Never{}
	case 1:
		s.Idleness = watermark.Fixed{Timeout: timeout, Flush: w.rng.IntN(2) == 0}
	case 2:
		s.Idleness = watermark.Progressive{From: timeout, To: 2 * timeout, Flush: w.rng.IntN(2) == 0}
	case 3:
		s.Idleness = watermark.Stepped{Timeout: timeout, Step: second}
	}
	if w.rng.IntN(3) > 0 {
		s.Alignment.Drift = second * (1 + w.rng.Int64N(20))
	}
	if w.rng.IntN(4) == 0 {
		s.NullTime = watermark.Drop
	}
	if w.rng.IntN(4) == 0 {
		s.MaxAhead = watermark.MaxAhead(1 + w.rng.Int64N(20*second))
	}
	if w.rng.IntN(4) == 0 {
		s.LastRows = 1 + w.rng.Int64N(6)
	}
	if w.rng.IntN(2) == 0 {
		s.Dimension = w.dimension()
	}
	return s
}

// dimension divides by key. One value in three that is expected never comes, so that it needs a timeout.
func (w *world) dimension() *watermark.Dimension {
	d := &watermark.Dimension{}
	if w.rng.IntN(3) > 0 {
		d.Timeout = second * (1 + w.rng.Int64N(20))
	}
	if w.rng.IntN(3) == 0 {
		d.Timeouts = map[string]int64{"1": second * (1 + w.rng.Int64N(5))}
	}
	if w.rng.IntN(3) == 0 {
		d.Expected = []string{"2", []string{"1", "4", "9"}[w.rng.IntN(3)]}
	}
	return d
}

func (x *table) begin() {
	rng := x.world.rng
	x.streams = append(x.streams, &stream{name: fmt.Sprintf("split %d", len(x.streams)), pace: 1 + rng.Int64N(second), at: rng.Int64N(10*second) - 5*second})
}

func (x *table) Bounded() bool                          { return false }
func (x *table) NewDecoder() (connector.Decoder, error) { return memoryDecoder{}, nil }

func (x *table) Open() (all []connector.Split, err error) {
	for _, s := range x.streams {
		all = append(all, &streamSplit{stream: s, table: x})
	}
	x.known = len(all)
	return all, nil
}

func (x *table) Discover(int64) (found []connector.Split, wake int64, err error) {
	for _, s := range x.streams[x.known:] {
		found = append(found, &streamSplit{stream: s, table: x})
		x.world.log = append(x.world.log, happening{x.number, s.name, "join", nil})
	}
	x.known = len(x.streams)
	return found, connector.Never, nil
}

type streamSplit struct {
	*stream
	table *table
	next  int

	mu    sync.Mutex
	turns []bool // what Pause was told since it was looked at
}

func (s *streamSplit) Pause(paused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns = append(s.turns, paused)
}

// told is what Pause was told since it was last called.
func (s *streamSplit) told() []bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	turns := s.turns
	s.turns = nil
	return turns
}

func (s *streamSplit) Name() string              { return s.name }
func (s *streamSplit) Offset() int64             { return int64(s.next) }
func (s *streamSplit) Resume(offset int64) error { s.next = int(offset); return nil }
func (s *streamSplit) Close() error              { return nil }

func (s *streamSplit) Poll(int64) (connector.Chunk, int64, error) {
	w := s.table.world
	if w.budget == 0 || s.next == len(s.chunks) && !s.ended {
		return nil, connector.Never, nil
	}
	w.budget--
	if s.next == len(s.chunks) {
		w.log = append(w.log, happening{s.table.number, s.name, "end", nil})
		return nil, 0, io.EOF
	}
	c := s.chunks[s.next]
	s.next++
	w.log = append(w.log, happening{s.table.number, s.name, "chunk", c.rows})
	return c, 0, nil
}

// nullable is eventTime for rows of which some have no time.
type nullable struct{ eventTime }

func (n nullable) Prepare(b *vector.Batch, each func(b *vector.Batch, times, candidates []int64)) error {
	return n.eventTime.Prepare(b, func(b *vector.Batch, times, candidates []int64) {
		for i, t := range times {
			if t == watermark.NoTime {
				candidates[i] = watermark.NoTime
			}
		}
		each(b, times, candidates)
	})
}

// dividing is nullable for rows whose key divides them.
type dividing struct {
	nullable
	keys []int32
}

func (d *dividing) Prepare(b *vector.Batch, each func(b *vector.Batch, times, candidates []int64)) error {
	d.keys = make([]int32, b.N)
	for i, k := range b.Cols[0].Ints[:b.N] {
		d.keys[i] = int32(k)
	}
	return d.nullable.Prepare(b, each)
}

func (d *dividing) Values() []int32          { return d.keys }
func (d *dividing) ValueName(n int32) string { return fmt.Sprint(n) }

// recorder is an operator that writes down what passes an edge.
type recorder struct {
	t        *testing.T
	edge     []string
	frontier watermark.Frontier
	told     bool // frontier
	active   bool
	silent   bool // it was inactive at some time
}

func (r *recorder) rise(f watermark.Frontier) error {
	if r.told && f < r.frontier {
		r.t.Errorf("a frontier fell from %d to %d", r.frontier, f)
	}
	if f != watermark.Unset && (!r.told || f > r.frontier) {
		r.frontier, r.told = f, true
		r.edge = append(r.edge, fmt.Sprint("frontier ", int64(f)))
	}
	return nil
}

func (r *recorder) Process(b *dataflow.Batch, out dataflow.Output) error {
	rows := b.Rows()
	err := b.Segments(func(lo, hi int) error {
		for k := lo; k < hi; k++ {
			r.edge = append(r.edge, fmt.Sprint("row ", b.Cols[2].Int(rows.At(k))))
		}
		return nil
	}, func(f watermark.Frontier) error {
		r.active = true // a mark says so
		return r.rise(f)
	})
	if err != nil {
		return err
	}
	return out.Emit(b)
}

func (r *recorder) Advance(p dataflow.Progress, out dataflow.Output) error {
	r.active = p.Active
	r.silent = r.silent || !p.Active
	if err := r.rise(p.Frontier); err != nil {
		return err
	}
	return out.Advance(p)
}

// start begins a life of the statement: every source has an edge of its own, then they meet in several tasks.
func (w *world) start() {
	b := newBuilder()
	w.edges, w.merged = nil, nil
	every := dataflow.Grain{Every: true}
	n := len(w.tables)
	for i, x := range w.tables {
		b.graph.Sources = append(b.graph.Sources, Source{Name: "t", Reader: x, Strategy: x.by, Watermarked: true,
			Branches: []Branch{{To: Target{Fragment: i, Grain: every, Passes: true}, Late: x.sends}},
			NewIntake: func() (Intake, error) {
				if in := (nullable{eventTime{x.delay}}); x.by.Dimension == nil {
					return in, nil
				} else {
					return &dividing{nullable: in}, nil
				}
			}})
		r := &recorder{t: w.t, active: true}
		w.edges = append(w.edges, r)
		b.fragment(Fragment{Tasks: 1, Inputs: 1, To: []Target{{Fragment: n, Input: i, Keys: []int{0}, Grain: every, Passes: true}},
			Chain: []OperatorSpec{{ID: fmt.Sprint("edge ", i), New: func() dataflow.Operator { return r }}}})
	}
	b.fragment(Fragment{Tasks: 1 + w.rng.IntN(3), Inputs: n, To: []Target{{Fragment: n + 1, Grain: every, Passes: true}},
		Chain: append([]OperatorSpec{{ID: "merged", New: func() dataflow.Operator {
			r := &recorder{t: w.t, active: true}
			w.merged = append(w.merged, r)
			return r
		}}}, w.sessions(b.graph.Memory)...)})
	w.sink.left = nil
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: w.sink})
	o := Options{Workers: w.workers, BatchRows: 1 + w.rng.IntN(5), Clock: w.clock, Restore: w.saved, OnSnapshot: func(s *Snapshot) { w.saved = s }}
	if source := 0; w.witness != nil && w.saved == nil {
		o.Witness = func(_ string, of *watermark.Core) Witness {
			source++
			return w.witness(w.tables[source-1], of)
		}
	}
	j, err := New(&b.graph, o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.job, w.log, w.junction = j, nil, junction{}
	now := w.clock.Now()
	if w.saved != nil {
		w.visits = w.left.restarted()
	} else {
		w.visits = &visits{gap: w.visits.gap}
	}
	for i, x := range w.tables {
		o := newOutlet(x.by, x.sends, now)
		if w.saved != nil {
			o = w.kept[i].restarted(now)
		}
		for _, s := range x.streams {
			if !slices.ContainsFunc(o.splits, func(in *inlet) bool { return in.name == s.name }) {
				o.join(s.name, now)
			}
		}
		if w.saved == nil {
			w.outlets = append(w.outlets[:i], o)
		} else {
			w.outlets[i] = o
		}
		w.edges[i].edge = slices.Clone(o.edge)
		w.edges[i].frontier, w.edges[i].told = watermark.Frontier(o.emitted), o.has
	}
	j.Begin(context.Background())
}

func (w *world) live() {
	w.start()
	w.settle()
	for range 120 {
		if w.t.Failed() {
			break
		}
		x := w.tables[w.rng.IntN(len(w.tables))]
		switch n := w.rng.IntN(40); {
		case n < 22:
			for range 1 + w.rng.IntN(3) {
				x.arrive(x.streams[w.rng.IntN(len(x.streams))])
			}
		case n < 36:
			w.sleep(w.rng.Int64N([]int64{300_000, 2 * second, 8 * second}[w.rng.IntN(3)]))
		case n == 36 && len(x.streams) < 9:
			x.begin()
		case n == 37:
			x.streams[w.rng.IntN(len(x.streams))].ended = true
		case n == 38:
			if err := w.job.Checkpoint(); err != nil {
				w.t.Fatal(err)
			}
			w.kept = nil
			for _, o := range w.outlets {
				w.kept = append(w.kept, o.restarted(0))
			}
			w.left = w.visits.restarted()
		case n == 39:
			w.stop()
			w.start()
			w.total.Restarts++
		}
		w.settle()
	}
	w.stop()
	w.total.Dropped += int(w.visits.dropped)
	for i, o := range w.outlets {
		w.total.Late += int(o.late)
		w.total.Ahead += int(o.ahead)
		for _, e := range o.edge {
			if strings.HasPrefix(e, "frontier") {
				w.total.Rises++
			}
		}
		for _, s := range w.job.Stats().Sources[i].Watermark.Splits {
			if s.IdleFor > 0 {
				w.total.Idle++
			}
		}
		for _, s := range o.splits {
			w.total.Members += len(s.values)
		}
		w.total.Awaited += len(o.awaited)
	}
}

func (w *world) stop() {
	if err := w.job.Stop(); err != nil {
		w.t.Fatal(err)
	}
}

// arrive lets a chunk come by s: a bit out of order, now and then a row without a time, now and then one from the future.
func (x *table) arrive(s *stream) {
	if s.ended {
		return
	}
	rng := x.world.rng
	var c chunk
	for range 1 + rng.IntN(5) {
		s.at += s.pace
		if rng.IntN(40) == 0 {
			s.at += rng.Int64N(20 * second)
		}
		r := row{rng.Int64N(5), s.at - rng.Int64N(2*second), x.world.stamp}
		if rng.IntN(30) == 0 {
			r.time = watermark.NoTime
		}
		x.world.stamp++
		c.rows = append(c.rows, r)
	}
	s.chunks = append(s.chunks, c)
}

// leastInterval is the shortest between two ticks of a source, in microseconds.
const leastInterval = 100_000

// sleep moves the clock, and stops at every tick, or at the end, with the first tick less than an interval late: what follows if ticks are missed is shown by scripts that set the clock.
func (w *world) sleep(d int64) {
	until := w.clock.Now() + d
	if next := w.job.NextTick(); w.rng.IntN(8) == 0 && next != connector.Never {
		w.clock.now.Store(min(until, next+leastInterval-1))
		return
	}
	for {
		next := w.job.NextTick()
		if next > until || w.t.Failed() {
			break
		}
		w.clock.now.Store(next)
		w.settle()
	}
	w.clock.now.Store(until)
}

// settle steps until nothing is left to be read, and compares after each step.
func (w *world) settle() {
	for !w.t.Failed() {
		w.budget = 1 << 30
		if w.gated {
			w.budget = 1
		}
		now := w.clock.Now()
		for _, o := range w.outlets {
			o.tick(now)
			w.passed()
		}
		w.log = w.log[:0]
		if _, err := w.job.Step(); err != nil {
			w.t.Fatal(err)
		}
		for _, h := range w.log {
			w.happen(h, now)
		}
		w.compare(now)
		if len(w.log) == 0 {
			w.compareUnread()
			break
		}
	}
}

// compareUnread looks whether what was left unread had to be.
func (w *world) compareUnread() {
	for i, s := range w.job.sources {
		for _, x := range s.splits {
			left, ok := x.Split.(*streamSplit)
			if ok && !x.done && !x.paused.Load() && left.next < len(left.chunks) {
				w.t.Errorf("table %d, %s has rows, is not paused and was not read", i, x.Name())
			}
		}
	}
}

// happen lets the outlets see a ticket.
func (w *world) happen(h happening, now int64) {
	o := w.outlets[h.source]
	switch h.what {
	case "join":
		o.join(h.split, now)
		w.total.Joins++
	case "end":
		o.finish(o.split(h.split))
		w.total.Ends++
	case "chunk":
		s := o.split(h.split)
		if s.ahead(o, w.outlets) {
			s.beyond++
		}
		// One chunk may be read of a split that is too far ahead, for that is when it is seen; beside it, what workers already have.
		if most := 1; w.gated && s.beyond > most {
			w.t.Errorf("table %d, %s: %d chunks in a row read beyond the drift", h.source, s.name, s.beyond)
		} else if most = 2*w.workers + 2; s.beyond > most {
			w.t.Errorf("table %d, %s: %d chunks in a row read beyond the drift with %d workers", h.source, s.name, s.beyond, w.workers)
		}
		for _, r := range h.rows {
			before := len(o.edge)
			o.row(s, r, w.tables[h.source].delay, now)
			if r.time != watermark.NoTime && slices.Contains(o.edge[before:], fmt.Sprint("row ", r.value)) {
				w.visits.take(r)
			}
			w.junction.look(w.outlets)
			w.visits.rise(w.junction)
			w.total.Rows++
			if r.time == watermark.NoTime {
				w.total.Null++
			}
		}
	}
	w.passed()
}

// passed looks at what a ticket has changed.
func (w *world) passed() {
	w.junction.look(w.outlets)
	w.visits.rise(w.junction)
	for _, o := range w.outlets {
		for _, s := range o.splits {
			if !s.ahead(o, w.outlets) {
				s.beyond = 0
				s.pause(false, w.clock.Now()) // if it was paused, it is read on from now
			}
		}
	}
}

func (w *world) compare(now int64) {
	stats := w.job.Stats()
	for i, o := range w.outlets {
		r := w.edges[i]
		got, want := r.edge, o.edge
		if o.sends != watermark.PassLate || o.by.NullTime == watermark.Drop {
			got, want = apart(got), apart(want)
		}
		if !slices.Equal(got, want) {
			w.t.Errorf("table %d: %s: %s", i, o.by, firstDifference(got, want))
			return
		}
		if r.active != o.active {
			w.t.Errorf("table %d: %s: active %v, want %v", i, o.by, r.active, o.active)
		}
		if r.silent && o.by.Idleness == (watermark.Never{}) {
			w.t.Errorf("table %d is idle, which it never may", i)
		}
		if got := stats.Sources[i].Late; got != o.late {
			w.t.Errorf("table %d: %d rows late, want %d", i, got, o.late)
		}
		w.compareSplits(i, stats.Sources[i], now)
	}
	w.compareSessions()
	active := w.junction.look(w.outlets)
	for task, r := range w.merged {
		if r.told != w.junction.has || r.told && int64(r.frontier) != w.junction.frontier || r.active != active {
			w.t.Errorf("task %d: frontier %d, active %v; want %+v, active %v", task, r.frontier, r.active, w.junction, active)
		}
	}
}

// apart leaves out the frontiers of an edge that no row stands behind: where rows are taken out, nobody can tell them from the next.
func apart(edge []string) (left []string) {
	for i, e := range edge {
		if i+1 == len(edge) || !strings.HasPrefix(e, "frontier") || strings.HasPrefix(edge[i+1], "row") {
			left = append(left, e)
		}
	}
	return left
}

func (w *world) compareSplits(source int, stats SourceStats, now int64) {
	o := w.outlets[source]
	for k, x := range w.job.sources[source].splits {
		got := stats.Watermark.Splits[k]
		if got.Status == watermark.Finished {
			continue
		}
		s := o.split(x.Name())
		for _, paused := range x.Split.(*streamSplit).told() {
			if s.pause(paused, now); paused {
				w.total.Pauses++
			} else {
				w.total.Resumes++
			}
		}
		if ahead := s.ahead(o, w.outlets); s.paused != ahead {
			w.t.Errorf("table %d, %s: paused %t, beyond the drift %t", source, s.name, s.paused, ahead)
		}
		want := watermark.Active
		switch {
		case s.idle:
			want = watermark.Idle
		case s.paused:
			want = watermark.Stalled
		}
		f := watermark.Unset
		if s.marked {
			f = watermark.Frontier(s.mark)
		}
		if got.Status != want || got.Frontier != f || got.Read != s.read || got.Late != s.late {
			w.t.Errorf("table %d, %s: %s, frontier %d, %d read, %d late; want %s, %d, %d, %d",
				source, s.name, got.Status, got.Frontier, got.Read, got.Late, want, f, s.read, s.late)
		}
	}
}
