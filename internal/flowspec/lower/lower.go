package lower

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Program is a pipeline as plans.
type Program struct {
	// Statements run together as those of a statement set.
	Statements []*plan.Statement
	// Notes are what may not be meant, in the order of the text.
	Notes []flowspec.Warning
}

// Pipeline makes plans of p, whose text is that of tables. The names of queues are those of tables of the session. Errors are *source.Error.
func Pipeline(tables *bind.Binder, session *catalog.Session, p *flowspec.Pipeline, code Code) (*Program, error) {
	l := &lowering{tables: tables, session: session, spec: p, code: code, streams: map[string]plan.Node{}, paths: plan.Paths{}, program: &Program{Notes: slices.Clone(p.Warnings)}}
	for _, c := range p.Order {
		if err := l.computation(c); err != nil {
			return nil, err
		}
	}
	for _, c := range p.Computations {
		if err := l.sinks(c); err != nil {
			return nil, err
		}
	}
	if len(l.program.Statements) == 0 {
		return nil, l.errorf(source.CodeUnsupported, p.Computations[0].ID.At, "give a computation sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: […], parameters: {queue_path: …}}}", "the pipeline writes nothing")
	}
	return l.program, nil
}

// Code is what computations run that are no queries.
type Code struct {
	// Makers are the functions that the program has, nil for none.
	Makers process.Makers
	// Elsewhere says that others may be in another program: a pipeline with them is planned, and cannot start.
	Elsewhere bool
}

// lowering is the state of Pipeline.
type lowering struct {
	tables  *bind.Binder
	session *catalog.Session
	spec    *flowspec.Pipeline
	code    Code
	// streams are the relations of those that have been written, by their names.
	streams map[string]plan.Node
	paths   plan.Paths
	// blank is the text of the spec with nothing in its lines; "" until it is needed.
	blank   string
	program *Program
}

func (l *lowering) errorf(code string, at source.Span, hint, format string, args ...any) error {
	return l.spec.Text.Errorf(code, at, hint, format, args...)
}

// note tells of something, in the order of the text.
func (l *lowering) note(at source.Span, format string, args ...any) {
	notes := &l.program.Notes
	k := slices.IndexFunc(*notes, func(w flowspec.Warning) bool { return w.At.Start > at.Start })
	if k < 0 {
		k = len(*notes)
	}
	*notes = slices.Insert(*notes, k, flowspec.Warning{At: at, Message: fmt.Sprintf(format, args...)})
}

// placed gives an error that has no place one.
func (l *lowering) placed(err error, at source.Span) error {
	if _, ok := errors.AsType[*source.Error](err); ok || err == nil {
		return err
	}
	return l.errorf(source.CodeType, at, "", "%s", err)
}

// computation adds the streams that c writes.
func (l *lowering) computation(c *flowspec.Computation) error {
	if c.Class.Source {
		return l.sourceComputation(c)
	}
	inputs := map[string]plan.Node{}
	for _, w := range c.Inputs {
		n, err := l.taken(c, l.streams[w.Text], w.Text)
		if err != nil {
			return err
		}
		inputs[w.Text] = l.once(c, w.Text, n)
	}
	switch {
	case c.Query != nil:
		n, err := l.query(c, inputs)
		if err != nil {
			return err
		}
		return l.write(c.Outputs[0], n)
	case c.Class.Passthrough:
		return l.passthrough(c, inputs)
	}
	return l.process(c, inputs)
}

// passthrough writes the rows of all inputs to all outputs.
func (l *lowering) passthrough(c *flowspec.Computation, inputs map[string]plan.Node) error {
	for _, o := range c.Outputs {
		var all []plan.Node
		for _, w := range c.Inputs {
			n, err := l.stamped(c, inputs[w.Text], l.spec.Stream(o.Text))
			if err != nil {
				return err
			}
			all = append(all, n)
		}
		if err := l.write(o, union(all)); err != nil {
			return err
		}
	}
	return nil
}

func union(all []plan.Node) plan.Node {
	if len(all) == 1 {
		return all[0]
	}
	return &plan.Union{Inputs: all, Cols: all[0].Columns()}
}

// write makes n the stream that all its readers share.
func (l *lowering) write(stream flowspec.Word, n plan.Node) error {
	l.streams[stream.Text] = &plan.Shared{Name: stream.Text, Input: &plan.Named{Input: n, Name: stream.Text}}
	if l.paths.Of(n) > plan.MaxPaths {
		return l.errorf(source.CodeTooLarge, stream.At, "let its computation read fewer streams that come from one", "stream '%s' comes to more than %d operators, with the streams that it is made of put in wherever they are read", stream.Text, plan.MaxPaths)
	}
	return nil
}
