package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// rig runs one script once.
type rig struct {
	file      *File
	variation Variation
	engine    *engine.Engine
	clock     clock
	feed      feed
	output    output
	topics    topics
	query     *engine.Query // nil before the script has given one

	job      *runtime.Job
	starts   int
	ended    bool
	failed   bool   // the job has; it is still to be stopped
	stopped  *Block // the block in which that was, or in which the job could not start; else nil
	saved    *runtime.Snapshot
	latest   *runtime.Snapshot // set by the job, while it is settled
	kept     int               // how much of the output of this block came before latest; negative if no crash goes back there
	withheld bool              // the script forbids restarts that it does not ask for
	// reached is told of every block that was run, and how long that took in microseconds; it may be nil.
	reached func(block int, took int64)
	// brings says what a snapshot that the script asks for brings back; nil is for the same. Tests of files of older programs put those there.
	brings func(*runtime.Snapshot) *runtime.Snapshot
}

func newRig(f *File, v Variation, connectors []connector.Connector) *rig {
	r := &rig{file: f, variation: v, topics: topics{}, withheld: slices.ContainsFunc(f.Blocks, func(b Block) bool { return b.Verb == Crash || b.Verb == Splits })}
	r.engine = engine.New(engine.Options{
		Connectors: append(slices.Clone(connectors), r.connector()),
		Stdout:     &r.output,
		Stderr:     io.Discard,
		Functions:  functions,
	})
	return r
}

// run gives what each block prints. The error is an *Error, or that of broken accounts. It asks now for the time, which the script does not see.
func (r *rig) run(now func() int64) (got [][]string, err error) {
	defer func() {
		if r.job != nil {
			err = errors.Join(err, r.halt())
		}
	}()
	for i := range r.file.Blocks {
		b := &r.file.Blocks[i]
		since := now()
		lines, err := r.block(b)
		if r.reached != nil {
			r.reached(i, now()-since)
		}
		if err != nil {
			return got, err
		}
		got = append(got, lines)
		if err := r.accounts(); err != nil {
			return got, r.errorf(b.Line, "%w", err)
		}
	}
	return got, nil
}

func (r *rig) errorf(line int, format string, args ...any) error {
	return &Error{r.file.Path, line, fmt.Errorf(format, args...).Error()}
}

// block runs b and returns what it prints: the rows that come out, then the error if it ends with one.
func (r *rig) block(b *Block) ([]string, error) {
	if b.Verb != SQL && b.Verb != Clock && b.Verb != Topic {
		if r.query == nil {
			return nil, r.errorf(b.Line, "%s needs a statement that runs: there is no query or INSERT in a block sql before it", b.Verb)
		}
		if r.stopped != nil {
			return nil, r.errorf(b.Line, "the statement has stopped with the error of line %d", r.stopped.Line)
		}
	}
	err := r.do(b)
	lines := r.output.take()
	if fault := (*Error)(nil); errors.As(err, &fault) {
		return nil, fault
	}
	if err == nil && r.restarts() {
		if err = r.restartHere(); err == nil {
			lines = append(lines, r.output.take()...)
		}
	}
	if err == nil {
		return lines, nil
	}
	if r.failed {
		r.failed = false
		err = r.halt()
		lines = append(lines, r.output.take()...)
	}
	if r.query != nil && r.job == nil && r.stopped == nil {
		r.stopped = b
	}
	return append(lines, explain(err)...), nil
}

// halt stops the job and returns why it had stopped already, if it had.
func (r *rig) halt() error {
	err := r.job.Stop()
	r.job = nil
	return err
}

// explain writes an error as a block prints it: the sentence, and what to do.
func explain(err error) []string {
	var place *source.Error
	if !errors.As(err, &place) {
		return printable("error: " + err.Error())
	}
	// The drawing in between would repeat the block, and its line numbers would change with every edit.
	drawn := strings.Split(place.Render(), "\n")
	lines := drawn[:1]
	if place.Hint != "" {
		lines = append(lines, "= "+place.Hint)
	}
	return lines
}

