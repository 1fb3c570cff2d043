// Package compile turns a plan into a graph that package runtime can run. It is the one place that sees both plans and operators: it decides
// which operators are chained, where rows are exchanged and by which key, and what each operator is called.
package compile

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/values"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Options say how to run a plan; none of them changes results.
type Options struct {
	// Parallelism is the number of tasks of every keyed fragment.
	Parallelism int
	// Zone is the session's.
	Zone *time.Location
	// Open makes the source of a table that is scanned; needed are the physical columns to read, ascending.
	Open func(s *plan.Scan, needed []int) (connector.Source, error)
}

// Output is a plan and where its rows go.
type Output struct {
	Root plan.Node
	Sink connector.Sink
	// Into is the name of the table that the sink writes to, empty for a result.
	Into string
	// Keeps is that of plan.Statement. Outputs that keep something stand behind the others.
	Keeps plan.Kept
}

// Graph compiles plans that run together. What several of them read in the same way is read once, and what they share is computed once.
func Graph(outputs []Output, o Options) (*runtime.Graph, error) {
	grains, err := grainsOfShared(outputs, o)
	if err != nil {
		return nil, err
	}
	c := newCompiler(o, grains)
	if err := c.outputs(outputs); err != nil {
		return nil, err
	}
	return c.graph, nil
}

func newCompiler(o Options, grains map[*plan.Shared]dataflow.Grain) *compiler {
	return &compiler{graph: &runtime.Graph{Memory: &vector.Pool{}}, options: o, taken: map[*sharedScan]bool{}, scans: map[*plan.Scan]*sharedScan{},
		known: map[*plan.Shared]*shared{}, named: map[string]int{}, grains: grains}
}

// outputs compiles all plans and the fragment that writes their rows.
func (c *compiler) outputs(outputs []Output) error {
	var all []stream
	var beside [][]int
	var s fork
	var to runtime.Target
	if len(outputs) > 1 {
		c.share(outputs)
	}
	results := slices.IndexFunc(outputs, func(o Output) bool { return o.Keeps != plan.NotKept })
	if results < 0 {
		results = len(outputs)
	}
	c.enough, s.results = enough(outputs[:results]), results
	c.replay = plan.Replays(plan.Scans(roots(outputs)...))
	for i, out := range outputs {
		// Results have the same names whether or not something is kept beside them.
		id := "sink"
		switch {
		case i >= results:
			id = fmt.Sprintf("%s%d-%s", runtime.KeepPrefix, i-results, out.Into)
		case results > 1:
			id = fmt.Sprintf("sink-%d", i)
		}
		_, promises := out.Sink.(connector.Promising)
		as := reader{id: id}
		if promises {
			as.grain, to.Grain = told, told
		}
		streams, err := c.node(out.Root, as)
		if err != nil {
			return err
		}
		if out.Keeps != plan.NotKept {
			c.keeping(streams, out)
		}
		beside = append(beside, kinFrom(len(all), streams)...)
		all = append(all, streams...)
		s.add(out.Sink, len(streams))
		c.graph.Sinks = append(c.graph.Sinks, runtime.SinkSpec{Name: out.Into, Inputs: len(streams), Sink: out.Sink})
	}
	last := runtime.Fragment{Tasks: 1, Sink: s.sink()}
	if slices.ContainsFunc(beside, func(of []int) bool { return of != nil }) {
		last.Kin = beside
	}
	c.merge(all, to, last)
	c.readFirst()
	return nil
}

// roots are the plans of outputs.
func roots(outputs []Output) (all []plan.Node) {
	for _, out := range outputs {
		all = append(all, out.Root)
	}
	return all
}

// told is the grain of a sink that passes on how far it is: it is told at the end of tickets, and no mark is kept for it.
var told = dataflow.Grain{Grids: []dataflow.Grid{{Width: math.MaxInt64}}}

