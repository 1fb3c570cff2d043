package flowspec

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// decode reads the parts of a pipeline. The text has spec and dynamic_spec, or is the spec alone.
func decode(text source.Text, root *Node) (*Pipeline, error) {
	r := &reader{text: text}
	p := &Pipeline{Text: text, At: source.Span{End: len(text.Body)}}
	top := r.fields(root, root.Span, "the text")
	spec := root
	if n := top.take("spec"); n != nil {
		spec = n
		p.Dynamic.Node = top.take("dynamic_spec")
		top.done()
	}
	p.spec = spec
	f := r.fields(spec, spec.Span, "the spec")
	f.each("stream", func(name Word, n *Node) { p.Streams = append(p.Streams, r.stream(name, n)) }, "streams")
	f.each("computation", func(name Word, n *Node) { p.Computations = append(p.Computations, r.computation(name, n)) }, "computations")
	r.resources(f)
	f.done()
	if r.err == nil && len(p.Computations) == 0 {
		r.fail(codeSpec, spec.Span, r.lacking(spec, "a pipeline has at least one, under computations:", "computations"), "the spec has no computations")
	}
	r.dynamic(p)
	p.Warnings, p.strangers = r.warnings, r.strangers
	return p, r.err
}

// resources passes over what belongs to Flow's own programs and their cluster.
func (r *reader) resources(f *fields) {
	for _, name := range []string{"resources", "validate_binary_version", "binary_version", "validate_binary_checksum", "binary_checksum"} {
		if f.take(name) != nil {
			r.warn(f.key(name), "'%s' says nothing here: the code of computations is part of the program", name)
		}
	}
}

func (r *reader) computation(name Word, n *Node) *Computation {
	c := &Computation{ID: name, node: n}
	f := r.fields(n, name.At, "computation '"+name.Text+"'")
	c.ClassName = f.word("computation_class_name")
	c.Function = f.word("processing_function", "process_function")
	c.Parameters = r.parameters(f, "processing_function_parameters", "process_function_parameters")
	c.ClassParameters = r.parameters(f, "parameters")
	c.GroupBy = r.groupBy(f)
	c.Inputs, c.Outputs = f.list("input_stream_ids"), f.list("output_stream_ids")
	c.Dependencies = r.dependencies(f)
	f.each("source stream", func(w Word, n *Node) { c.Sources = append(c.Sources, r.source(w, n)) }, "source_streams", "sources")
	f.each("sink", func(w Word, n *Node) { c.Sinks = append(c.Sinks, r.sink(w, n)) }, "sinks")
	f.each("timer stream", func(w Word, n *Node) { c.Timers = append(c.Timers, r.timer(w, n)) }, "timer_streams", "timers")
	c.Strategy = r.strategy(f.take("watermark_strategy"), f.key("watermark_strategy"))
	c.SelfDependency = f.boolean("allow_timer_self_dependency", false)
	c.Class = classNamed(c.ClassName.Text, len(c.Sources) > 0)
	r.elsewhere(f)
	f.done()
	r.settle(c, f)
	return c
}

// parameters takes a free map.
func (r *reader) parameters(f *fields, names ...string) *Node {
	n := f.take(names...)
	if n != nil && n.Kind != Map {
		r.fail(codeSpec, n.Span, "write its members as names with values", "'%s' is a map, and this is %s", names[0], n.Kind)
	}
	return n
}

// settle finds what runs the computation: its class, a function of the program, or a query.
func (r *reader) settle(c *Computation, f *fields) {
	if r.err != nil {
		return
	}
	if c.ClassName.Text == "" {
		r.fail(codeSpec, c.ID.At, r.lacking(c.node, "name a class, such as TTransformComputation, or "+classSQL+" for a query", "computation_class_name"), "computation '%s' has no computation_class_name", c.ID.Text)
		return
	}
	if c.Class.Name == classSQL || c.Function.Text == functionSQL {
		c.Query = r.query(c, f)
		return
	}
	p := r.fields(c.ClassParameters, f.key("parameters"), "parameters of '"+c.ID.Text+"'")
	mode, _ := p.choice("processing_mode", "exactly_once", "at_least_once_consistent")
	c.AtLeastOnce = mode == 1
	if c.Class.Name == "" && c.Function.Text == "" {
		c.Function = Word{bareClass(c.ClassName.Text), c.ClassName.At}
	}
}

