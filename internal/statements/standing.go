package statements

import (
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/statedir"
)

// A standing query is a statement of its own beside the one that has made it, and runs, stops and is restored as others do. Statements about it are in the journal, and say what it is to be; its
// record says which of them were carried out, so that what a kill has left undone is done when the server starts again.

// standing is what a statement that runs a standing query knows of it.
type standing struct {
	// path is that of the query, and done the number in the journal of the last change that was carried out.
	path string
	done int64
	// query is what it is in the catalog; nil if its text cannot be read again.
	query *catalog.Standing
	executions
	// changing says that a statement is about to change it.
	changing bool
}

// kindStanding is what a statement is that runs a standing query.
const kindStanding = "CREATE_STREAMING_QUERY"

// hold has one statement at a time change a standing query; plans is held.
func (h *Hub) hold(path string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held[path] {
		return fault.Errorf(fault.User, "another statement is changing %s; ask again when it has ended (PRECONDITION_FAILED)", path)
	}
	h.held[path] = true
	return nil
}

func (h *Hub) release(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.held, path)
}

// stand carries out what a statement says about a standing query. It does so whether the statement is to stop or not, since the journal has it: a statement that comes later goes on from there.
func (p *planning) stand(by *life) error {
	h, s := by.hub, p.result.Standing
	path := s.Path.String()
	defer h.release(path)
	unlock := h.change()
	l := h.standingOf(path)
	switch {
	case h.closed:
		unlock()
		return errClosing
	case l != nil && l.standing.done >= by.planned, l == nil && s.Change == engine.Dropped: // it was carried out before a kill
		unlock()
		return nil
	case l == nil:
		err := h.addStanding(p, by)
		unlock()
		if err != nil {
			p.unmake(by)
		}
		return err
	}
	for l.quiet(s) != nil {
		over := l.over
		unlock()
		select {
		case <-over:
		case <-h.living.Done():
		}
		if unlock = h.change(); h.closed {
			defer unlock()
			l.standing.changing = false // it is carried out when the server starts anew
			return errClosing
		}
	}
	defer unlock()
	if s.Change == engine.Dropped {
		return nil
	}
	l.standing.changing = false
	if err := l.carryOut(s.Change, p, by.view.Spec, by.planned); err != nil || l.view.Spec.Stopped || l.end != nil {
		return err
	}
	if err := h.room(l.view.Owner, by); err != nil {
		l.view.Spec.Stopped = true
		l.become(Stopped, err.Error())
		return err
	}
	l.begin()
	return nil
}

// quiet asks the run of a statement to end, if it has to for a change of its standing query, and gives what is closed when that is over; nil if nothing is to be waited for. It may run again then, if
// it was to become something else first.
func (l *life) quiet(s *engine.Standing) (over chan struct{}) {
	l.standing.changing = true
	switch {
	case s.Change == engine.Dropped:
		if l.hub.lives[l.view.Name] == l {
			l.delete()
		}
	case l.end != nil && (s.Change != engine.Set || !s.Run || s.Interval() != l.standing.interval()):
		l.stop()
	}
	if l.end != nil && (l.view.Phase == Stopping || l.view.Phase == Deleting) {
		return l.over
	}
	return nil
}

// standingOf is the statement that runs a standing query, nil if there is none; mu is held.
func (h *Hub) standingOf(path string) *life {
	for _, l := range h.lives {
		if l.standing != nil && l.standing.path == path && l.view.Phase != Deleting {
			return l
		}
	}
	return nil
}

// addStanding makes the statement that runs a new standing query, for one that ends then; change was called.
func (h *Hub) addStanding(p *planning, ends *life) error {
	spec := ends.view.Spec.clone()
	spec.Stopped = !p.result.Standing.Run
	if err := h.place(spec, ends); err != nil {
		return err
	}
	l := h.newStanding(p, spec, ends.planned)
	if err := l.save(); err != nil {
		return err
	}
	h.lives[l.view.Name] = l
	if !spec.Stopped {
		l.begin()
	}
	return nil
}

// newStanding is the statement that runs what p has made; change was called.
func (h *Hub) newStanding(p *planning, by Spec, number int64) *life {
	s := p.result.Standing
	spec := by.clone()
	spec.SQL, spec.Stopped = s.SQL(), !s.Run
	now := h.clock.Now()
	l := newLife(h, Statement{Name: h.standingName(s.Name), UID: rand.Text(), Spec: spec, Created: now, Updated: now, Version: 1, Phase: Pending})
	l.standing = &standing{path: s.Path.String(), done: number, query: s.Standing}
	if spec.Stopped {
		l.view.Phase = Stopped
	}
	l.adopt(p.stands())
	return l
}

// carryOut makes a change of a statement that does not run, or goes on as before; change was called.
func (l *life) carryOut(c engine.Change, p *planning, by Spec, number int64) error {
	s := p.result.Standing
	state := statedir.At(l.hub.states(), l.view.Name)
	var err error
	switch c {
	case engine.Rewritten:
		err = l.hub.aside(state.SetAside)
	case engine.Created, engine.Anew:
		err = l.hub.aside(state.Discard)
	}
	if err != nil {
		return err
	}
	if s.Query != nil && s.Change != engine.Set {
		l.view.Properties, l.view.Environment = by.clone().Properties, by.Environment
		l.broken = nil
		l.adopt(p.stands())
	}
	if l.end == nil && l.planning != nil {
		l.planning.result.Query.Every(s.Interval())
	}
	l.view.SQL, l.view.Spec.Stopped = s.SQL(), !s.Run
	l.standing.done, l.standing.query = number, s.Standing
	if l.end == nil && !s.Run {
		l.become(Stopped, "")
		return nil
	}
	return l.keep()
}

