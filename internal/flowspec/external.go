package flowspec

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

func (r *reader) source(name Word, n *Node) *Source {
	s := &Source{Name: name, HalfLife: defaultHalfLife}
	r.named("source stream", name)
	f := r.fields(n, name.At, "source stream '"+name.Text+"'")
	s.Class = f.word("source_class_name")
	parameters := r.parameters(f, "parameters")
	f.done()
	r.known("source", s.Class, sourceClasses, name, n)
	p := r.fields(parameters, name.At, "parameters of '"+name.Text+"'")
	if n := p.take("schema"); n != nil {
		s.Schema = r.schema(n, "source stream '"+name.Text+"'")
	}
	s.Finite = p.boolean("finite", false)
	if at := p.key("partition_filter"); p.take("partition_filter") != nil {
		r.fail(codeSpec, at, "leave it out, and filter rows by their columns", "'partition_filter' is not supported")
	}
	for _, name := range []string{"consumer_path", "update_info_period", "update_partition_count_period", "try_parse_flow_queue_meta", "flow_queue_meta_column",
		"ignore_malformed_flow_queue_meta", "cluster"} {
		if p.take(name) != nil && name != "consumer_path" {
			r.warn(p.key(name), "'%s' says nothing here", name)
		}
	}
	s.External = r.external(p, s.External, "source stream '"+name.Text+"'", name, n)
	return s
}

func (r *reader) sink(name Word, n *Node) *Sink {
	s := &Sink{Name: name}
	r.named("sink", name)
	f := r.fields(n, name.At, "sink '"+name.Text+"'")
	s.Class = f.word("sink_class_name")
	s.Inputs = f.list("input_stream_ids")
	parameters := r.parameters(f, "parameters")
	f.done()
	r.known("sink", s.Class, sinkClasses, name, n)
	if r.err == nil && len(s.Inputs) == 0 {
		r.fail(codeGraph, name.At, r.lacking(n, "write input_stream_ids: [ … ], streams that the computation writes", "input_stream_ids"), "sink '%s' has no streams", name.Text)
	}
	p := r.fields(parameters, name.At, "parameters of '"+name.Text+"'")
	s.HandsOver = p.boolean("write_flow_queue_meta", false)
	if once := r.fields(p.take("at_most_once_strategy"), p.key("at_most_once_strategy"), "at_most_once_strategy"); once.boolean("enabled", false) {
		r.fail(codeSpec, p.key("at_most_once_strategy"), "leave it out: rows wait, and none is lost", "a sink that drops rows is not supported")
	}
	for _, name := range []string{"producer_path", "flow_queue_meta_column", "flow_queue_meta_heartbeat_period", "cluster"} {
		if p.take(name) != nil && name != "producer_path" {
			r.warn(p.key(name), "'%s' says nothing here", name)
		}
	}
	s.External = r.external(p, s.External, "sink '"+name.Text+"'", name, n)
	return s
}

// known wants a class of what is outside that there is; n is the map of that.
func (r *reader) known(what string, class Word, classes []string, name Word, n *Node) {
	if r.err != nil {
		return
	}
	if class.Text == "" {
		r.fail(codeSpec, name.At, r.lacking(n, "write "+what+"_class_name: "+classes[0], what+"_class_name"), "%s '%s' has no class", what, name.Text)
		return
	}
	if bare := bareClass(class.Text); !slices.Contains(classes, bare) {
		hint := ""
		if near := source.Nearest(bare, classes); near != "" {
			hint = "did you mean '" + near + "'?"
		}
		r.err = &source.Error{Code: codeUnknown, Span: class.At, Message: "the class of the " + what + " is '" + class.Text + "'", Expected: classes, Hint: hint, Text: r.text}
	}
}

// external reads where a source or a sink, which is n, goes: to a table, or to what the options of a connector say.
func (r *reader) external(p *fields, e External, what string, name Word, n *Node) External {
	for _, key := range []string{"queue_path", "table", "table_path", "path"} {
		if key == "path" && p.node.Get("connector") != nil {
			break // an option of the connector
		}
		n := p.take(key)
		if n == nil {
			continue
		}
		if e.Table.Text != "" {
			r.fail(codeSpec, p.key(key), "write one of them", "%s has two tables", what)
		}
		if p.scalar(key, n, String) {
			e.Table = n.Word()
		}
	}
	if p.node.Get("connector") == nil {
		p.known = append(p.known, "connector")
		p.done()
		if r.err == nil && e.Table.Text == "" {
			hint := r.lacking(n, "write parameters: {queue_path: …}, the name of a table, or a connector with its options", "parameters")
			r.fail(codeSpec, name.At, r.lacking(p.node, hint, "queue_path", "table", "table_path", "path", "connector"), "%s does not say what it is", what)
		}
		return e
	}
	if e.Table.Text != "" {
		r.fail(codeSpec, e.Table.At, "write queue_path, or connector and its options", "%s has a table and a connector", what)
	}
	for _, entry := range p.node.Entries {
		if slices.Contains(p.known, entry.Key.Text) {
			continue
		}
		e.Options = append(e.Options, r.options(entry.Key, entry.Value)...)
	}
	return e
}

// options are the options that a member comes to: 'scan.startup.mode' may be written as scan: {startup: {mode: …}}.
func (r *reader) options(key Word, n *Node) []Option {
	switch n.Kind {
	case Map:
		var all []Option
		for _, e := range n.Entries {
			all = append(all, r.options(Word{key.Text + "." + e.Key.Text, e.Key.At}, e.Value)...)
		}
		return all
	case List, Null:
		r.fail(codeSpec, n.Span, "write a text, a number, or true or false", "option '%s' is %s", key.Text, n.Kind)
		return nil
	}
	return []Option{{key, n.Word()}}
}
