package engine

import (
	"context"

	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/flowspec/lower"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// CodeNote is the code of what is said about a pipeline that runs all the same.
const CodeNote = "spec"

// Pipeline makes a pipeline ready to run: all of it is one query. Its queues are tables of the session, or connectors with their options; its code is that of Options. Errors of the user are
// *source.Error. One that is to be stopped has no query. ctx is as in Execute.
func (e *Engine) Pipeline(ctx context.Context, p *flowspec.Pipeline) (r *Result, err error) {
	defer unlessEnded(ctx, &r, &err)
	x := e.execution(ctx, p.Text)
	made, err := lower.Pipeline(x.bind, e.session, p, lower.Code{Makers: e.options.Functions, Elsewhere: e.options.FunctionsElsewhere})
	if err != nil {
		return nil, err
	}
	r, _, err = x.newQuery(p.Span()).ready(x, nil, made.Statements...)
	if err != nil {
		return nil, err
	}
	if p.Dynamic.Stopped() {
		r = &Result{Notes: []string{"the pipeline does not run: target_state is '" + p.Dynamic.State.Text + "'"}}
	}
	for _, n := range made.Notes {
		note := &source.Error{Code: CodeNote, Span: n.At, Text: p.Text, Message: n.Message}
		r.Placed = append(r.Placed, note)
		r.Notes = append(r.Notes, note.Error())
	}
	if r.Query == nil {
		return r, nil
	}
	return r, x.makeAll(r.Query.keeps)
}
