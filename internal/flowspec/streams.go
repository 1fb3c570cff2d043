package flowspec

import "github.com/tidemark-sql/tidemark/internal/types"

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
				hint = r.lacking(p.spec, "add it to streams: with its schema", "streams")
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
				r.fail(codeSpec, col.Name.At, "compute it in a query", "column '%s' of stream '%s' is %s, and that of '%s' is %s", col.Name.Text, to.ID.Text, col.Wording, name, from[at].Wording)
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