// reader is who reads a node: its identity, and the frontiers that it and everybody behind it look at.
type reader struct {
	id    string
	grain dataflow.Grain
}

func (r reader) under(id string) reader { return reader{r.id + "/" + id, r.grain} }

type compiler struct {
	graph   *runtime.Graph
	options Options
	shared  []*sharedScan
	scans   map[*plan.Scan]*sharedScan // the reading that a scan is part of
	taken   map[*sharedScan]bool       // by the plan at hand
	known   map[*plan.Shared]*shared   // those that somebody has read
	named   map[string]int             // how many of them have the name
	grains  map[*plan.Shared]dataflow.Grain
	enough  []*plan.Limit
	joined  []joined // with tables
	replay  bool     // all that is read is bounded
}

// stream is rows on their way to the next exchange: what a source or a fragment yields, through the operators chained to it.
type stream struct {
	source   int // -1: a fragment
	branch   int // of the source
	fragment int
	way      int // of the fragment: which of its targets this stream takes
	// shared says that others get the rows of the fragment too, so that no operator can be chained to it.
	shared bool
	// phased says that the rows are of several tasks of a dataflow.Phased operator: nothing can be chained to these.
	phased bool
	// origins are the sources whose tickets the rows come in, ascending.
	origins []int
	// ordered says that rows have a place in dataflow.Order, in which so many levels are used.
	ordered bool
	levels  int
}

// chain is the operators of a stream, to which another one can be added. A stream whose fragment has other readers gets a fragment of its own for them, task by task.
func (c *compiler) chain(s *stream, as reader) *[]runtime.OperatorSpec {
	if s.phased {
		*s = c.merge([]stream{*s}, runtime.Target{Grain: as.grain, Passes: as.grain.Matters()}, runtime.Fragment{Tasks: 1})
	}
	if s.shared {
		from := *s
		*s = c.merge([]stream{from}, runtime.Target{Straight: true, Grain: as.grain, Passes: as.grain.Matters()}, runtime.Fragment{Tasks: c.graph.Fragments[from.fragment].Tasks})
		s.ordered, s.levels = from.ordered, from.levels
	}
	if s.source >= 0 {
		return &c.graph.Sources[s.source].Branches[s.branch].Chain
	}
	return &c.graph.Fragments[s.fragment].Chain
}

// merge ends streams in a new fragment, of which each is an input.
func (c *compiler) merge(streams []stream, to runtime.Target, f runtime.Fragment) stream {
	f.Inputs = len(streams)
	if f.Sink == nil {
		f.Kin = kin(streams)
	}
	out := stream{source: -1, fragment: len(c.graph.Fragments)}
	for i, s := range streams {
		to.Fragment, to.Input = out.fragment, i
		c.end(s, to)
		out.origins = append(out.origins, s.origins...)
	}
	slices.Sort(out.origins)
	out.origins = slices.Compact(out.origins)
	if f.Sink == nil {
		f.To = make([]runtime.Target, 1)
	}
	c.graph.Fragments = append(c.graph.Fragments, f)
	return out
}

// end says where a stream goes.
func (c *compiler) end(s stream, to runtime.Target) {
	at := c.target(s)
	to.Outlet, to.Phased = at.Outlet, s.phased
	*at = to
}

// target is where a stream was ended.
func (c *compiler) target(s stream) *runtime.Target {
	if s.source >= 0 {
		return &c.graph.Sources[s.source].Branches[s.branch].To
	}
	return &c.graph.Fragments[s.fragment].To[s.way]
}