// query is the statement of a computation that is one.
func (r *reader) query(c *Computation, f *fields) *Query {
	from, name := c.Parameters, "processing_function_parameters"
	if from == nil && c.ClassParameters != nil {
		from, name = c.ClassParameters, "parameters"
	}
	p := r.fields(from, f.key(name), name+" of '"+c.ID.Text+"'")
	q := &Query{Body: p.take("query"), Language: "sql"}
	if at, ok := p.choice("language", "sql", "yql"); ok && at == 1 {
		q.Language = "yql"
	}
	p.done()
	if r.err == nil && (q.Body == nil || q.Body.Kind != String || strings.TrimSpace(q.Body.Text) == "") {
		hint := r.lacking(from, "write processing_function_parameters: {query: \"SELECT … FROM …\"}, over the names of its input streams", "query")
		if from == nil {
			hint = r.lacking(c.node, hint, "processing_function_parameters", "process_function_parameters", "parameters")
		}
		r.fail(codeSpec, f.key(name), hint, "computation '%s' has no query", c.ID.Text)
	}
	if from != nil {
		for _, e := range from.Entries {
			if strings.Contains(e.Key.Text, " ") {
				r.fail(codeSpec, e.Key.At, "put the query in quotes, or in lines of its own behind query: |", "the query of computation '%s' ends at the comma before this", c.ID.Text)
			}
		}
	}
	return q
}

// dependencies reads streams_dependency.
func (r *reader) dependencies(f *fields) []Dependency {
	var all []Dependency
	f.each("stream", func(w Word, n *Node) {
		on := r.fields(&Node{Kind: Map, Entries: []Entry{{w, n}}}, w.At, "streams_dependency")
		all = append(all, Dependency{w, on.list(w.Text)})
	}, "streams_dependency")
	return all
}

func (r *reader) timer(name Word, n *Node) *Timer {
	t := &Timer{Name: name}
	r.named("timer stream", name)
	f := r.fields(n, name.At, "timer stream '"+name.Text+"'")
	at, _ := f.choice("time_type", "event_time", "system_time", "real_time", "current_time")
	t.Time = TimeType(min(at, int(CurrentTime)))
	for _, w := range f.list("streams") {
		t.Streams = append(t.Streams, Delay{Stream: w})
	}
	if n := f.take("streams_with_delays"); n != nil {
		// Flow: these win over streams.
		t.Streams = r.delays(f, n, "streams_with_delays")
	}
	t.Keep = !f.boolean("deduplicate_equal_timestamps", true)
	f.done()
	return t
}

// delays reads streams with lengths.
func (r *reader) delays(f *fields, n *Node, name string) []Delay {
	if n.Kind != Map {
		r.fail(codeSpec, n.Span, "write the name of a stream, a ':' and a length, such as {clicks: \"10s\"}", "'%s' is a map of streams, and this is %s", name, n.Kind)
		return nil
	}
	var all []Delay
	for _, e := range n.Entries {
		all = append(all, Delay{e.Key, f.length(e.Key.Text, e.Value)})
	}
	return all
}

// elsewhere passes over what Flow has and the engine does in its own way.
func (r *reader) elsewhere(f *fields) {
	for _, e := range elsewhere {
		switch {
		case f.take(e.name) == nil:
		case e.refused:
			r.fail(codeSpec, f.key(e.name), e.why, "'%s' is not supported", e.name)
		default:
			r.warn(f.key(e.name), "'%s' says nothing here: %s", e.name, e.why)
		}
	}
}

// elsewhere says why; what is refused would leave rows out or make others.
var elsewhere = []struct {
	name    string
	refused bool
	why     string
}{
	{"key_visitor_streams", true, "set a timer with time_type: real_time for each key, and again when it fires, with allow_timer_self_dependency"},
	{"external_state_managers", true, "keep the state in the computation; it is in the checkpoints"},
	{"external_state_joiners", true, "join with a table in a query: computation_class_name: " + classSQL},
	{"state_joiners", true, "join with a table in a query: computation_class_name: " + classSQL},
	{"input_ordering", false, "rows are taken in the order in which they come, and timers before rows"},
	{"distribution_ordering", false, "it is always strict"},
	{"heavy_hitters", false, "the profile of a statement shows how rows are spread"},
	{"pivot_finder", false, "the profile of a statement shows how rows are spread"},
	{"worker_group", false, "one process runs the pipeline"},
	{"use_compact_input_messages", false, "there is one table of messages"},
	{"experimental_enable_non_uint_key", false, "keys are columns of any type"},
	{"required_resource_ids", false, "the code of computations is part of the program"},
}
