package flowspec

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// validate holds the parts of p against each other, and finds its Order.
func (p *Pipeline) validate() error {
	r := &reader{text: p.Text}
	for _, c := range p.Computations {
		r.names(c)
		r.kind(c)
		r.streams(p, c)
		r.keys(p, c)
		r.timers(c)
		r.parents(c)
		r.watermarks(p, c)
		r.sinks(c)
	}
	r.writers(p)
	r.order(p)
	p.Warnings = append(p.Warnings, r.warnings...)
	return r.err
}

// names wants the names inside of a computation to be told apart.
func (r *reader) names(c *Computation) {
	if strings.Contains(c.ID.Text, ":") {
		r.fail(codeSpec, c.ID.At, "leave the ':' out", "'%s' is no name of a computation", c.ID.Text)
	}
	seen := map[string]string{}
	for _, w := range c.Inputs {
		seen[w.Text] = "an input"
	}
	check := func(w Word, what string) {
		if before := seen[w.Text]; before != "" {
			r.fail(codeGraph, w.At, "rename one of them", "'%s' is %s of computation '%s' and %s", w.Text, before, c.ID.Text, what)
		}
		seen[w.Text] = what
	}
	for _, s := range c.Sources {
		check(s.Name, "a source")
	}
	for _, t := range c.Timers {
		check(t.Name, "a timer stream")
	}
	for _, w := range c.Outputs {
		check(w, "an output")
	}
}

// kind holds what a computation has against its class.
func (r *reader) kind(c *Computation) {
	class, id := c.Class, c.ID.Text
	switch {
	case class.Source && len(c.Sources) == 0:
		r.fail(codeGraph, c.ClassName.At, "write source_streams, or take a class that reads streams, such as TTransformComputation", "'%s' is the class of a source, and computation '%s' has none", c.ClassName.Text, id)
	case !class.Source && len(c.Sources) > 0:
		r.fail(codeGraph, c.Sources[0].Name.At, "give the source a computation of its own, such as a TSwiftPassthroughOrderedSourceComputation, and read what that writes", "a computation of class '%s' reads streams and no sources", c.ClassName.Text)
	case len(c.Sources) > 1:
		r.fail(codeGraph, c.Sources[1].Name.At, "give every source a computation of its own", "computation '%s' has %d sources, and its class reads one", id, len(c.Sources))
	case class.Source && len(c.Inputs) > 0:
		r.fail(codeGraph, c.Inputs[0].At, "read the stream in a computation of its own", "computation '%s' has a source, so it reads no streams", id)
	case !class.Source && len(c.Inputs) == 0:
		r.fail(codeGraph, c.ID.At, "write input_stream_ids, or source_streams and a class for them", "computation '%s' reads nothing", id)
	case class.Source && len(c.Timers) > 0:
		r.fail(codeGraph, c.Timers[0].Name.At, "set timers in a computation that reads '"+first(c.Outputs)+"'", "a source has no timers")
	case class.Passthrough && c.Function.Text != "" && c.Query == nil:
		r.fail(codeSpec, c.Function.At, "take a class with code, such as TTransformComputation", "a computation of class '%s' has no code", c.ClassName.Text)
	case class.Name != "" && !class.Passthrough && c.Query == nil && c.Function.Text == "":
		r.fail(codeSpec, c.ClassName.At, "write processing_function: …, the name of code of the program, or processing_function: sql and a query", "computation '%s' has no code", id)
	case (c.Query != nil || class.Passthrough) && len(c.Timers) > 0:
		r.fail(codeGraph, c.Timers[0].Name.At, "set timers in code, or aggregate by windows", "a computation without code has no timers")
	case c.Query != nil && len(c.Outputs) > 1:
		r.fail(codeGraph, c.Outputs[1].At, "write a computation for each", "a query writes one stream")
	case (c.Query != nil || class.Passthrough || class.Swift) && len(c.Outputs) == 0:
		r.fail(codeGraph, c.ID.At, "write output_stream_ids", "nothing becomes of the rows of computation '%s'", id)
	}
}

func first(words []Word) string {
	if len(words) == 0 {
		return "it"
	}
	return words[0].Text
}