// node compiles n.
func (c *compiler) node(n plan.Node, above reader) ([]stream, error) {
	switch n := n.(type) {
	case *plan.Scan:
		return c.reading(n)
	case *plan.Shared:
		return c.readShared(n, 0, above)
	case *plan.Outlet:
		return c.readShared(n.Of, n.K, above)
	case *plan.Values:
		return c.values(n), nil
	case *plan.Filter:
		return c.filter(n, above.under("filter"))
	case *plan.Named:
		if n.Part {
			return c.node(n.Input, above.under("part"))
		}
		return c.streamed(n, reader{"stream/" + n.Name, above.grain}) // its place does not depend on who reads it
	case *plan.Project:
		return c.stateless(n.Input, above.under("project"), "Project", func() dataflow.Operator { return operator.NewProject(n.Exprs, c.env()) })
	case *plan.Expand:
		return c.expand(n, above.under("expand"))
	case *plan.WindowAssign:
		w := n.Windows
		return c.stateless(n.Input, above.under("window-assign"), "Window "+w.Spec.Kind.String(), func() dataflow.Operator {
			return operator.NewWindowAssign(w.Spec, n.Time, newZone(w), w.Time.Tick(), c.graph.Memory)
		})
	case *plan.CurrentWatermark:
		return c.currentWatermark(n, above.under("current-watermark"))
	case *plan.Lateness:
		return c.lateness(n)
	case *plan.Misread:
		return c.misread(n)
	case *plan.Unnest:
		return c.unnest(n, above.under("unnest"))
	case *plan.WindowAggregate:
		return c.aggregate(n, above.under("window-aggregate"))
	case *plan.Normalize:
		return c.normalize(n, above.under("normalize"))
	case *plan.GroupAggregate:
		return c.groupAggregate(n, above.under("group-aggregate"))
	case *plan.AtEnd:
		return c.atEnd(n, above.under("at-end"))
	case *plan.Sort:
		return c.sort(n, above.under("sort"))
	case *plan.Limit:
		if n.Passes() {
			return c.limit(n, above.under("limit"))
		}
		return c.topN(n, above.under("top-n"))
	case *plan.TopN:
		return c.partitionedTopN(n, above.under("top-n"))
	case *plan.WindowTopN:
		return c.windowTopN(n, above.under("window-top-n"))
	case *plan.Match:
		return c.match(n, above.under("match"))
	case *plan.Over:
		return c.over(n, above.under("over"))
	case *plan.Join:
		switch {
		case n.Interval != nil:
			return c.intervalJoin(n, above.under("interval-join"))
		case n.Windows != nil:
			return c.windowJoin(n, above.under("window-join"))
		}
		return c.join(n, above.under("join"))
	case *plan.TemporalJoin:
		return c.temporalJoin(n, above.under("temporal-join"))
	case *plan.KeyWindows:
		return c.keyWindows(n, above.under("key-windows"))
	case *plan.TableJoin:
		return c.tableJoin(n, above.under("table-join"))
	case *plan.SetOperation:
		return c.setOperation(n, above.under("set-operation"))
	case *plan.Deduplicate:
		return c.deduplicate(n, above.under("deduplicate"))
	case *plan.Process:
		return c.process(n, above.under("process"))
	case *plan.Union:
		var all []stream
		for i, in := range n.Inputs {
			s, err := c.node(in, above.under(fmt.Sprintf("union-%d", i)))
			if err != nil {
				return nil, err
			}
			all = append(all, s...)
		}
		return all, nil
	}
	panic(fmt.Sprintf("tidemark bug: plan node %T cannot be compiled", n))
}

// expand chains an Expand to every stream of its input.
func (c *compiler) expand(n *plan.Expand, as reader) ([]stream, error) {
	streams, err := c.node(n.Input, as)
	if err != nil {
		return nil, err
	}
	spec := operator.ExpandSpec{Keys: n.Keys, Sets: n.Sets, Memory: c.graph.Memory}
	for _, s := range n.Sets {
		spec.IDs = append(spec.IDs, plan.GroupingID(s))
	}
	for i, s := range streams {
		at := spec
		if s.source < 0 {
			streams[i].levels = max(s.levels, 1)
		}
		at.Level = max(s.levels-1, 0)
		chain := c.chain(&streams[i], as)
		*chain = append(*chain, runtime.OperatorSpec{ID: named(as.id, i, len(streams)), Label: "Expand", New: func() dataflow.Operator { return operator.NewExpand(at) }})
	}
	return streams, nil
}

