package flowspec

import "strings"

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
		if c.Timer(d.Of.Text) != nil {
			r.setBySomething(d)
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
	r.timersInCircles(c)
}

// setBySomething wants a first timer of a stream to come from somewhere.
func (r *reader) setBySomething(d Dependency) {
	for _, w := range d.On {
		if w.Text != d.Of.Text {
			return
		}
	}
	r.fail(codeGraph, d.Of.At, "name an input, or another timer stream", "nothing sets a first timer of '%s': streams_dependency names nothing that it comes from", d.Of.Text)
}

// timersInCircles wants no timer stream to come from itself by way of others, and none to wait for one that waits for it: neither would ever be due.
func (r *reader) timersInCircles(c *Computation) {
	after := func(name string) (others []string, waits []Word) {
		for _, parent := range c.Parents(name) {
			if parent != name && c.Timer(parent) != nil {
				others = append(others, parent)
			}
		}
		for _, d := range c.Timer(name).Streams {
			if d.Stream.Text != name && c.Timer(d.Stream.Text) != nil {
				others, waits = append(others, d.Stream.Text), append(waits, d.Stream)
			}
		}
		return others, waits
	}
	circle(c.timerNames(), func(name string) []string { others, _ := after(name); return others }, func(at Word, path []string) {
		for i, name := range path[:len(path)-1] {
			_, waits := after(name)
			for _, w := range waits {
				if w.Text == path[i+1] {
					r.fail(codeGraph, w.At, "leave one of them out of 'streams'", "timer streams wait for each other, so that none of them would be due: %s", strings.Join(path, " <- "))
				}
			}
		}
		r.fail(codeGraph, at.At, "leave one of them out of streams_dependency", "timer streams come from each other: %s", strings.Join(path, " <- "))
	})
}
