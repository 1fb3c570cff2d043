package statements

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/statedir"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// planning is a statement that was executed, and what is left to run of it.
type planning struct {
	traits   *Traits
	declares bool
	result   *engine.Result
	began    bool // a job was made of it
	// interval is the time between two checkpoints of a statement that takes them, in microseconds.
	interval int64
}

// background reports whether it runs without anybody who reads results.
func (p *planning) background() bool { return p.result.Query != nil && p.result.Query.Into() != "" }

// plan executes a statement in a session of its own; plans is held, or nobody else is there yet. Once ctx has ended the error is that of it.
func (h *Hub) plan(ctx context.Context, spec Spec) (p *planning, err error) {
	defer h.caught("a statement was planned", &err)
	session := h.engine.Fork()
	if err := spec.set(session); err != nil {
		return nil, err
	}
	text := spec.text()
	parsed, err := spec.parse()
	if err != nil {
		return nil, err
	}
	if n := len(parsed); n != 1 {
		return nil, fault.Errorf(fault.User, "there are %d statements in the text, and there has to be one; make a statement of each, or write EXECUTE STATEMENT SET BEGIN … END around INSERTs", n)
	}
	stmt := parsed[0]
	if err := fits(text, stmt); err != nil {
		return nil, err
	}
	p = &planning{}
	kind, declares := kindOf(stmt)
	p.declares = declares
	path, stands := standingPath(session, stmt)
	if stands && !h.replaying {
		if err := h.hold(path); err != nil {
			return nil, err
		}
		defer func() {
			if err != nil || p.result == nil || p.result.Standing == nil { // without either if it has panicked
				h.release(path)
			}
		}()
	}
	if p.result, err = session.Execute(ctx, text, stmt); err != nil {
		return nil, err
	}
	if p.result.Standing != nil {
		p.result.Query = nil // another statement runs it
	}
	p.traits = &Traits{Kind: kind, Bounded: true, AppendOnly: true}
	switch q := p.result.Query; {
	case q != nil:
		p.traits.Bounded, p.traits.AppendOnly = q.Bounded(), !q.Updates()
		if q.Into() == "" {
			p.traits.Schema = q.Schema()
		}
	case p.result.Rows != nil:
		p.traits.Schema = p.result.Rows.Schema
	case p.result.Text != "":
		p.traits.Schema = types.Schema{{Name: "EXPLAIN", Type: types.Type{Kind: types.String, NotNull: true}}}
	}
	return p, nil
}

// standingPath is the standing query that a statement changes.
func standingPath(session *engine.Engine, stmt language.Statement) (path string, ok bool) {
	p, ok := session.Stands(stmt)
	if !ok {
		return "", false
	}
	return p.String(), true
}

// standingPath is the standing query that the statement of a Spec changes, "" if that is none.
func (h *Hub) standingPath(spec Spec) string {
	all, err := spec.parse()
	session := h.engine.Fork()
	if err != nil || len(all) != 1 || spec.set(session) != nil {
		return ""
	}
	path, _ := standingPath(session, all[0])
	return path
}

// set gives a session the properties of a statement.
func (s *Spec) set(session *engine.Engine) error {
	session.Identify(s.Environment)
	for _, key := range orderOf(s.Properties) {
		if strings.HasPrefix(key, "client.") || key == language.Property {
			continue // of the client alone, as in Confluent Cloud, or of the text
		}
		if err := session.Set(key, s.Properties[key]); err != nil {
			return propertyError(key, err)
		}
	}
	return nil
}

// parse reads the statements of the text, without those that only define something for the ones behind them, unless there are no others.
func (s *Spec) parse() ([]language.Statement, error) {
	as, err := language.Asked(s.Properties)
	if err != nil {
		return nil, fault.Wrap(fault.User, err)
	}
	all, err := language.Parse(s.text(), as)
	if err != nil {
		return nil, err
	}
	run := slices.DeleteFunc(slices.Clone(all), func(stmt language.Statement) bool {
		y, ok := stmt.(*language.YQLStatement)
		return ok && y.Defines()
	})
	if len(run) == 0 && len(all) > 0 {
		return all[len(all)-1:], nil // it sees the others
	}
	return run, nil
}

func (s *Spec) text() source.Text { return source.Text{Name: "statement", Body: s.SQL} }