// named is the name of the i-th of n operators that one node becomes.
func named(id string, i, n int) string {
	if n > 1 {
		return fmt.Sprintf("%s@%d", id, i)
	}
	return id
}

// streamed chains what counts the rows of a relation with a name to every stream of it.
func (c *compiler) streamed(n *plan.Named, as reader) ([]stream, error) {
	known := &runtime.Stream{Name: n.Name}
	for _, s := range plan.Scans(n.Input) {
		if !slices.Contains(known.Sources, s.Source()) {
			known.Sources = append(known.Sources, s.Source())
		}
	}
	streams, err := c.stateless(n.Input, as, "Stream "+n.Name, func() dataflow.Operator { return operator.NewNamed() })
	for i := range streams {
		chain := c.chain(&streams[i], as)
		(*chain)[len(*chain)-1].Stream = known
	}
	return streams, err
}

// stateless chains an operator to every stream of its input.
func (c *compiler) stateless(input plan.Node, as reader, label string, make func() dataflow.Operator) ([]stream, error) {
	streams, err := c.node(input, as)
	if err != nil {
		return nil, err
	}
	return c.chained(streams, as, label, make), nil
}

func (c *compiler) filter(n *plan.Filter, as reader) ([]stream, error) {
	streams, err := c.stateless(n.Input, as, "Filter", func() dataflow.Operator { return operator.NewFilter(n.Condition, c.env()) })
	for i := range streams {
		chain := c.chain(&streams[i], as)
		(*chain)[len(*chain)-1].Tells = n.Tells
	}
	return streams, err
}

// unnest compiles an operator that makes several rows of one. Behind tasks that send rows with a place in dataflow.Order it stands behind a single one, since all rows made
// of one have its place.
func (c *compiler) unnest(n *plan.Unnest, as reader) ([]stream, error) {
	streams, err := c.node(n.Input, as)
	if err != nil {
		return nil, err
	}
	for i, s := range streams {
		if s.ordered {
			streams[i] = c.merge([]stream{s}, runtime.Target{Grain: as.grain, Passes: as.grain.Matters()}, runtime.Fragment{Tasks: 1})
		}
	}
	return c.chained(streams, as, "Unnest", func() dataflow.Operator {
		return operator.NewUnnest(operator.UnnestSpec{Collection: n.Collection, Outer: n.Outer, Ordinality: n.Ordinality, Env: c.env(), Memory: c.graph.Memory})
	}), nil
}

// chained chains an operator to every one of streams.
func (c *compiler) chained(streams []stream, as reader, label string, make func() dataflow.Operator) []stream {
	for i := range streams {
		chain := c.chain(&streams[i], as)
		*chain = append(*chain, runtime.OperatorSpec{ID: named(as.id, i, len(streams)), Label: label, New: make})
	}
	return streams
}

// currentWatermark chains the operator to its input, of which it needs every frontier. Several streams are put into one first, whose frontier is the least of theirs.
func (c *compiler) currentWatermark(n *plan.CurrentWatermark, as reader) ([]stream, error) {
	every := dataflow.Grain{Every: true}
	streams, err := c.node(n.Input, reader{as.id, every})
	if err != nil {
		return nil, err
	}
	s := streams[0]
	if len(streams) > 1 {
		s = c.merge(streams, runtime.Target{Grain: every, Passes: true}, runtime.Fragment{Tasks: 1})
	}
	if s.source >= 0 {
		c.graph.Sources[s.source].Branches[s.branch].Grain = every
	}
	chain := c.chain(&s, reader{as.id, every})
	*chain = append(*chain, runtime.OperatorSpec{ID: as.id, Label: "CURRENT_WATERMARK", New: func() dataflow.Operator { return operator.NewCurrentWatermark() }})
	return []stream{s}, nil
}

