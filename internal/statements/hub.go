package statements

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/folders"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/why"
)

// Options make a Hub.
type Options struct {
	// Dir is the folder in which statements are kept; it is made if it is not there.
	Dir string
	// Connectors are what tables can be made with.
	Connectors []connector.Connector
	// Parallelism is what a statement has that does not say, and MaxParallelism what it gets that says more; 0 is any number.
	Parallelism, MaxParallelism int
	// Memory is the limit of the memory for the state of a statement that does not say, and MaxMemory, in bytes, what one gets that says more, or any amount; 0 is any.
	Memory    plan.Memory
	MaxMemory int64
	// ResultBytes is how much is kept of results that nobody has read yet, before the statement waits, and ResultBytesAll how much of all statements; 0 of it is any.
	ResultBytes    int
	ResultBytesAll int64
	// Running is how many statements there can be that have not ended, RunningOfOwner how many of one owner, and Statements how many ended or not; 0 is any number.
	Running, RunningOfOwner, Statements int
	// Keep is after how many microseconds a statement is forgotten that is COMPLETED or FAILED; 0 is never.
	Keep int64
	// HistoryBytes is how much the history of all statements may have on the disk; 0 is history.UsualBytes.
	HistoryBytes int64
	// Clock is the wall clock unless a test has another.
	Clock runtime.Clock
	// Tell gets what no client asked for, a sentence without its end at a time; from any goroutine.
	Tell func(string)
}

const (
	// MaxSQL is how long a statement can be, in bytes. Confluent Cloud has the same limit.
	MaxSQL = 131_072
	// MaxBeside is how long properties, labels and the other texts of a statement can be together, in bytes.
	MaxBeside = 65_536
	// MaxName is how long its name can be, in characters. Confluent Cloud has the same limit.
	MaxName = 100

	statementsFolder = "statements"
	stateFolder      = "state"
	spillFolder      = "spill" // of what a SELECT has no memory for
	journalFile      = "journal.jsonl"
	defaultResults   = 16 << 20
)

// Hub is the statements of a server. Any goroutine may use it.
type Hub struct {
	options Options
	clock   runtime.Clock
	claim   *folders.Claimed

	// plans guards what statements are planned with. It is taken before mu.
	plans     turn
	engine    *engine.Engine
	journal   *journal
	replaying bool

	living context.Context // ends when the hub is closed
	end    context.CancelFunc
	drafts chan struct{} // one for each text that is looked at

	minutes minutes
	studies studies

	pool *pool
	// changing is held by who changes what is kept of a statement, and taken before mu, which he gives up while the disk is busy: readers do not wait for that.
	changing sync.Mutex
	mu       sync.Mutex
	lives    map[string]*life
	held     map[string]bool // standing queries that a statement changes, by path
	removed  []string        // IDs of statements that are gone, and in the history still
	closed   bool
	group    sync.WaitGroup
}

// NotFound is that there is no statement of a name, Exists that there is one already, Invalid that something asked for cannot be. Their texts are for people.
type (
	NotFound struct{ Name string }
	Exists   struct{ Name string }
	Invalid  struct{ What string }
)

func (e *NotFound) Error() string { return fmt.Sprintf("there is no statement '%s'", e.Name) }
func (e *Exists) Error() string {
	return fmt.Sprintf("there is a statement '%s' already; delete it first, or choose another name", e.Name)
}
func (e *Invalid) Error() string { return e.What }

// Open reads what is kept in the folder and lets statements go on that were running.
func Open(o Options) (*Hub, error) {
	h, err := open(o)
	if fault.OfIO(err) == fault.Resource {
		return nil, fault.Errorf(fault.Resource, "%w; %s", err, needsRoom)
	}
	return h, err
}