// streams wants inputs that are written and outputs that have a schema.
func (r *reader) streams(p *Pipeline, c *Computation) {
	var written []string
	for _, other := range p.Computations {
		written = append(written, texts(other.Outputs)...)
	}
	for _, w := range c.Inputs {
		if p.Writer(w.Text) == nil {
			r.fail(codeGraph, w.At, r.nearest(w.Text, written), "no computation writes stream '%s'", w.Text)
		}
	}
	for _, w := range c.Outputs {
		s := p.Stream(w.Text)
		if s == nil {
			hint := r.nearest(w.Text, p.streamNames())
			if hint == "" {
				hint = "add it to streams: with its schema"
			}
			r.fail(codeGraph, w.At, hint, "stream '%s' has no schema", w.Text)
			continue
		}
		if c.Class.Passthrough && c.Query == nil {
			r.passes(p, c, s)
		}
	}
}

// passes wants the columns that a passthrough has to write among those that it reads, as far as they are known.
func (r *reader) passes(p *Pipeline, c *Computation, to *Stream) {
	check := func(from []Column, name string) {
		for _, col := range to.Schema {
			at := find(from, col.Name.Text)
			switch {
			case at < 0 && col.Type.NotNull:
				r.fail(codeSpec, col.Name.At, r.nearest(col.Name.Text, columnNames(from)), "column '%s' of stream '%s' is required, and '%s' has none", col.Name.Text, to.ID.Text, name)
			case at >= 0 && !types.Assignable(from[at].Type, col.Type):
				r.fail(codeSpec, col.Name.At, "compute it in a query", "column '%s' of stream '%s' is %s, and that of '%s' is %s", col.Name.Text, to.ID.Text, col.Type.Nullable(), name, from[at].Type.Nullable())
			}
		}
	}
	for _, w := range c.Inputs {
		if s := p.Stream(w.Text); s != nil {
			check(s.Schema, w.Text)
		}
	}
	for _, s := range c.Sources {
		if s.Schema != nil {
			check(s.Schema, s.Name.Text)
		}
	}
}

func find(columns []Column, name string) int {
	for i, c := range columns {
		if c.Name.Text == name {
			return i
		}
	}
	return -1
}

func columnNames(columns []Column) []string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name.Text)
	}
	return names
}

func (p *Pipeline) streamNames() []string {
	var names []string
	for _, s := range p.Streams {
		names = append(names, s.ID.Text)
	}
	return names
}

// keys wants a key of computations with code, whose columns the streams have.
func (r *reader) keys(p *Pipeline, c *Computation) {
	if len(c.GroupBy) == 0 {
		if !c.Class.Source && c.Query == nil && !c.Class.Passthrough {
			r.fail(codeSpec, c.ID.At, "write group_by_schema: [{name: hash, type: uint64, expression: \"farm_hash(…)\"}, …]", "computation '%s' has no group_by_schema, which only sources may leave out", c.ID.Text)
		}
		return
	}
	for i, k := range c.GroupBy {
		if k.Expression != nil {
			continue
		}
		for _, w := range c.Inputs {
			s := p.Stream(w.Text)
			if s == nil || find(s.Schema, k.Name.Text) >= 0 || i == 0 && len(c.GroupBy) > 1 {
				continue
			}
			r.fail(codeSpec, k.Name.At, r.nearest(k.Name.Text, columnNames(s.Schema)), "stream '%s' has no column '%s', and group_by_schema no expression for it", w.Text, k.Name.Text)
		}
	}
}

// timers wants the streams of timers to be there.
func (r *reader) timers(c *Computation) {
	names := append(texts(c.Inputs), texts(c.timerNames())...)
	for _, t := range c.Timers {
		for _, d := range t.Streams {
			switch {
			case d.Stream.Text == t.Name.Text:
				r.fail(codeGraph, d.Stream.At, "leave it out", "timer stream '%s' waits for itself", t.Name.Text)
			case !has(c.Inputs, d.Stream.Text) && c.Timer(d.Stream.Text) == nil:
				r.fail(codeGraph, d.Stream.At, r.nearest(d.Stream.Text, names), "computation '%s' does not read stream '%s'", c.ID.Text, d.Stream.Text)
			}
		}
		if c.Class.Swift {
			for _, w := range c.Outputs {
				for _, parent := range c.Parents(w.Text) {
					if parent == t.Name.Text {
						r.fail(codeGraph, t.Name.At, "write streams_dependency: {"+w.Text+": ["+strings.Join(texts(c.Inputs), ", ")+"]}, or take TTransformComputation", "timers of a swift computation are for its state alone, and output '%s' comes from '%s'", w.Text, t.Name.Text)
					}
				}
			}
		}
	}
}