func (c *compiler) aggregate(n *plan.WindowAggregate, as reader) ([]stream, error) {
	needs := grain(n.Windows)
	if n.Adjusts() && n.Windows.Spec.Kind == window.Hop {
		needs = dataflow.Grain{Every: true} // whether a row is late decides in how many windows it counts
	}
	to := runtime.Target{Keys: n.Keys, Grain: needs.And(as.grain), Passes: as.grain.Matters()}
	streams, err := c.node(n.Input, reader{as.id, to.Grain})
	if err != nil {
		return nil, err
	}
	kinds, aggregates := keyKinds(n.Input, n.Keys), aggregates(n.Aggregates)
	spec := runtime.OperatorSpec{ID: as.id, Label: n.Windows.String(), Print: plan.Fingerprint(n),
		Instant: n.Windows.Time.Kind == types.TimestampLTZ}
	memory := c.graph.Memory
	if !n.Attached() && n.Windows.Spec.Kind == window.Session {
		spec.New = func() dataflow.Operator {
			return operator.NewSessionAggregate(operator.SessionAggregateSpec{Spec: n.Windows.Spec, Time: n.Time, Zone: newZone(n.Windows), Keys: n.Keys, KeyKinds: kinds,
				Aggregates: aggregates, Tick: n.Windows.Time.Tick(), Memory: memory})
		}
	} else {
		spec.New = func() dataflow.Operator {
			return operator.NewWindowAggregate(operator.WindowAggregateSpec{Windows: framing(n), Keys: n.Keys, KeyKinds: kinds, Aggregates: aggregates,
				Tick: n.Windows.Time.Tick(), Memory: memory})
		}
	}
	return []stream{c.merge(streams, to, runtime.Fragment{Tasks: c.tasks(n.Keys, streams), Chain: []runtime.OperatorSpec{spec}})}, nil
}

// tasks is how many tasks an operator over streams with these keys has. Where what is shared comes together it is one, which takes the rows of a ticket by one way and then by the other.
func (c *compiler) tasks(keys []int, streams []stream) int {
	if len(keys) == 0 || meet(streams) {
		return 1
	}
	return min(max(c.options.Parallelism, 1), state.Groups)
}

func keyKinds(input plan.Node, keys []int) []vector.Kind {
	in := input.Columns()
	kinds := make([]vector.Kind, len(keys))
	for i, k := range keys {
		kinds[i] = vector.KindOf(in[k].Type)
	}
	return kinds
}

func aggregates(calls []plan.Aggregate) []operator.Aggregate {
	var list []operator.Aggregate
	for _, a := range calls {
		list = append(list, operator.Aggregate{New: a.Overload.New, Args: a.Args, Filter: a.Filter, Kind: vector.KindOf(a.Overload.Result)})
	}
	return list
}

func (c *compiler) groupAggregate(n *plan.GroupAggregate, as reader) ([]stream, error) {
	streams, err := c.node(n.Input, as)
	if err != nil {
		return nil, err
	}
	tasks, level := c.ordered(streams, c.tasks(n.Keys, streams))
	spec := operator.GroupAggregateSpec{Keys: n.Keys, KeyKinds: keyKinds(n.Input, n.Keys), Aggregates: aggregates(n.Aggregates), Retracts: plan.Updates(n.Input),
		TTL: n.TTL.Micros, Level: level, Memory: c.graph.Memory}
	to := runtime.Target{Keys: n.Keys, Grain: as.grain, Passes: as.grain.Matters(), Ordered: tasks > 1}
	out := c.merge(streams, to, runtime.Fragment{Tasks: tasks, Chain: []runtime.OperatorSpec{{ID: as.id, Label: "GROUP BY", Print: plan.Fingerprint(n),
		New: func() dataflow.Operator { return operator.NewGroupAggregate(spec) }}}})
	if tasks > 1 {
		out.ordered, out.levels = true, level+1
	}
	return []stream{out}, nil
}