func (r *rig) do(b *Block) error {
	switch b.Verb {
	case SQL:
		return r.sql(b)
	case Topic:
		return r.topic(b)
	case Rows, Messages:
		return r.rows(b)
	case Clock:
		return r.move(b)
	case End:
		return r.end(b)
	case Pause, Resume:
		return r.hold(b)
	case Watermark:
		return r.showWatermark(b)
	case System:
		return r.showSystem()
	case Down, Up:
		return r.reach(b)
	case Splits:
		return r.showSplits(b)
	case Promise:
		return r.promise(b)
	case Late:
		return r.showLate()
	case Counts:
		return r.showCounts()
	case Snapshot:
		if err := r.running(b); err != nil {
			return err
		}
		err := r.checkpoint()
		r.saved = r.latest
		if r.brings != nil && err == nil {
			r.saved = r.brings(r.latest)
		}
		return err
	case Crash:
		if err := r.running(b); err != nil {
			return err
		}
		return r.restart(r.saved)
	case Drain:
		if err := r.running(b); err != nil {
			return err
		}
		r.job.Drain()
		return r.settle()
	}
	panic(fmt.Sprintf("tidemark bug: verb %s", b.Verb))
}

func (r *rig) running(b *Block) error {
	if r.ended {
		return r.errorf(b.Line, "the statement has come to its end")
	}
	return nil
}

// sql runs the statements of a block. A query starts at once, and so do its errors.
func (r *rig) sql(b *Block) error {
	text := source.Text{Name: r.file.Path, Body: strings.Join(b.Body, "\n")}
	script, err := language.Parse(text, language.Auto)
	if err != nil {
		return err
	}
	for _, statement := range script {
		result, err := r.engine.Execute(context.Background(), text, statement)
		if err != nil {
			return err
		}
		fmt.Fprint(&r.output, result.Text)
		if result.Rows != nil {
			for _, row := range result.Rows.Values {
				fmt.Fprintln(&r.output, strings.Join(row, " | "))
			}
		}
		if result.Query == nil {
			continue
		}
		if r.query != nil {
			return r.errorf(b.Line, "a script runs one query or INSERT, and has one already")
		}
		r.query = result.Query
		if err := r.start(nil); err != nil {
			return err
		}
		if err := r.restartable(b); err != nil {
			return err
		}
	}
	return nil
}

// restartable notes whether the job may be restarted behind every block: if no tick of the clock has a say, or if the script allows it.
func (r *rig) restartable(b *Block) error {
	ticks := r.job.NextTick() != connector.Never
	if b.Restartable && !ticks {
		return r.errorf(b.Line, "'restartable' is for statements with a watermark that follows the clock; all others are")
	}
	r.withheld = r.withheld || ticks && !b.Restartable
	return nil
}

// start makes the job, where from was taken if that is not nil, and lets it read what there is.
func (r *rig) start(from *runtime.Snapshot) error {
	var sink connector.Sink
	if r.query.Into() == "" {
		sink = r.output.sink(r.query.Schema())
	}
	shape := r.variation.shape(r.starts)
	r.starts++
	r.feed.readers = nil
	job, err := r.query.Start(sink, shape.Parallelism, runtime.Options{
		Workers:     shape.Workers,
		BatchRows:   r.variation.BatchRows,
		Clock:       &r.clock,
		Restore:     from,
		StateMemory: r.variation.Memory,
		OnSnapshot: func(s *runtime.Snapshot) {
			r.latest = stored(s)
			r.job.Durable(s)
		},
		Checkpointed: slices.ContainsFunc(r.file.Blocks, func(b Block) bool { return b.Verb == Snapshot }),
	})
	if err != nil {
		return err
	}
	r.job = job
	if from != nil {
		r.feed.finish()
	}
	r.stayHeld()
	job.Begin(context.Background())
	return r.settle()
}

// stored is what a checkpoint on disk brings back of s.
func stored(s *runtime.Snapshot) *runtime.Snapshot {
	folder, err := checkpoint.Open(checkpoint.Memory(), 1)
	must(err)
	w, err := folder.Begin(s.ID)
	must(err)
	must(s.Save(w))
	s.Release()
	must(w.Commit())
	r, err := folder.Read(s.ID)
	must(err)
	back, err := runtime.LoadSnapshot(r)
	must(err)
	return back
}