func (c *Computation) timerNames() []Word {
	var all []Word
	for _, t := range c.Timers {
		all = append(all, t.Name)
	}
	return all
}

// parents checks streams_dependency.
func (r *reader) parents(c *Computation) {
	for _, d := range c.Dependencies {
		if !has(c.Outputs, d.Of.Text) && c.Timer(d.Of.Text) == nil {
			r.fail(codeGraph, d.Of.At, r.nearest(d.Of.Text, append(texts(c.Outputs), texts(c.timerNames())...)), "computation '%s' has no output or timer stream '%s'", c.ID.Text, d.Of.Text)
		}
		for _, w := range d.On {
			switch {
			case w.Text == d.Of.Text && c.Timer(w.Text) != nil && !c.SelfDependency:
				r.fail(codeGraph, w.At, "write allow_timer_self_dependency: true", "timer stream '%s' comes from itself", w.Text)
			case has(c.Outputs, w.Text):
				r.fail(codeGraph, w.At, "name inputs, sources and timer streams", "'%s' is an output, from which nothing of the same computation comes", w.Text)
			case !has(c.Inputs, w.Text) && c.Source(w.Text) == nil && c.Timer(w.Text) == nil:
				var names []string
				names = append(append(names, texts(c.Inputs)...), texts(c.timerNames())...)
				r.fail(codeGraph, w.At, r.nearest(w.Text, names), "computation '%s' has no input, source or timer stream '%s'", c.ID.Text, w.Text)
			}
		}
	}
	circle(c.timerNames(), func(name string) []string {
		var after []string
		for _, parent := range c.Parents(name) {
			if parent != name && c.Timer(parent) != nil {
				after = append(after, parent)
			}
		}
		return after
	}, func(at Word, path []string) {
		r.fail(codeGraph, at.At, "leave one of them out of streams_dependency", "timer streams come from each other: %s", strings.Join(path, " <- "))
	})
}

// watermarks checks watermark_strategy. Flow: a generator and an alignment are for sources.
func (r *reader) watermarks(p *Pipeline, c *Computation) {
	s := &c.Strategy
	if !c.Class.Source {
		const hint = "write it for the computations that read sources; here watermarks follow from those of the inputs"
		if g := s.Generator; g != nil {
			r.fail(codeStrategy, g.At, hint, "a watermark_generator is for sources, and computation '%s' reads streams", c.ID.Text)
		}
		if a := s.Alignment; a != nil {
			r.fail(codeStrategy, a.At, hint, "a watermark_alignment is for sources, and computation '%s' reads streams", c.ID.Text)
		}
	}
	if w := s.Assigner.Column; w.Text != "" {
		for _, o := range c.Outputs {
			if stream := p.Stream(o.Text); stream != nil {
				r.assigns(s.Assigner, stream)
			}
		}
	}
	if g := s.Generator; g != nil {
		if g.Idle != nil && g.Idle.Duration == 0 {
			r.fail(codeStrategy, g.At, "write a length, such as \"1m\", or leave idle_partitions out", "idle_partitions has a duration of 0")
		}
		if g.UseSource && (g.Idle != nil || g.Late.Value < 100) {
			r.warn(g.At, "use_source_watermark takes the watermark of the queue as it is, so the other parts of watermark_generator say nothing")
		}
	}
	if a := s.Alignment; a != nil {
		for _, d := range a.ReadDelays {
			r.delayed(p, c, d)
		}
	}
}

// assigns wants a column that can hold event time in the way that is said.
func (r *reader) assigns(a Assigner, s *Stream) {
	at := find(s.Schema, a.Column.Text)
	if at < 0 {
		r.fail(codeStrategy, a.Column.At, r.nearest(a.Column.Text, columnNames(s.Schema)), "stream '%s' has no column '%s'", s.ID.Text, a.Column.Text)
		return
	}
	t := s.Schema[at].Type
	switch {
	case t.IsTime():
	case a.Format == ISO8601 && !t.IsText():
		r.fail(codeStrategy, a.Column.At, "write format: seconds or milliseconds", "column '%s' of stream '%s' is %s, and a time in ISO 8601 is a text", a.Column.Text, s.ID.Text, t.Nullable())
	case a.Format != ISO8601 && !t.IsInteger():
		hint := "compute a whole number in a query"
		if t.IsText() {
			hint = "write format: iso8601 if it holds times such as 2026-01-01T00:00:00Z"
		}
		r.fail(codeStrategy, a.Column.At, hint, "column '%s' of stream '%s' is %s, and a count of seconds or milliseconds is a whole number", a.Column.Text, s.ID.Text, t.Nullable())
	}
}