func open(o Options) (*Hub, error) {
	h := &Hub{options: o, clock: o.Clock, drafts: make(chan struct{}, maxDrafts), lives: map[string]*life{}, held: map[string]bool{}, plans: newTurn()}
	h.living, h.end = context.WithCancel(context.Background())
	if h.clock == nil {
		h.clock = runtime.WallClock{}
	}
	if h.options.ResultBytes <= 0 {
		h.options.ResultBytes = defaultResults
	}
	h.pool = newPool(o.ResultBytesAll)
	h.engine = engine.New(engine.Options{Connectors: h.connectors(), Stdout: os.Stdout, Stderr: os.Stderr, Now: h.clock.Now, Standing: h.standingStates, Memory: o.Memory})
	var err error
	if h.claim, err = folders.Claim(o.Dir, "folder of statements"); err != nil {
		return nil, fault.Errorf(fault.Of(err), "open the statements: %w", err)
	}
	if err := os.MkdirAll(h.folder(), 0o700); err != nil {
		h.claim.Release()
		return nil, fault.Wrap(fault.OfIO(err), fmt.Errorf("open the statements: %w", err))
	}
	if err := h.load(); err != nil {
		h.claim.Release()
		return nil, err
	}
	h.group.Go(h.watch)
	return h, nil
}

// states is the folder of the states of statements, one below it for each.
func (h *Hub) states() string { return filepath.Join(h.options.Dir, stateFolder) }

func (h *Hub) folder() string { return filepath.Join(h.options.Dir, statementsFolder) }

// connectors are those of the options, except that nothing is made or removed while the journal is read: it is there, or somebody else has removed it.
func (h *Hub) connectors() []connector.Connector {
	all := slices.Clone(h.options.Connectors)
	for i := range all {
		c := all[i]
		if c.Create != nil {
			all[i].Create = func(t connector.Table, o connector.Options) (bool, error) {
				if h.replaying {
					return false, nil
				}
				return c.Create(t, o)
			}
		}
		if c.Drop != nil {
			all[i].Drop = func(t connector.Table, o connector.Options) error {
				if h.replaying {
					return nil
				}
				return c.Drop(t, o)
			}
		}
		if c.Alter != nil {
			all[i].Alter = func(from, to connector.Table, was, is connector.Options) error {
				if h.replaying {
					return nil
				}
				return c.Alter(from, to, was, is)
			}
		}
	}
	return all
}

// load reads records and journal, plans again what is to go on, and starts it.
func (h *Hub) load() error {
	all, err := records(h.folder(), h.options.Tell)
	if err != nil {
		return err
	}
	wanted := map[int64]*life{}
	torn := map[string]*life{} // by UID: the server may have ended between their entries in the journal and their records
	for _, r := range all {
		l := newLife(h, r.statement())
		if r.Standing != "" {
			l.standing = &standing{path: r.Standing, done: r.Change}
		}
		l.planned = r.Planned
		h.lives[r.Name] = l
		switch {
		case r.Planned > 0:
			wanted[r.Planned] = l
		case r.Phase == Pending:
			torn[r.UID] = l
		}
	}
	var entries []entry
	h.journal, entries, err = openJournal(filepath.Join(h.options.Dir, journalFile), func(e entry) bool {
		if l := torn[e.UID]; l != nil && e.Declares {
			l.planned, wanted[e.Number] = e.Number, l
		}
		return e.Declares || wanted[e.Number] != nil
	}, h.options.Tell)
	if err != nil {
		return err
	}
	if err := h.openMinutes(); err != nil {
		return err
	}
	h.replaying = true
	standing := map[string]*stood{}
	for _, e := range entries {
		h.replay(e, wanted[e.Number], standing)
	}
	h.replaying = false
	defer h.change()()
	if err := h.settleStanding(standing); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(h.lives)) {
		h.lives[name].goOn()
	}
	return nil
}

// replay executes an entry of the journal; l is the statement whose entry it is, if there still is one.
func (h *Hub) replay(e entry, l *life, standing map[string]*stood) {
	spec := Spec{SQL: e.SQL, Properties: e.Properties, Environment: e.Environment}
	p, err := h.plan(h.living, spec)
	note(standing, e, h.standingPath(spec), p, err)
	switch {
	case l != nil && err == nil:
		p.settle()
		l.adopt(p)
	case l != nil:
		l.broken = err
	case err != nil:
		h.options.Tell(fmt.Sprintf("what '%s' declared is not there any more: %s", e.Statement, err))
	}
}