// job makes a job of the query, without plans: others are not to wait for a broker that does not answer.
func (p *planning) job(h *Hub, sink connector.Sink, n int, o runtime.Options) (job *runtime.Job, err error) {
	defer h.caught("a statement was started", &err)
	return p.result.Query.Prepare(sink, n, o)
}

// takeBack removes what was made for a statement that cannot begin.
func (p *planning) takeBack(h *Hub) {
	h.plans.lock()
	defer h.plans.unlock()
	p.result.Query.TakeBack()
}

// settle says that the statement has begun, maybe in an earlier life of the server, so that nothing of it is taken back.
func (p *planning) settle() {
	p.began = true
	if p.result.Query != nil {
		p.result.Query.Settle()
	}
}

// orderOf puts properties into the order in which they can be set: others depend on the profile, and a database on its catalog.
func orderOf(properties map[string]string) []string {
	first := func(key string) int {
		return slices.Index([]string{catalog.KeyDatabase, catalog.KeyCatalog, catalog.KeyProfile}, key)
	}
	keys := slices.Sorted(maps.Keys(properties))
	slices.SortStableFunc(keys, func(a, b string) int { return first(b) - first(a) })
	return keys
}

func propertyError(key string, err error) error {
	var s *catalog.SettingError
	if errors.As(err, &s) && s.Hint != "" {
		return fault.Errorf(fault.User, "property '%s': %s; %s", key, s.Message, s.Hint)
	}
	return fault.Errorf(fault.User, "property '%s': %w", key, err)
}

// fits refuses what makes sense in a session of several statements alone.
func fits(text source.Text, stmt language.Statement) error {
	what, hint, temporary := "", "", false
	switch s := stmt.(type) {
	case *sql.Set, *sql.Reset:
		what, hint = "SET and RESET are", "each statement is a session of its own; give it what is to be SET as a property"
	case *sql.Use:
		what, hint = "USE is", "each statement is a session of its own; give it the properties '"+catalog.KeyCatalog+"' and '"+catalog.KeyDatabase+"'"
	case *sql.CreateTable:
		temporary = s.Temporary
	case *sql.CreateView:
		temporary = s.Temporary
	case *sql.Drop:
		temporary = s.Temporary
	}
	if temporary {
		what, hint = "TEMPORARY is", "each statement is a session of its own, and nothing temporary would outlive it; leave the word out"
	}
	if what == "" {
		return nil
	}
	return &source.Error{Code: source.CodeUnsupported, Span: stmt.Span(), Message: what + " not supported by a server", Hint: hint, Text: text}
}

// warnings are what may not be meant.
func (p *planning) warnings(now int64) []Warning {
	var all []Warning
	for _, note := range p.result.Notes {
		all = append(all, Warning{now, Moderate, "NOTE", note})
	}
	if p.result.Query != nil {
		for _, a := range p.result.Query.Advice() {
			if a.Warns() {
				continue // among the notes
			}
			all = append(all, Warning{now, Low, "ADVICE", a.Text + "; " + a.Remedy})
		}
	}
	return all
}

// run runs what is left of the statement until ctx ends.
func (p *planning) run(ctx context.Context, l *life) error {
	switch q := p.result.Query; {
	case p.result.Standing != nil:
		return p.stand(l)
	case q == nil:
		return p.list(l)
	case p.background():
		return p.keep(ctx, l, q)
	default:
		return p.read(ctx, l, q)
	}
}

// list puts what the statement has listed into its results.
func (p *planning) list(l *life) error {
	r := newResults(p.traits.Schema, math.MaxInt, l.hub.clock.Now)
	rows := p.result.Rows
	if p.result.Text != "" {
		rows = &engine.Rows{Schema: p.traits.Schema, Values: [][]string{{p.result.Text}}}
	}
	if rows != nil && len(rows.Values) > 0 {
		if err := r.Write(rows.Batch()); err != nil {
			return err
		}
	}
	l.hub.mu.Lock()
	l.show(r)
	l.hub.mu.Unlock()
	return r.Close()
}

// patience is how long a SELECT runs that nobody reads, in microseconds. Confluent Cloud: five minutes.
const patience = 300_000_000