// delayed wants what is waited for to be a stream of another computation.
func (r *reader) delayed(p *Pipeline, c *Computation, d Delay) {
	if name, stream, found := strings.Cut(d.Stream.Text, "/"); found {
		if other := p.Computation(name); other != nil && other != c && (other.Source(stream) != nil || other.Timer(stream) != nil) {
			return
		}
	} else if w := p.Writer(d.Stream.Text); w != nil && w != c {
		return
	} else if w == c {
		r.fail(codeGraph, d.Stream.At, "name a stream of another computation", "computation '%s' waits for its own stream '%s'", c.ID.Text, d.Stream.Text)
		return
	}
	var all []string
	for _, other := range p.Computations {
		if other != c {
			all = append(all, texts(other.Outputs)...)
		}
	}
	r.fail(codeGraph, d.Stream.At, r.nearest(d.Stream.Text, all), "no other computation has a stream '%s'", d.Stream.Text)
}

// sinks wants sinks of what their computation writes.
func (r *reader) sinks(c *Computation) {
	for _, s := range c.Sinks {
		for _, w := range s.Inputs {
			if has(c.Outputs, w.Text) {
				continue
			}
			hint := r.nearest(w.Text, texts(c.Outputs))
			if hint == "" {
				hint = "give the sink to the computation that writes the stream"
			}
			r.fail(codeGraph, w.At, hint, "computation '%s' does not write stream '%s'", c.ID.Text, w.Text)
		}
	}
}

// writers wants one writer for a stream, and warns of streams that nobody writes or reads.
func (r *reader) writers(p *Pipeline) {
	by := map[string]*Computation{}
	read := map[string]bool{}
	for _, c := range p.Computations {
		for _, w := range c.Outputs {
			if other := by[w.Text]; other != nil && other != c {
				line, _ := r.text.Position(other.ID.At.Start)
				r.fail(codeGraph, w.At, "write a stream of its own, and read both", "computations '%s', in line %d, and '%s' write stream '%s', and a stream has one writer", other.ID.Text, line, c.ID.Text, w.Text)
			}
			by[w.Text] = c
		}
		for _, w := range c.Inputs {
			read[w.Text] = true
		}
		for _, s := range c.Sinks {
			for _, w := range s.Inputs {
				read[w.Text] = true
			}
		}
	}
	for _, s := range p.Streams {
		switch {
		case by[s.ID.Text] == nil:
			r.warn(s.ID.At, "no computation writes stream '%s'", s.ID.Text)
		case !read[s.ID.Text]:
			r.warn(s.ID.At, "nobody reads stream '%s'", s.ID.Text)
		}
	}
}

// order sorts the computations so that who writes a stream stands before those that read it.
func (r *reader) order(p *Pipeline) {
	after := func(id string) []string {
		var all []string
		for _, w := range p.Computation(id).Inputs {
			if c := p.Writer(w.Text); c != nil {
				all = append(all, c.ID.Text)
			}
		}
		return all
	}
	for _, id := range circle(p.ids(), after, func(at Word, path []string) {
		r.fail(codeGraph, at.At, "leave one of the streams out; a computation keeps what it needs later in its state", "computations read each other in a circle: %s", strings.Join(path, " <- "))
	}) {
		p.Order = append(p.Order, p.Computation(id))
	}
}

// circle sorts names so that each stands behind those that it comes after, and tells of the first circle.
func circle(names []Word, after func(string) []string, tell func(at Word, path []string)) []string {
	var sorted, path []string
	state := map[string]int{} // 1 while it is on the path, 2 when it is sorted
	var visit func(name string) bool
	visit = func(name string) bool {
		switch state[name] {
		case 1:
			for i, n := range path {
				if n == name {
					path = append(path[i:], name)
					break
				}
			}
			return false
		case 2:
			return true
		}
		state[name] = 1
		path = append(path, name)
		for _, a := range after(name) {
			if !visit(a) {
				return false
			}
		}
		path = path[:len(path)-1]
		state[name] = 2
		sorted = append(sorted, name)
		return true
	}
	for _, n := range names {
		if !visit(n.Text) {
			at := n
			for _, other := range names {
				if other.Text == path[0] {
					at = other
				}
			}
			tell(at, path)
			return nil
		}
	}
	return sorted
}