// must stops at what cannot fail in memory.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("tidemark bug: a snapshot does not survive: %v", err))
	}
}

// settle steps the job until it has read all that has arrived.
func (r *rig) settle() error {
	for {
		before, _ := r.feed.next()
		ended, err := r.job.Step()
		r.ended = ended
		if err != nil {
			r.failed = true
			return err
		}
		left, more := r.feed.next()
		if !more || ended {
			return nil
		}
		if left == before {
			panic(fmt.Sprintf("tidemark bug: nobody reads arrival %d", left))
		}
	}
}

// rows feeds a table with rows or messages.
func (r *rig) rows(b *Block) error {
	t, err := r.readTable(b)
	if err != nil {
		return err
	}
	split := max(b.Split, 0)
	if err := t.check(split); err != nil {
		return r.errorf(b.Line, "%w", err)
	}
	if err := r.move(b); err != nil {
		return err
	}
	if err := r.keep(); err != nil {
		return err
	}
	rows, err := r.arriving(b, t, split)
	if err != nil {
		return err
	}
	single := (r.variation.SingleRows || r.variation.Crashes) && r.query.Readings(t.name) == 1 && !r.batched(t.name)
	for i := range rows {
		if !single {
			break
		}
		r.feed.rows(t, split, rows[i:i+1], r.clock.Now())
		// Some rows come while others are at work, some when those have been worked off; a script must not tell them apart.
		if i%2 == 0 || r.kept >= 0 {
			if err := r.settle(); err != nil {
				return err
			}
		}
		if err := r.crashHere(); err != nil {
			return err
		}
		if i%2 == 1 {
			if err := r.keep(); err != nil {
				return err
			}
		}
	}
	if single || len(rows) == 0 {
		return r.settle()
	}
	r.feed.rows(t, split, rows, r.clock.Now())
	if err := r.settle(); err != nil {
		return err
	}
	return r.crashHere()
}

