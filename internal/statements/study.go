package statements

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/advice"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/watermark"
)

// A study looks at the event times of a table beside the statements, as tidemark advise does.
const (
	// maxStudies is how many run at once, and keptStudies how many are kept with those that are over.
	maxStudies  = 2
	keptStudies = 32
	// endlessTime is how long a table without end is read, and boundedTime how long one at most that has an end, in microseconds.
	endlessTime = 30_000_000
	boundedTime = 300_000_000
	// studyWorkers are few, so that statements go first.
	studyWorkers = 2
)

// Advice is where a study is. Its State is StudyRunning, StudyDone or StudyFailed; Detail says why it failed, or that it did not come to the end. Report is what was found so far, nil if it failed.
type Advice struct {
	State, Detail string
	Report        *advice.Report
}

// The states of a study.
const (
	StudyRunning = "running"
	StudyDone    = "done"
	StudyFailed  = "failed"
)

// studyKey is what a study is about, as it was asked.
type studyKey struct{ environment, table, column string }

// studies are those there are, the last ones that were begun.
type studies struct {
	mu    sync.Mutex
	all   map[studyKey]*study
	order []studyKey
}

// study is one of them; the mu of studies guards it.
type study struct {
	cancel        context.CancelCauseFunc
	state, detail string
	found         *advice.Study  // what reads; nil before the table is opened, and when it is over
	report        *advice.Report // what was found, when it is over
}

// Why the reading of a table is to end.
var (
	errEnough = errors.New("enough was read")
	errGone   = errors.New("nobody wants the advice any more")
)

// Advise tells what delays would do to a table: the first call begins to read it, and later ones tell how far that is. The column is that of the time, "" for that of the watermark or the only one
// there is. Errors of the user are *Invalid.
func (h *Hub) Advise(spec Spec, table, column string) (Advice, error) {
	key := studyKey{spec.Environment, table, column}
	if a, ok := h.studies.look(key); ok {
		return a, nil
	}
	spec.SQL = table
	reading, err := draft(h, spec, func(_ context.Context, e *engine.Engine) (*engine.Reading, error) {
		return e.Reading(source.Text{Name: "table", Body: asWritten(table, e.Names())}, source.Text{Name: "column", Body: asWritten(column, []string{column})})
	})
	var placed *source.Error
	switch {
	case errors.As(err, &placed):
		return Advice{}, &Invalid{strings.Join(slices.DeleteFunc([]string{placed.Sentence(), placed.Hint}, func(s string) bool { return s == "" }), "; ")}
	case fault.Of(err) == fault.User && err != nil:
		return Advice{}, &Invalid{err.Error()}
	case err != nil:
		return Advice{}, err
	}
	return h.beginStudy(key, reading)
}

// asWritten is a name as SQL writes it, if it is one of the names as they are.
func asWritten(name string, names []string) string {
	if !slices.Contains(names, name) || name == "" {
		return name
	}
	if n, err := sql.ParseName(source.Text{Body: name}); err == nil && len(n.Parts) == 1 {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// beginStudy reads a table, unless somebody else has begun to meanwhile.
func (h *Hub) beginStudy(key studyKey, r *engine.Reading) (Advice, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	x := &study{cancel: cancel, state: StudyRunning}
	there, err := h.studies.put(key, x)
	if there || err != nil {
		cancel(nil)
		if err == nil {
			a, _ := h.studies.look(key)
			return a, nil
		}
		return Advice{}, err
	}
	if !h.beside(func() { h.study(ctx, x, r) }) {
		h.studies.remove(key)
		return Advice{}, errClosing
	}
	return h.studies.tell(x), nil
}

// study reads a table for a while and keeps what is found.
func (h *Hub) study(ctx context.Context, x *study, r *engine.Reading) {
	limit, said := int64(endlessTime), "30 s"
	if r.Bounded {
		limit, said = boundedTime, "5 min"
	}
	late, stop := h.clock.At(h.clock.Now() + limit)
	defer stop()
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-late:
			x.cancel(errEnough)
		case <-h.living.Done():
			x.cancel(errLeave)
		case <-over:
		}
	}()
	err := h.read(ctx, x, r)
	cause := context.Cause(ctx)
	x.cancel(nil)
	h.studies.mu.Lock()
	defer h.studies.mu.Unlock()
	found := x.found
	x.found = nil
	if err == nil {
		x.report = found.Report()
	}
	switch x.state = StudyDone; {
	case err != nil:
		x.state, x.detail = StudyFailed, render(err)
	case cause == errEnough && r.Bounded:
		x.detail = "the table was read for " + said + " and has more rows"
	case cause == errEnough:
		x.detail = "the table, which has no end, was read for " + said
	}
}