// read runs a SELECT whose results are read by clients.
func (p *planning) read(ctx context.Context, l *life, q *engine.Query) error {
	h := l.hub
	r := newResults(q.Schema(), h.options.ResultBytes, h.clock.Now)
	r.pool = h.pool
	n := h.tasks(q.Parallelism(0))
	job, err := p.job(h, r, n, runtime.Options{Workers: n, Clock: h.clock, Timeline: true, StateMemory: h.memory(q.StateMemory()), SpillTo: filepath.Join(h.options.Dir, spillFolder, l.view.Name)})
	if err != nil {
		return err
	}
	h.mu.Lock()
	l.show(r)
	h.mu.Unlock()
	l.started(job)
	running, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	unwatched := make(chan struct{})
	go func() {
		defer close(unwatched)
		r.await(running, h.clock, giveUp)
	}()
	err = job.Run(running)
	unread := context.Cause(running) == errUnread
	giveUp(nil)
	<-unwatched
	if err == nil && unread {
		return errUnread
	}
	return err
}

// await gives a statement up whose results nobody has read for too long.
func (r *results) await(ctx context.Context, clock runtime.Clock, giveUp context.CancelCauseFunc) {
	for {
		wait := patience - r.unread()
		if wait <= 0 {
			giveUp(errUnread)
			r.leave()
			return
		}
		timer, cancel := clock.At(clock.Now() + wait)
		select {
		case <-timer:
		case <-ctx.Done():
			cancel()
			return
		}
	}
}

// keep runs a statement that writes to tables, from its newest checkpoint.
func (p *planning) keep(ctx context.Context, l *life, q *engine.Query) error {
	h := l.hub
	interval, kept := q.Checkpoints()
	h.mu.Lock()
	p.interval = interval
	h.mu.Unlock()
	state := statedir.At(filepath.Dir(l.state()), l.view.Name)
	folder, err := state.Open(kept)
	if err == nil {
		err = state.Note(q.Text())
	}
	if err != nil {
		return err
	}
	if !q.Incremental() {
		folder.Whole()
	}
	positions, err := state.Positions()
	if err != nil {
		return err
	}
	n := h.tasks(q.Parallelism(0))
	start := func(o runtime.Options) (*runtime.Job, error) {
		job, err := p.job(h, nil, n, o)
		if err != nil && !p.began && p.declares {
			p.takeBack(h)
			return nil, fault.Errorf(fault.User, "%w; its table is gone again", err)
		}
		p.settle()
		return job, err
	}
	err = supervisor.Run(ctx, start, supervisor.Options{
		Folder:  folder,
		Cadence: supervisor.UsualCadence(interval),
		Backoff: supervisor.UsualBackoff(),
		Job:     runtime.Options{Workers: n, Positions: positions, Clock: h.clock, Timeline: true, StateMemory: h.memory(q.StateMemory()), Statement: l.view.Name + "-" + folder.Identity(), SpillTo: filepath.Join(l.state(), "spill")},
		Tell:    l.heard,
	})
	if errors.Is(err, runtime.ErrFinished) {
		return nil
	}
	return err
}

// heard is told what happens to a statement that is kept going.
func (l *life) heard(e supervisor.Event) {
	l.history.Note(e, l.hub.clock.Now())
	switch e := e.(type) {
	case supervisor.Started:
		l.started(e.Job)
		return
	case supervisor.Taken:
		defer l.hub.change()()
		l.recover()
		return
	case supervisor.Failed:
		defer l.hub.change()()
		l.fail(e.Err)
		if l.job = nil; l.standing != nil {
			l.standing.until = l.hub.clock.Now() + e.Wait.Microseconds()
		}
		if l.view.Phase == Running || l.view.Phase == Pending || l.view.Phase == Degraded {
			l.become(Degraded, fmt.Sprintf("%s; trying again in %s", render(e.Err), e.Wait.Round(time.Millisecond)))
		}
		return
	}
	l.hub.options.Tell(l.view.Name + ": " + e.String())
}

// render is an error for people, with the place in the text if it has one.
func render(err error) string {
	var placed *source.Error
	if errors.As(err, &placed) {
		return strings.TrimSuffix(strings.TrimPrefix(placed.Render(), "error: "), "\n")
	}
	return source.Visible(source.Short(err.Error()))
}

// nameOf is what kind of error it is, for programs.
func nameOf(err error) string {
	var placed *source.Error
	if errors.As(err, &placed) {
		return placed.Code
	}
	return fault.Of(err).String()
}
