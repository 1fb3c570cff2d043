package statements

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/check"
	"github.com/tidemark-sql/tidemark/internal/complete"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// A draft is SQL that somebody is writing. It is looked at in a session apart, with a copy of the catalog, so that nothing comes of it, and without the lock under which statements are planned.
const (
	// maxDrafts is how many are looked at at once, and draftTime how long whoever asks waits for an answer, in microseconds.
	maxDrafts = 4
	draftTime = 5_000_000
)

var (
	errBusy = fault.Errorf(fault.External, "other texts are being looked at; ask again")
	errSlow = fault.Errorf(fault.External, "it takes too long to look at the text; ask again, or run it")
)

// Check finds what is wrong with the text of a Spec, which may have several statements: they are taken as if each were run behind those before it. What is wrong with its properties is an error of class User.
func (h *Hub) Check(spec Spec) ([]check.Finding, error) {
	as, err := language.Asked(spec.Properties)
	if err != nil {
		return nil, fault.Wrap(fault.User, err)
	}
	return draft(h, spec, func(ctx context.Context, e *engine.Engine) ([]check.Finding, error) {
		return check.Text(ctx, alone{e}, spec.text(), as)
	})
}

// alone is a session that refuses what fits refuses.
type alone struct{ *engine.Engine }

func (a alone) Execute(ctx context.Context, text source.Text, stmt language.Statement) (*engine.Result, error) {
	if err := fits(text, stmt); err != nil {
		return nil, err
	}
	return a.Engine.Execute(ctx, text, stmt)
}

// Explain describes what the queries in the text of a Spec would run as. Errors of the user are a *source.Error or of class User.
func (h *Hub) Explain(spec Spec) (string, error) {
	return draft(h, spec, func(ctx context.Context, e *engine.Engine) (string, error) { return explain(ctx, alone{e}, &spec) })
}

func explain(ctx context.Context, e alone, spec *Spec) (string, error) {
	text := spec.text()
	parsed, err := spec.parse()
	if err != nil {
		return "", err
	}
	var plans []string
	for _, stmt := range parsed {
		result, err := e.Execute(ctx, text, stmt)
		if err != nil {
			return "", err
		}
		switch {
		case result.Query != nil:
			plans = append(plans, result.Query.Explain())
		case result.Text != "":
			plans = append(plans, result.Text)
		}
	}
	if len(plans) == 0 {
		return "", fault.Errorf(fault.User, "there is no query in the text, and nothing else has a plan")
	}
	return strings.Join(plans, "\n"), nil
}

// Completions are what can stand in place of the end of a text from Start on, a place in bytes.
type Completions struct {
	Start   int
	Options []string
}

// Complete finds what could stand between two pieces of text. The text of the Spec does not matter.
func (h *Hub) Complete(spec Spec, before, after string) (Completions, error) {
	spec.SQL = before + after
	as, err := language.Asked(spec.Properties)
	if err != nil {
		return Completions{}, fault.Wrap(fault.User, err)
	}
	return draft(h, spec, func(_ context.Context, e *engine.Engine) (found Completions, err error) {
		c := complete.Completer{Schema: e, Connectors: h.options.Connectors, Language: as}
		found.Options, found.Start = c.Complete(before, after)
		return found, nil
	})
}

// draft calls look beside the caller, who waits for it and no longer than draftTime. Its context ends when nobody waits any more.
func draft[T any](h *Hub, spec Spec, look func(context.Context, *engine.Engine) (T, error)) (found T, err error) {
	if err := spec.checkLength(); err != nil {
		return found, err
	}
	ctx, leave := context.WithCancel(h.living)
	defer leave()
	late, cancel := h.clock.At(h.clock.Now() + draftTime)
	defer cancel()
	select {
	case h.drafts <- struct{}{}:
	case <-late:
		return found, errBusy
	}
	type answer struct {
		found T
		err   error
	}
	done := make(chan answer, 1)
	began := h.beside(func() {
		defer func() { <-h.drafts }()
		found, err := looked(ctx, h, spec, look)
		done <- answer{found, err}
	})
	if !began {
		<-h.drafts
		return found, errClosing
	}
	select {
	case a := <-done:
		if h.living.Err() != nil && errors.Is(a.err, context.Canceled) {
			return found, errClosing
		}
		return a.found, a.err
	case <-late:
		return found, errSlow
	}
}

// beside runs f in a goroutine that Close waits for, unless the hub is closed.
func (h *Hub) beside(f func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.group.Go(f)
	}
	return !h.closed
}

// looked calls look with a session of its own.
func looked[T any](ctx context.Context, h *Hub, spec Spec, look func(context.Context, *engine.Engine) (T, error)) (found T, err error) {
	defer h.caught("a text was looked at", &err)
	if err := h.plans.lockUntil(ctx); err != nil {
		return found, err
	}
	session := h.engine.Apart()
	h.plans.unlock()
	if err := spec.set(session); err != nil {
		return found, err
	}
	return look(ctx, session)
}

// caught is deferred around what a text makes the engine do: a panic is a bug that ends this and nothing else.
func (h *Hub) caught(while string, err *error) {
	if r := recover(); r != nil {
		h.options.Tell(fmt.Sprintf("tidemark bug: %v while %s\n%s", r, while, debug.Stack()))
		*err = fault.Errorf(fault.Internal, "tidemark bug: %v", r)
	}
}
