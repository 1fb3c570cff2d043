package engine

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/compile"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/rewrite"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Query is a statement that reads tables, ready to start any number of times.
type Query struct {
	// Plans are what runs as one job: a single one, or the INSERTs of a statement set, and behind them what keeps rows that these leave out. Bound are the same as they were
	// written, before any rewrite.
	Plans []*plan.Statement
	Bound []plan.Node

	engine *Engine
	// name is that of the standing query, "" of others.
	name string
	zone *time.Location
	// parallelism is what was SET, 0 if nothing was.
	parallelism int
	// interval between checkpoints, in microseconds, how many are kept, and whether they refer to older files.
	interval    int64
	every       int64 // what the query says itself instead of interval, 0 if nothing
	kept        int
	incremental bool
	memory      plan.Memory
	text        source.Text
	at          source.Span
	// fills is the table that CREATE TABLE … AS makes; nil for others.
	fills *catalog.Table
	// keeps are tables to be made, in which the query keeps rows.
	keeps []*catalog.Table
	// undo takes back what was made for the query, if it cannot start; nil if that is nothing, or once it has started.
	undo func()
}

// ready gives the query its plans.
func (q *Query) ready(x *execution, err error, all ...*plan.Statement) (*Result, bool, error) {
	if err != nil {
		return nil, true, err
	}
	keeps, missing, err := x.bind.Keep(all)
	if err != nil {
		return nil, true, err
	}
	q.keeps = missing
	together := append(all, keeps...)
	for _, p := range together {
		q.Bound = append(q.Bound, p.Root)
	}
	roots, err := rewrite.Plans(x.ctx, q.Bound)
	if err != nil {
		return nil, true, err
	}
	for i, root := range roots {
		p := *together[i]
		p.Root = root
		q.Plans = append(q.Plans, &p)
	}
	r := &Result{Query: q}
	for _, a := range q.Advice() {
		if a.Warns() {
			r.Notes = append(r.Notes, a.Scan.Name()+": "+a.Text+"; "+a.Remedy)
		}
	}
	return r, true, nil
}

// Advice is what may not be meant about the watermarks of the query, though it runs.
func (q *Query) Advice() []plan.Advice { return plan.Advise(q.Plans) }

// Schema is the row type of the query, or of the first INSERT.
func (q *Query) Schema() types.Schema { return q.Plans[0].Schema() }

// Into is the table that the query writes to, or the first one, "" if its rows go to the user.
func (q *Query) Into() string {
	if q.Plans[0].Into == nil {
		return ""
	}
	return q.Plans[0].Into.Name
}

// Writes names the tables that the query writes to, one for each INSERT, without those in which it keeps what it leaves out; none if its rows go to the user.
func (q *Query) Writes() []string {
	var names []string
	for _, p := range q.Plans {
		if p.Into != nil && p.Keeps == plan.NotKept {
			names = append(names, p.Into.Name)
		}
	}
	return names
}

// Name is that of the standing query, "" if it is none.
func (q *Query) Name() string { return q.name }

// Text is the statement as it was written.
func (q *Query) Text() string { return q.text.Slice(q.at) }

// Bounded reports whether the query comes to its end by itself.
func (q *Query) Bounded() bool {
	return plan.Replays(q.scans())
}

// scans are all readings of the query.
func (q *Query) scans() []*plan.Scan {
	var roots []plan.Node
	for _, p := range q.Plans {
		roots = append(roots, p.Root)
	}
	return plan.Scans(roots...)
}

// Updates reports whether a row of its results may be taken back.
func (q *Query) Updates() bool {
	return slices.ContainsFunc(q.Plans, func(p *plan.Statement) bool { return plan.Updates(p.Root) })
}

// Reads names the tables that the query reads, each once, in the order of the plan.
func (q *Query) Reads() []string {
	var names []string
	for _, p := range q.Plans {
		for _, s := range plan.Scans(p.Root) {
			if !slices.Contains(names, s.Source()) {
				names = append(names, s.Source())
			}
		}
	}
	return names
}

// IsTopic reports whether a table that the query reads is a topic of a Kafka broker.
func (q *Query) IsTopic(table string) bool {
	for _, s := range q.scans() {
		if s.Source() == table {
			return q.engine.connector(s.Table).Topics
		}
	}
	return false
}

// Table is the name of the table behind a source, "" if the query has no such source.
func (q *Query) Table(source string) string {
	for _, s := range q.scans() {
		if s.Source() == source {
			return s.Table.Name
		}
	}
	return ""
}

// Readings is how often the query reads a table, once for each way that its rows take to a result.
func (q *Query) Readings(table string) int {
	n := 0
	for _, p := range q.Plans {
		if p.Keeps == plan.NotKept {
			n += readings(p.Root, table)
		}
	}
	return n
}

func readings(n plan.Node, table string) int {
	if s, ok := n.(*plan.Scan); ok && (s.Source() == table || s.Table.Name == table) {
		return 1
	}
	all := 0
	for _, c := range n.Children() {
		all += readings(c, table)
	}
	return all
}

// Explain describes the query.
func (q *Query) Explain() string { return plan.Explain(q.Plans, plan.Details{Memory: q.memory}) }

// StateMemory is the limit of the memory for state, in bytes, as it was when the query was made ready; 0 is none.
func (q *Query) StateMemory() int64 { return q.memory.Bytes }

// Settle says that what was made for the query stays, also if it cannot start.
func (q *Query) Settle() { q.undo = nil }

// TakeBack removes what was made for the query, unless that has been settled. Like whatever changes the catalog, it has the engine to itself.
func (q *Query) TakeBack() {
	if q.undo != nil {
		q.undo()
	}
	q.undo = nil
}