// interval is how often the query asks for checkpoints, in microseconds.
func (s *standing) interval() int64 {
	if s.query == nil {
		return 0
	}
	return (&engine.Standing{Standing: s.query}).Interval()
}

// stands is the planning of the statement that runs what p has made.
func (p *planning) stands() *planning {
	q := p.result.Standing.Query
	return &planning{result: &engine.Result{Query: q, Notes: p.result.Notes}, traits: &Traits{Kind: kindStanding, Bounded: q.Bounded(), AppendOnly: !q.Updates()}}
}

// unmake takes back a standing query for which there is no place.
func (p *planning) unmake(by *life) {
	h := by.hub
	h.plans.lock()
	h.engine.Revert(p.result.Standing)
	h.plans.unlock()
	if _, err := h.journal.add(entry{Undone: by.planned}); err != nil {
		h.options.Tell(err.Error())
	}
	defer h.change()()
	by.planned = 0
}

// standingName is a free name for the statement that runs a standing query, like the name of that; mu is held.
func (h *Hub) standingName(of string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, of)
	name = strings.Trim(name[:min(len(name), MaxName-10)], "-")
	if name == "" {
		name = "query"
	}
	free := name
	for n := 2; h.lives[free] != nil; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return free
}

// stood is what the journal says of a standing query.
type stood struct {
	last    *planning // of the last statement about it, and number that in the journal
	text    *planning // of the last that gave it a text
	texts   []stoodText
	by      Spec
	number  int64
	changes []stoodChange
	broken  error // why its text cannot be planned again
}

type stoodChange struct {
	number int64
	change engine.Change
}

// stoodText is a text that it had from an entry of the journal on.
type stoodText struct {
	number   int64
	planning *planning
}

// textAt is the text that it had at an entry, nil if it had none, or has another since in which nothing is to be wound up.
func (st *stood) textAt(number int64) (at *planning) {
	for _, t := range st.texts {
		if t.number <= number {
			at = t.planning
		}
	}
	if at == st.text {
		return nil
	}
	return at
}

// note collects what the journal says of standing queries. An entry that cannot be executed again is an error about the query that it names.
func note(all map[string]*stood, e entry, path string, p *planning, err error) {
	if path == "" || err == nil && p.result.Standing == nil {
		return
	}
	st := all[path]
	if st == nil {
		st = &stood{}
		all[path] = st
	}
	if err != nil {
		st.broken = err
		return
	}
	s := p.result.Standing
	if s.Change == engine.Dropped {
		delete(all, path)
		return
	}
	st.last, st.number, st.by = p, e.Number, Spec{Properties: e.Properties, Environment: e.Environment}
	st.changes = append(st.changes, stoodChange{e.Number, s.Change})
	if s.Query != nil && s.Change != engine.Set {
		st.text, st.broken = p, nil
		st.texts = append(st.texts, stoodText{e.Number, p})
	}
}

// settleStanding brings statements to what the journal says of the standing queries that they run: they have their plans again, and what was not carried out before a kill is; change was called.
func (h *Hub) settleStanding(all map[string]*stood) error {
	for _, l := range h.lives {
		if l.standing == nil {
			continue
		}
		st := all[l.standing.path]
		if delete(all, l.standing.path); st == nil {
			l.view.Phase = Deleting // goOn removes it
		} else if err := l.standAgain(st); err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		st := all[path]
		if st.text == nil || st.broken != nil {
			continue
		}
		p := *st.text
		result := *p.result
		result.Standing = &engine.Standing{Standing: st.last.result.Standing.Standing, Query: st.text.result.Standing.Query}
		result.Standing.Query.Every(result.Standing.Interval())
		p.result = &result
		l := h.newStanding(&p, st.by, st.number)
		if err := l.save(); err != nil {
			return err
		}
		h.lives[l.view.Name] = l
	}
	return nil
}

// standAgain gives a statement the plan of its standing query, and carries out what the journal has and it has not.
func (l *life) standAgain(st *stood) error {
	if l.broken = st.broken; l.broken != nil {
		return nil
	}
	if was := st.textAt(l.standing.done); was != nil && !l.view.Phase.Ended() {
		// What it has prepared is to come to light first, and only what has prepared it can do that.
		l.adopt(was.stands())
		l.standing.query, l.standing.changing, l.redo = was.result.Standing.Standing, true, st
		return nil
	}
	return l.redoChanges(st)
}

// redoChanges carries out what the journal has and the statement has not; change was called, and it does not run.
func (l *life) redoChanges(st *stood) error {
	l.adopt(st.text.stands())
	l.planning.result.Query.Every(st.last.result.Standing.Interval())
	l.standing.query = st.last.result.Standing.Standing
	done := l.standing.done
	for _, c := range st.changes {
		if c.number <= done {
			continue
		}
		if err := l.carryOut(c.change, st.last, l.view.Spec, c.number); err != nil {
			return err
		}
		if l.view.Phase = Pending; l.view.Spec.Stopped {
			l.view.Phase = Stopped
		}
	}
	return nil
}
