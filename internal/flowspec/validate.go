package flowspec

import "strings"

// validate holds the parts of p against each other, and finds its Order.
func (p *Pipeline) validate() error {
	r := &reader{text: p.Text, strangers: p.strangers}
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
		r.fail(codeGraph, c.ClassName.At, r.lacking(c.node, "write source_streams, or take a class that reads streams, such as TTransformComputation", "source_streams", "sources"), "'%s' is the class of a source, and computation '%s' has none", c.ClassName.Text, id)
	case !class.Source && len(c.Sources) > 0:
		r.fail(codeGraph, c.Sources[0].Name.At, "give the source a computation of its own, such as a TSwiftPassthroughOrderedSourceComputation, and read what that writes", "a computation of class '%s' reads streams and no sources", c.ClassName.Text)
	case len(c.Sources) > 1:
		r.fail(codeGraph, c.Sources[1].Name.At, "give every source a computation of its own", "computation '%s' has %d sources, and its class reads one", id, len(c.Sources))
	case class.Source && len(c.Inputs) > 0:
		r.fail(codeGraph, c.Inputs[0].At, "read the stream in a computation of its own", "computation '%s' has a source, so it reads no streams", id)
	case !class.Source && len(c.Inputs) == 0:
		r.fail(codeGraph, c.ID.At, r.lacking(c.node, "write input_stream_ids, or source_streams and a class for them", "input_stream_ids", "source_streams", "sources"), "computation '%s' reads nothing", id)
	case class.Source && len(c.Timers) > 0:
		r.fail(codeGraph, c.Timers[0].Name.At, "set timers in a computation that reads '"+first(c.Outputs)+"'", "a source has no timers")
	case class.Passthrough && c.Function.Text != "" && c.Query == nil:
		r.fail(codeSpec, c.Function.At, "take a class with code, such as TTransformComputation", "a computation of class '%s' has no code", c.ClassName.Text)
	case class.Name != "" && !class.Passthrough && c.Query == nil && c.Function.Text == "":
		r.fail(codeSpec, c.ClassName.At, r.lacking(c.node, "write processing_function: …, the name of code of the program, or processing_function: sql and a query", "processing_function", "process_function"), "computation '%s' has no code", id)
	case (c.Query != nil || class.Passthrough) && len(c.Timers) > 0:
		r.fail(codeGraph, c.Timers[0].Name.At, "set timers in code, or aggregate by windows", "a computation without code has no timers")
	case c.Query != nil && len(c.Outputs) > 1:
		r.fail(codeGraph, c.Outputs[1].At, "write a computation for each", "a query writes one stream")
	case (c.Query != nil || class.Passthrough || class.Swift) && len(c.Outputs) == 0:
		r.fail(codeGraph, c.ID.At, r.lacking(c.node, "write output_stream_ids", "output_stream_ids"), "nothing becomes of the rows of computation '%s'", id)
	}
}

func first(words []Word) string {
	if len(words) == 0 {
		return "it"
	}
	return words[0].Text
}

// keys wants a key of computations with code, whose columns the streams have.
func (r *reader) keys(p *Pipeline, c *Computation) {
	if len(c.GroupBy) == 0 {
		if !c.Class.Source && c.Query == nil && !c.Class.Passthrough {
			at, hint := c.ID.At, r.lacking(c.node, "write group_by_schema: [{name: hash, type: uint64, expression: \"farm_hash(…)\"}, …]", "group_by_schema")
			if near := c.nearClass(); near != "" {
				at, hint = c.ClassName.At, "unless it is a class of the program's own: did you mean '"+near+"'?"
			}
			r.fail(codeSpec, at, hint, "computation '%s' has no group_by_schema, which only sources may leave out", c.ID.Text)
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
