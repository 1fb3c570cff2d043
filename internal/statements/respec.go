package statements

import (
	"maps"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/statedir"
)

// The text of a statement stays what it is, except that of a pipeline: there a client writes the whole spec, and what is another one in it is taken up when the pipeline goes on from its checkpoint,
// which it does at once if it runs. Flow: the dynamic spec changes at any time, the static spec while the pipeline is stopped.

// pipelineOf reads the spec of a pipeline, nil if the text is something else.
func pipelineOf(spec *Spec) (*flowspec.Pipeline, error) {
	if !flowspec.Is(spec.SQL) {
		return nil, nil
	}
	return flowspec.Parse(spec.text())
}

// stoppedBy has a spec that says in which state the pipeline is to be decide whether its statement is stopped.
func (s *Spec) stoppedBy(p *flowspec.Pipeline) {
	if p != nil && p.Dynamic.State.Text != "" {
		s.Stopped = p.Dynamic.Stopped()
	}
}

// respec gives a pipeline another spec, which is planned while others can change the statement, and again if what comes of it is another one then.
func (h *Hub) respec(name string, change func(*Statement) error) (Statement, error) {
	if h.plans.lockUntil(h.living) != nil {
		return Statement{}, errClosing
	}
	defer h.plans.unlock()
	var p *planning
	var planned Spec
	for {
		unlock := h.change()
		l, spec, err := h.asked(name, change)
		if err == nil && (!flowspec.Is(spec.SQL) || !flowspec.Is(l.view.SQL) || !maps.Equal(spec.Properties, l.view.Properties)) {
			err = &Invalid{"the text and the properties of a statement cannot be changed; make another statement"}
		}
		if p != nil && err == nil && spec.says(&planned) && spec.Environment == planned.Environment {
			defer unlock()
			return l.respec(spec, p)
		}
		if unlock(); err != nil {
			return Statement{}, err
		}
		p, err = h.plan(h.living, spec)
		switch {
		case h.living.Err() != nil:
			return Statement{}, errClosing
		case err != nil:
			return Statement{}, &Invalid{render(err)}
		}
		planned = spec
	}
}

// respec gives the pipeline another spec that was planned; change was called.
func (l *life) respec(spec Spec, p *planning) (Statement, error) {
	h := l.hub
	after, err := pipelineOf(&spec)
	if err != nil {
		return Statement{}, &Invalid{render(err)}
	}
	spec.stoppedBy(after)
	goesOn, err := l.takes(&spec, after)
	if err != nil {
		return Statement{}, err
	}
	if !spec.Stopped && l.end == nil {
		if err := h.room(l.view.Owner, nil); err != nil {
			return Statement{}, err
		}
	}
	var number int64
	if err := h.aside(func() (err error) {
		if l.end == nil {
			if err := p.fits(h, statedir.At(h.states(), l.view.Name)); err != nil {
				return err
			}
		}
		number, err = h.journal.add(entry{Statement: l.view.Name, UID: l.view.UID, SQL: spec.SQL, Properties: spec.Properties, Environment: spec.Environment})
		return err
	}); err != nil {
		return Statement{}, err
	}
	l.view.Spec, l.planned, l.broken = spec, number, nil
	p.settle()
	switch {
	case goesOn:
		l.planning.traits, l.view.Traits = p.traits, p.traits
	case l.end != nil:
		l.next = p
		l.stop()
	default:
		l.adopt(p)
		if !spec.Stopped {
			l.begin()
		} else if l.view.Phase == Failed {
			l.become(Stopped, "")
		}
	}
	return l.shown(), l.keep()
}

// fits refuses what cannot go on from the newest checkpoint of a pipeline that does not run.
func (p *planning) fits(h *Hub, state statedir.Statement) (err error) {
	defer h.caught("a spec was compared with its checkpoint", &err)
	from, err := state.Outline()
	if err != nil || from == nil {
		return nil // a start tells what is the matter with the folder, and a spec does not mend it
	}
	if err := p.result.Query.Fits(from); err != nil {
		return &Invalid{render(err) + "; " + unfit}
	}
	return nil
}

// unfit is what to do about a spec that cannot go on from the checkpoint of the pipeline.
const unfit = "the spec stays what it was; to begin anew without state, delete the pipeline and create it with this spec"

// takes refuses a spec that the pipeline cannot have now, and tells whether it goes on as it does, since nothing in it changes what runs.
func (l *life) takes(spec *Spec, after *flowspec.Pipeline) (goesOn bool, err error) {
	if l.end == nil {
		if l.view.Phase != Stopped && l.view.Phase != Failed {
			return false, &Invalid{"the pipeline is " + string(l.view.Phase) + ", and its spec changes while it runs, is STOPPED or has FAILED"}
		}
		return false, nil
	}
	if l.view.Phase == Stopping || l.view.Phase == Deleting {
		return false, &Invalid{"the pipeline is " + string(l.view.Phase) + "; ask again when it has stopped"}
	}
	before, err := pipelineOf(&l.view.Spec)
	if err != nil {
		return false, fault.Errorf(fault.Internal, "the spec that runs cannot be read again: %w", err)
	}
	changes, err := flowspec.Changes(before, after)
	if err != nil {
		return false, &Invalid{render(err)}
	}
	for _, c := range changes {
		if c.Applies && c.Path != "target_state" {
			return false, nil
		}
	}
	return !spec.Stopped, nil
}