// Create makes a statement, which is planned and run beside the caller.
func (h *Hub) Create(name string, spec Spec) (Statement, error) {
	if err := CheckName(name); err != nil {
		return Statement{}, err
	}
	if strings.TrimSpace(spec.SQL) == "" {
		return Statement{}, &Invalid{"the statement is empty"}
	}
	if err := spec.checkLength(); err != nil {
		return Statement{}, err
	}
	if p, err := pipelineOf(&spec); err == nil { // what is wrong is told when it is planned
		spec.stoppedBy(p)
	}
	defer h.change()()
	if h.closed {
		return Statement{}, errClosing
	}
	if h.lives[name] != nil {
		return Statement{}, &Exists{name}
	}
	if err := h.place(spec, nil); err != nil {
		return Statement{}, err
	}
	now := h.clock.Now()
	l := newLife(h, Statement{Name: name, UID: rand.Text(), Spec: spec.clone(), Created: now, Updated: now, Version: 1, Phase: Pending})
	if spec.Stopped {
		l.view.Phase = Stopped
	}
	if err := l.save(); err != nil {
		return Statement{}, err
	}
	h.lives[name] = l
	if !spec.Stopped {
		l.begin()
	}
	return l.shown(), nil
}

func (s *Spec) checkLength() error {
	if len(s.SQL) > MaxSQL {
		return &Invalid{fmt.Sprintf("the statement has %d bytes; it can have %d", len(s.SQL), MaxSQL)}
	}
	beside := len(s.Organization) + len(s.Environment) + len(s.Pool) + len(s.Principal)
	for _, texts := range []map[string]string{s.Properties, s.Labels} {
		for key, value := range texts {
			beside += len(key) + len(value)
		}
	}
	if beside > MaxBeside {
		return &Invalid{fmt.Sprintf("properties, labels and the rest beside the text of the statement have %d bytes; they can have %d", beside, MaxBeside)}
	}
	return nil
}

// errClosing is the answer while the server ends.
var errClosing = fault.Errorf(fault.External, "the server is ending")

// CheckName refuses what cannot be the name of a statement. Confluent Cloud: lower-case letters, digits and hyphens, in parts divided by dots.
func CheckName(name string) error {
	if name == "" || len(name) > MaxName {
		return &Invalid{fmt.Sprintf("the name of a statement has 1 to %d characters, and this one has %d", MaxName, len(name))}
	}
	for _, part := range strings.Split(name, ".") {
		if part == "" || part[0] == '-' || part[len(part)-1] == '-' || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return &Invalid{fmt.Sprintf("'%s' cannot be the name of a statement: lower-case letters, digits and, between them, hyphens and dots", name)}
		}
	}
	return nil
}

// change is called by who changes what is kept of a statement, and what it gives when he is done.
func (h *Hub) change() (done func()) {
	h.changing.Lock()
	h.mu.Lock()
	return func() {
		h.mu.Unlock()
		h.changing.Unlock()
	}
}

// aside gives up mu while f waits for the disk. Whoever calls it has called change, so that nothing that is kept changes meanwhile.
func (h *Hub) aside(f func() error) error {
	h.mu.Unlock()
	defer h.mu.Lock()
	return f()
}

// find finds a statement; mu is held.
func (h *Hub) find(name string) (*life, error) {
	if l := h.lives[name]; l != nil {
		return l, nil
	}
	return nil, &NotFound{name}
}

// Get tells of a statement.
func (h *Hub) Get(name string) (Statement, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l, err := h.find(name)
	if err != nil {
		return Statement{}, err
	}
	return l.shown(), nil
}

// List tells of all statements, the newest first.
func (h *Hub) List() []Statement {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]Statement, 0, len(h.lives))
	for _, l := range h.lives {
		all = append(all, l.shown())
	}
	byAge(all)
	return all
}

// Change changes what can be changed of a statement: whether it is stopped, for whom and where it runs, and the spec of a pipeline. change writes the Spec of the statement that it is shown; it is called
// again if somebody else changes the statement meanwhile, so that no change undoes another one.
func (h *Hub) Change(name string, change func(*Statement) error) (Statement, error) {
	unlock := h.change()
	l, spec, err := h.asked(name, change)
	if err == nil && !l.view.Spec.says(&spec) {
		unlock()
		return h.respec(name, change)
	}
	defer unlock()
	if err != nil {
		return Statement{}, err
	}
	if l.standing != nil && l.standing.changing {
		return Statement{}, &Invalid{"another statement is changing the streaming query; ask again when it has ended"}
	}
	was := l.view.Spec.Stopped
	l.view.Spec = spec
	switch {
	case spec.Stopped && !was:
		l.stop()
	case !spec.Stopped && was:
		err = l.resume()
	}
	if err != nil {
		l.view.Spec.Stopped = was
		return Statement{}, err
	}
	return l.shown(), l.keep()
}

