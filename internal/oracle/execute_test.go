package oracle

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// way is one way to run a statement; none of its parts may show in the result.
type way struct {
	workers, tasks, batchRows int
	// crashes says after how many polls a snapshot is taken and how many more are lost in the crash behind it, one pair after the other.
	crashes []crash
	// memory is the limit of the memory for state; 0 is none.
	memory int64
}

type crash struct{ kept, lost int }

func (w way) String() string {
	return fmt.Sprintf("%d workers, %d tasks, batches of %d rows, %d bytes of memory, crashes %v", w.workers, w.tasks, w.batchRows, w.memory, w.crashes)
}

// ways are the plainest one, and others at random.
func ways(r *rand.Rand, crashes bool) []way {
	list := []way{{workers: 1, tasks: 1, batchRows: 1 << 12}}
	for range 2 {
		list = append(list, way{workers: 1 + r.IntN(3), tasks: 1 + r.IntN(4), batchRows: 1 + r.IntN(4)})
	}
	list[2].memory = 1 // all that can be spilled is
	if crashes {
		w := way{workers: 1 + r.IntN(3), tasks: 1 + r.IntN(4), batchRows: 1 + r.IntN(8), memory: int64(r.IntN(2))}
		for range 1 + r.IntN(3) {
			w.crashes = append(w.crashes, crash{r.IntN(10), r.IntN(6)})
		}
		list = append(list, w)
	}
	return list
}

// outcome is what came of running a statement.
type outcome struct {
	rows  []string
	late  []int64 // by source
	drops int64   // of all operators
	reads []read
	names []string // of the tables, by source
}

// prepare runs everything of a trial but the query, and makes that ready.
func prepare(c *trial, m *memory) (*engine.Query, error) {
	for _, t := range c.tables {
		m.tables[t.name] = &memoryTable{splits: t.splits, changelog: changelogs[t.changelog]}
	}
	return prepareText(c.sql(), m)
}

// prepareText does so with statements over tables that m has.
func prepareText(body string, m *memory) (*engine.Query, error) {
	text := source.Text{Name: "trial.sql", Body: body}
	statements, err := language.Parse(text, language.Auto)
	if err != nil {
		return nil, err
	}
	e := engine.New(engine.Options{Connectors: []connector.Connector{m.connector()}})
	for _, stmt := range statements {
		r, err := e.Execute(context.Background(), text, stmt)
		if err != nil {
			return nil, err
		}
		if r.Query != nil {
			return r.Query, nil
		}
	}
	return nil, errors.New("a trial without a query")
}

// patience bounds a run, which takes milliseconds unless it hangs.
const patience = 4 * time.Second

// execute runs q in one way.
func execute(q *engine.Query, m *memory, w way) (*outcome, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), patience, errors.New("the job hangs"))
	defer cancel()
	x := &execution{query: q, memory: m, way: w, clock: newStoppedClock(), sink: &rowSink{schema: q.Schema()}}
	m.restart(nil)
	for _, c := range w.crashes {
		over, err := x.crash(ctx, c)
		if err != nil || over {
			return x.outcome(), err
		}
		x.way.workers, x.way.tasks = x.way.tasks, 1+(x.way.workers+c.kept)%4
	}
	m.budget = -1
	if err := x.start(); err != nil {
		return nil, err
	}
	err := x.job.Run(ctx)
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return x.outcome(), err
}

// execution is a statement that runs, maybe as several jobs one after the other.
type execution struct {
	query  *engine.Query
	memory *memory
	way    way
	clock  *stoppedClock
	sink   *rowSink
	job    *runtime.Job
	saved  *runtime.Snapshot // nil: there is none
	reads  []read            // when saved was taken
	rows   []string
}

func (x *execution) start() error {
	x.memory.restart(x.reads)
	x.sink.rows = slices.Clone(x.rows)
	var err error
	x.job, err = x.query.Start(x.sink, x.way.tasks, runtime.Options{Workers: x.way.workers, BatchRows: x.way.batchRows, Clock: x.clock, StateMemory: x.way.memory,
		Restore: x.saved, OnSnapshot: func(s *runtime.Snapshot) { x.saved = s }})
	return err
}

// crash starts a job, saves it after c.kept polls, lets it go on for c.lost more, and stops it. It reports whether the input ended before that.
func (x *execution) crash(ctx context.Context, c crash) (over bool, err error) {
	if err := x.start(); err != nil {
		return false, err
	}
	x.job.Begin(ctx)
	defer func() { err = errors.Join(err, x.job.Stop()) }()
	if over, err = x.poll(c.kept); over || err != nil {
		return over, err
	}
	if err := x.job.Checkpoint(); err != nil {
		return false, err
	}
	x.reads, x.rows = slices.Clone(x.memory.reads), slices.Clone(x.sink.rows)
	_, err = x.poll(c.lost)
	return false, err
}

// poll lets the job read n times.
func (x *execution) poll(n int) (over bool, err error) {
	x.memory.budget = n
	x.clock.now.Add(2)
	return x.job.Step()
}

func (x *execution) outcome() *outcome {
	stats := x.job.Stats()
	o := &outcome{rows: x.sink.rows, reads: x.memory.reads, names: x.memory.opened}
	for _, s := range stats.Sources {
		o.late = append(o.late, s.Late)
	}
	for _, op := range stats.Operators {
		o.drops += op.Dropped
	}
	return o
}

// inputs are what the oracle is told of the rows: by scan of the plan, in the order in which the engine read them.
func (o *outcome) inputs(root plan.Node, tables map[string]*memoryTable) (inputs []Input, sources []int, err error) {
	free := slices.Clone(o.names)
	for _, name := range scans(root) {
		at := slices.Index(free, name)
		if at < 0 {
			return nil, nil, fmt.Errorf("table %s is read by the plan but not by the engine, which reads %s", name, strings.Join(o.names, ", "))
		}
		free[at] = ""
		sources = append(sources, at)
		inputs = append(inputs, Input{Splits: len(tables[name].splits)})
	}
	seq := 0
	for _, r := range o.reads {
		in := &inputs[slices.Index(sources, r.source)]
		if r.rows == nil {
			in.Arrivals = append(in.Arrivals, Arrival{Seq: seq, Split: r.split})
			seq++
		}
		for _, row := range r.rows {
			a := Arrival{Seq: seq, Split: r.split, Row: row}
			if tables[o.names[r.source]].changelog != connector.Append {
				a.Row, a.Op = splitChange(row)
			}
			in.Arrivals = append(in.Arrivals, a)
			seq++
		}
	}
	return inputs, sources, nil
}

// scans are the names of the tables that a plan reads, in its order.
func scans(n plan.Node) []string {
	if s, ok := n.(*plan.Scan); ok {
		return []string{s.Table.Name}
	}
	var names []string
	for _, c := range n.Children() {
		names = append(names, scans(c)...)
	}
	return names
}