func (c *compiler) normalize(n *plan.Normalize, as reader) ([]stream, error) {
	streams, err := c.node(n.Input, as)
	if err != nil {
		return nil, err
	}
	tasks, level := c.ordered(streams, c.tasks(n.Keys, streams))
	spec := operator.NormalizeSpec{Keys: n.Keys, KeyKinds: keyKinds(n.Input, n.Keys), Kinds: kinds(n.Input), TTL: n.TTL.Micros, Level: level, Memory: c.graph.Memory}
	to := runtime.Target{Keys: n.Keys, Grain: as.grain, Passes: as.grain.Matters(), Ordered: tasks > 1}
	out := c.merge(streams, to, runtime.Fragment{Tasks: tasks, Chain: []runtime.OperatorSpec{{ID: as.id, Label: "last row per key", Print: plan.Fingerprint(n),
		New: func() dataflow.Operator { return operator.NewNormalize(spec) }}}})
	if tasks > 1 {
		out.ordered, out.levels = true, level+1
	}
	return []stream{out}, nil
}

// ordered decides how many tasks an operator has that sends results as its rows come in, at most so many, and which level of dataflow.Order is its own. When the levels
// are used up, one task puts everything in order.
func (c *compiler) ordered(streams []stream, tasks int) (int, int) {
	level := 0
	for _, s := range streams {
		level = max(level, s.levels)
	}
	if level == dataflow.OrderLevels || tasks == 1 {
		return 1, 0
	}
	return tasks, level
}

// grain is the frontiers that an aggregation over w looks at: the edges of its windows. Sessions end anywhere, and so do, on the grid of instants,
// windows of a zone whose clock shifts.
func grain(w *plan.Windowing) dataflow.Grain {
	if w.Spec.Kind == window.Session || newZone(w) != nil {
		return dataflow.Grain{Every: true}
	}
	return dataflow.Grain{Grids: []dataflow.Grid{{Width: w.Spec.SlideWidth(), Offset: w.Spec.Offset}}}
}

func framing(n *plan.WindowAggregate) operator.Framing {
	if n.Attached() {
		return &operator.Attached{Start: n.Start, End: n.End, Zone: newZone(n.Windows)}
	}
	return &operator.Aligned{Spec: n.Windows.Spec, Time: n.Time, Zone: newZone(n.Windows), Adjusts: n.Adjusts()}
}

// newZone is nil where local time is UTC: then windows need no conversion.
func newZone(w *plan.Windowing) *window.Zone {
	if w.Zone == nil || w.Zone.String() == "UTC" {
		return nil
	}
	return window.NewZone(w.Zone)
}

func (c *compiler) values(n *plan.Values) []stream {
	cols := make([]*vector.Vector, len(n.Cols))
	for i, col := range n.Cols {
		b := vector.NewBuilder((&vector.Pool{}).Get(), vector.KindOf(col.Type), len(n.Rows))
		for _, row := range n.Rows {
			b.AppendFrom(row[i].Value(), 0)
		}
		cols[i] = b.Done()
	}
	return c.source(runtime.Source{
		Name:      "VALUES",
		Reader:    &values.Source{Columns: cols, N: len(n.Rows)},
		Strategy:  watermark.Replay(1000),
		NewIntake: func() (runtime.Intake, error) { return &intake{env: c.env()}, nil },
	})
}

func (c *compiler) source(s runtime.Source) []stream {
	s.Branches = make([]runtime.Branch, 1)
	at := len(c.graph.Sources)
	c.graph.Sources = append(c.graph.Sources, s)
	return []stream{{source: at, origins: []int{at}}}
}

// env makes what an operator's expressions know; every operator owns one.
func (c *compiler) env() *function.Env { return &function.Env{Zone: c.options.Zone} }