// asked is what a statement is to be, as change has it; mu is held.
func (h *Hub) asked(name string, change func(*Statement) error) (*life, Spec, error) {
	l, err := h.find(name)
	if err != nil {
		return nil, Spec{}, err
	}
	x := l.shown()
	if err := change(&x); err != nil {
		return nil, Spec{}, err
	}
	return l, x.Spec, x.Spec.checkLength()
}

// says reports whether both make the same statement, wherever and for whomever it runs.
func (s *Spec) says(other *Spec) bool {
	return s.SQL == other.SQL && maps.Equal(s.Properties, other.Properties)
}

// Delete ends a statement and forgets it, with its state.
func (h *Hub) Delete(name string) error {
	defer h.change()()
	l, err := h.find(name)
	if err != nil {
		return err
	}
	if l.standing != nil {
		return &Invalid{"the statement runs a streaming query, and goes with it: DROP STREAMING QUERY, or set it to STOPPED"}
	}
	if l.view.Phase != Deleting {
		l.delete()
	}
	return nil
}

// Results reads a page of the results of a statement, which is empty before it runs.
func (h *Hub) Results(name string, from int64, rows, bytes int) (Page, error) {
	h.mu.Lock()
	l, err := h.find(name)
	var r *results
	var coming bool
	if err == nil {
		r = l.results
		coming = l.view.Phase == Pending && (l.view.Traits == nil || l.view.Traits.Schema != nil)
	}
	h.mu.Unlock()
	switch {
	case err != nil:
		return Page{}, err
	case r == nil:
		return Page{Next: from, More: coming}, nil
	}
	return r.page(from, rows, bytes)
}

// resultsTime is how long AwaitResults waits, in microseconds.
const resultsTime = 200_000

// AwaitResults is Results, and waits a little if there is nothing to read yet, so that who asks again and again does not do so without a break.
func (h *Hub) AwaitResults(ctx context.Context, name string, from int64, rows, bytes int) (Page, error) {
	p, err := h.Results(name, from, rows, bytes)
	if err != nil || len(p.Rows) > 0 || !p.More {
		return p, err
	}
	late, cancel := h.clock.At(h.clock.Now() + resultsTime)
	defer cancel()
	select {
	case <-p.news:
	case <-late:
	case <-ctx.Done():
	}
	return h.Results(name, from, rows, bytes)
}

// Exceptions are the attempts of a statement that failed, the newest first.
func (h *Hub) Exceptions(name string) ([]Exception, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l, err := h.find(name)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(l.exceptions)
	slices.Reverse(all)
	return all, nil
}

// Stats are what the job of a statement counts; ok is false if none runs.
func (h *Hub) Stats(name string) (stats runtime.Stats, ok bool, err error) {
	h.mu.Lock()
	l, err := h.find(name)
	var job *runtime.Job
	if err == nil {
		job = l.job
	}
	h.mu.Unlock()
	if job == nil {
		return stats, false, err
	}
	return job.Stats(), true, nil
}

// Why is what a statement waits for; ok is false if it does not run.
func (h *Hub) Why(name string) (answer why.Answer, ok bool, err error) {
	seen, err := h.Seen(name)
	if err != nil || seen.Stats == nil {
		return answer, false, err
	}
	return seen.Why, true, nil
}

// Close lets every statement take a last checkpoint and ends it; the next Open goes on with it.
func (h *Hub) Close() error {
	unlock := h.change()
	h.closed = true
	h.end()
	for _, l := range h.lives {
		l.leave()
	}
	unlock()
	h.group.Wait()
	err := errors.Join(h.journal.close(), h.minutes.store.Close())
	h.claim.Release()
	return err
}

// Now is the wall clock of the hub, in microseconds.
func (h *Hub) Now() int64 { return h.clock.Now() }