// arriving reads the rows or messages of a block, which come to a table by a split.
func (r *rig) arriving(b *Block, t *table, split int) (rows []fedRow, err error) {
	before := t.given(split)
	switch {
	case t.messages && b.Verb == Rows:
		return nil, r.errorf(b.Line, "table '%s' has messages; write: messages %s", t.name, t.name)
	case !t.messages && b.Verb == Messages:
		return nil, r.errorf(b.Line, "table '%s' has rows of values and no messages; write: rows %s, or let the statement read it in a format", t.name, t.name)
	case t.messages:
		all, err := parseMessages(b.Body, r.clock.Now())
		if err != nil {
			return nil, r.errorf(b.Line, "%w", err)
		}
		for i, m := range all {
			m.offset = before + int64(i)
			rows = append(rows, fedRow{message: m})
		}
		return rows, nil
	}
	for i, line := range b.Body {
		if strings.TrimSpace(cutComment(line)) == "" {
			continue
		}
		op, line, err := parseOp(line, t.changes)
		if err != nil {
			return nil, r.errorf(b.Line+1+i, "%w", err)
		}
		row, offset := fedRow{op: op}, before+int64(len(rows))
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), unreadPrefix); ok {
			row.unread = &unread{strings.TrimSpace(text), offset}
		} else if cells, err := parseRow(line, t.written()); err != nil {
			return nil, r.errorf(b.Line+1+i, "%w", err)
		} else {
			row.cells = t.whole(cells, split, offset, r.clock.Now())
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// unreadPrefix begins a record that cannot be read.
const unreadPrefix = "? "

// batched reports whether it matters which rows of a table come together: a watermark that looks ahead is made from batches.
func (r *rig) batched(table string) bool {
	return slices.ContainsFunc(r.job.Stats().Sources, func(s runtime.SourceStats) bool {
		return (s.Name == table || r.query.Table(s.Name) == table) && s.Strategy.LooksAhead()
	})
}

// readTable finds the table of b among those that the statement reads.
func (r *rig) readTable(b *Block) (*table, error) {
	table := cmp.Or(r.query.Table(b.Table), b.Table)
	if names := r.feed.names(); !slices.Contains(names, table) {
		if len(names) == 0 {
			return nil, r.errorf(b.Line, "the statement reads no table with connector '%s'", connectorName)
		}
		return nil, r.errorf(b.Line, "the statement does not read '%s' from a script; it reads: %s", b.Table, strings.Join(names, ", "))
	}
	return r.feed.table(table), nil
}

// reach lets splits go out of reach, or come back.
func (r *rig) reach(b *Block) error {
	t, err := r.readTable(b)
	if err != nil {
		return err
	}
	if b.Split >= len(t.splits) {
		return r.errorf(b.Line, "%w", t.check(b.Split))
	}
	for i := range t.down {
		if b.Split == AllSplits || b.Split == i {
			t.down[i] = b.Verb == Down
		}
	}
	return r.settle()
}

// move moves the clock, and ticks whenever a tick is due on the way.
func (r *rig) move(b *Block) error {
	if !b.Clock.Set {
		return nil
	}
	to := b.Clock.Micros
	if b.Clock.Relative {
		to += r.clock.Now()
	}
	if to < r.clock.Now() && !b.Clock.AtOnce {
		return r.errorf(b.Line, "the clock stands at %s and does not go back", appendTime(nil, r.clock.Now()))
	}
	for r.job != nil && !r.ended && !b.Clock.AtOnce && r.job.NextTick() <= to {
		r.clock.now.Store(r.job.NextTick())
		if err := r.settle(); err != nil {
			return err
		}
	}
	r.clock.now.Store(to)
	if r.job == nil || r.ended {
		return nil
	}
	return r.settle()
}

// end ends a split, a table or everything that is bounded.
func (r *rig) end(b *Block) error {
	tables := r.feed.names()
	if b.Table != "" {
		t, err := r.readTable(b)
		if err != nil {
			return err
		}
		if !t.bounded {
			return r.errorf(b.Line, "table '%s' is live and has no end: declare it with 'bounded' = 'true'", t.name)
		}
		tables = []string{t.name}
	}
	if err := r.keep(); err != nil {
		return err
	}
	found := false
	for _, name := range tables {
		t := r.feed.table(name)
		for i := range t.splits {
			if b.Split != AllSplits && b.Split != i {
				continue
			}
			if t.bounded && !t.ended(i) {
				r.feed.end(t, i)
				found = true
			}
		}
	}
	if !found {
		return r.errorf(b.Line, "nothing is left to end")
	}
	if err := r.settle(); err != nil {
		return err
	}
	return r.crashHere()
}

// restart stops the job without warning and goes on from where s was taken, or from the start.
func (r *rig) restart(s *runtime.Snapshot) error {
	if err := r.halt(); err != nil {
		return err
	}
	r.output.rows = 0
	if s != nil {
		r.output.rows = s.Written
	}
	return r.start(s)
}

// restarts reports whether the variation wants a restart behind the block at hand.
func (r *rig) restarts() bool {
	return r.variation.Restarts && !r.withheld && r.job != nil && !r.ended
}

// restartHere takes a snapshot and goes on from it, with other workers and tasks.
func (r *rig) restartHere() error {
	if err := r.checkpoint(); err != nil {
		return err
	}
	return r.restart(r.latest)
}

// crashes reports whether the variation wants the job to be stopped behind every row.
func (r *rig) crashes() bool { return r.variation.Crashes && !r.withheld }

// keep takes a snapshot from which the next crash goes on.
func (r *rig) keep() error {
	if !r.crashes() || r.ended {
		r.kept = -1
		return nil
	}
	r.kept = r.output.length()
	return r.checkpoint()
}

// crashHere goes on from the snapshot that was kept, with other workers and tasks: what came out since then is forgotten, and comes again.
func (r *rig) crashHere() error {
	if r.kept < 0 {
		return nil
	}
	r.output.cut(r.kept)
	return r.restart(r.latest)
}

// checkpoint takes a snapshot, which is then the latest.
func (r *rig) checkpoint() error {
	err := r.job.Checkpoint()
	r.failed = err != nil
	return err
}