// Start makes a job whose rows go to sink, or into the tables of INSERTs if sink is nil. The job is ready, not running. If it fails, a table that
// the statement has made is gone again.
func (q *Query) Start(sink connector.Sink, parallelism int, o runtime.Options) (*runtime.Job, error) {
	job, err := q.Prepare(sink, parallelism, o)
	if err != nil {
		q.TakeBack()
	}
	q.Settle()
	return job, err
}

// Prepare is Start, except that what was made for the query stays until Settle or TakeBack is called. It opens sources and sinks, which may take as long as a broker does not answer. It leaves the catalog
// alone, so others may use the engine meanwhile.
func (q *Query) Prepare(sink connector.Sink, parallelism int, o runtime.Options) (*runtime.Job, error) {
	graph, err := q.graph(sink, parallelism)
	if err != nil {
		return nil, err
	}
	if o.StateMemory == 0 {
		o.StateMemory = q.memory.Bytes
	}
	return runtime.New(graph, o)
}

// Fits tells why the query cannot go on from a snapshot, of which the outline is enough, before anything is opened.
func (q *Query) Fits(s *runtime.Snapshot) error {
	graph, err := q.graph(nil, 1)
	if err != nil {
		return err
	}
	return graph.Fits(s)
}

// graph is what the query is run as; sink takes the rows of one that writes to no table.
func (q *Query) graph(sink connector.Sink, parallelism int) (*runtime.Graph, error) {
	var outputs []compile.Output
	for _, p := range q.Plans {
		out := compile.Output{Root: p.Root, Sink: sink, Keeps: p.Keeps}
		if p.Into != nil {
			out.Into = p.Into.Name
		}
		if sink == nil || p.Keeps != plan.NotKept {
			table, _ := p.Into.Written()
			table.Stdout, table.Stderr = q.engine.options.Stdout, q.engine.options.Stderr
			var err error
			if out.Sink, err = q.engine.connector(p.Into).NewSink(table, p.Into.Options); err != nil {
				return nil, q.locate(err, p.Into)
			}
		}
		outputs = append(outputs, out)
	}
	return compile.Graph(outputs, compile.Options{Parallelism: parallelism, Zone: q.zone, Open: q.open})
}

func (q *Query) open(s *plan.Scan, needed []int) (connector.Source, error) {
	table, _ := s.Table.Read()
	table.Needed, table.Stdin = needed, q.engine.stdin
	reader, err := q.engine.connector(s.Table).NewSource(table, s.Table.Options)
	if err != nil {
		return nil, q.locate(err, s.Table)
	}
	l := located{reader, func(err error) error { return q.locate(err, s.Table) }}
	g, grows := reader.(connector.Growing)
	tells, lives := reader.(connector.Live)
	switch {
	case grows && lives:
		return struct {
			growing
			connector.Live
		}{growing{l, g}, tells}, nil
	case grows:
		return growing{l, g}, nil
	case lives:
		return struct {
			located
			connector.Live
		}{l, tells}, nil
	}
	return l, nil
}

// located is a source that points errors about its table's options, which show only when it is opened, at those options. What else the source can do
// has to be said of it again, see open.
type located struct {
	connector.Source
	locate func(error) error
}

// Open implements connector.Source.
func (l located) Open() ([]connector.Split, error) {
	splits, err := l.Source.Open()
	return splits, l.locate(err)
}

// growing is a located source that gets more splits.
type growing struct {
	located
	source connector.Growing
}

// Discover implements connector.Growing.
func (g growing) Discover(now int64) ([]connector.Split, int64, error) {
	splits, wake, err := g.source.Discover(now)
	return splits, wake, g.locate(err)
}

// Size implements connector.Sized.
func (l located) Size() int64 {
	if s, ok := l.Source.(connector.Sized); ok {
		return s.Size()
	}
	return 0
}

// KeepTrying implements connector.Tenacious.
func (l located) KeepTrying() {
	if t, ok := l.Source.(connector.Tenacious); ok {
		t.KeepTrying()
	}
}

// Outage implements connector.Distant.
func (l located) Outage() error { return connector.OutageOf(l.Source) }

func (e *Engine) connector(t *catalog.Table) *connector.Connector {
	for i := range e.options.Connectors {
		if c := &e.options.Connectors[i]; c.Name == t.Options["connector"] {
			return c
		}
	}
	panic("tidemark bug: the connector of table " + t.Name + " was not checked")
}

// locate points an error about an option of table t at that option.
func (q *Query) locate(err error, t *catalog.Table) error {
	var option *connector.OptionError
	if !errors.As(err, &option) {
		return err
	}
	at, ok := t.Places[option.Key]
	if !ok {
		at = catalog.Place{Text: q.text, Span: q.at}
	}
	return &source.Error{Code: source.CodeOption, Span: at.Span, Message: option.Message, Hint: option.Hint, Text: at.Text}
}

// Parallelism is what was SET when the query was made ready, or fallback.
func (q *Query) Parallelism(fallback int) int {
	if q.parallelism > 0 {
		return q.parallelism
	}
	return fallback
}

// Checkpoints is the time from one checkpoint to the next, in microseconds, and how many are kept, as was SET when the query was made ready.
func (q *Query) Checkpoints() (interval int64, kept int) {
	return cmp.Or(q.every, q.interval), q.kept
}

// Every has checkpoints taken so often from the next job on, in microseconds; 0 is as often as was SET.
func (q *Query) Every(interval int64) { q.every = interval }

// Incremental is whether they refer to older files for what has not changed, as was SET when the query was made ready.
func (q *Query) Incremental() bool { return q.incremental }