func (h *Hub) read(ctx context.Context, x *study, r *engine.Reading) (err error) {
	defer h.caught("a table was looked at", &err)
	job, err := r.Start(runtime.Options{Workers: min(studyWorkers, h.tasks(0)), Clock: h.clock, Witness: func(_ string, core *watermark.Core) runtime.Witness {
		found := NewStudy(r, core, h.clock.Now())
		h.studies.mu.Lock()
		x.found = found
		h.studies.mu.Unlock()
		return found
	}})
	if err != nil {
		return err
	}
	return job.Run(ctx)
}

// NewStudy begins to look at the rows that a reading shows, for these delays in microseconds beside those that are looked at anyway. core makes the watermarks, and now is the wall clock in microseconds.
func NewStudy(r *engine.Reading, core *watermark.Core, now int64, delays ...int64) *advice.Study {
	t := advice.Table{Name: r.Table, Column: r.Column, Watermark: r.Watermark, Delay: advice.NoDelay, Default: r.Default, Declared: r.Declared, Instant: r.Instant, Bounded: r.Bounded,
		Strategy: r.Strategy, Delays: delays}
	if r.Constant {
		t.Delay = r.Delay
	}
	return advice.NewStudy(t, core, now)
}

// ForgetAdvice ends the study of a table, if there is one, and forgets what it has found.
func (h *Hub) ForgetAdvice(environment, table, column string) {
	h.studies.remove(studyKey{environment, table, column})
}

// look tells where a study is; false if there is none.
func (s *studies) look(key studyKey) (Advice, bool) {
	s.mu.Lock()
	x := s.all[key]
	s.mu.Unlock()
	if x == nil {
		return Advice{}, false
	}
	return s.tell(x), true
}

func (s *studies) tell(x *study) Advice {
	s.mu.Lock()
	a, found := Advice{x.state, x.detail, x.report}, x.found
	s.mu.Unlock()
	if found != nil {
		a.Report = found.Report()
	}
	return a
}

// put keeps a study; there is true if another one of the same is there. Those that were over first go when there are too many.
func (s *studies) put(key studyKey, x *study) (there bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[key] != nil {
		return true, nil
	}
	running := 0
	for _, other := range s.all {
		if other.state == StudyRunning {
			running++
		}
	}
	if running >= maxStudies {
		return false, fault.Errorf(fault.External, "%d tables are being looked at, and not more are at once; ask again when one is done, or DELETE one", running)
	}
	if s.all == nil {
		s.all = map[studyKey]*study{}
	}
	s.all[key] = x
	s.order = append(s.order, key)
	for i := 0; len(s.all) > keptStudies; i++ {
		if oldest := s.order[i]; s.all[oldest].state != StudyRunning {
			delete(s.all, oldest)
			s.order = slices.Delete(s.order, i, i+1)
			i--
		}
	}
	return false, nil
}

func (s *studies) remove(key studyKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.all[key]; x != nil {
		x.cancel(errGone)
		delete(s.all, key)
		s.order = slices.DeleteFunc(s.order, func(k studyKey) bool { return k == key })
	}
}
