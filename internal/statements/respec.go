package statements

import (
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
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

// respec gives a pipeline another spec.
func (h *Hub) respec(name string, spec Spec) (Statement, error) {
	after, err := pipelineOf(&spec)
	if err != nil {
		return Statement{}, &Invalid{render(err)}
	}
	spec.stoppedBy(after)
	h.plans.Lock()
	defer h.plans.Unlock()
	p, err := h.plan(spec)
	if err != nil {
		return Statement{}, &Invalid{render(err)}
	}
	defer h.change()()
	l, err := h.find(name)
	if err != nil {
		return Statement{}, err
	}
	goesOn, err := l.takes(&spec, after)
	if err != nil {
		return Statement{}, err
	}
	if !spec.Stopped && l.end == nil {
		if err := h.room(l.view.Owner, nil); err != nil {
			return Statement{}, err
		}
	}
	number, err := h.journal.add(entry{Statement: name, UID: l.view.UID, SQL: spec.SQL, Properties: spec.Properties, Environment: spec.Environment})
	if err != nil {
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
		}
	}
	return l.shown(), l.keep()
}

// takes refuses a spec that the pipeline cannot have now, and tells whether it goes on as it does, since nothing in it changes what runs.
func (l *life) takes(spec *Spec, after *flowspec.Pipeline) (goesOn bool, err error) {
	if l.end == nil {
		if l.view.Phase != Stopped {
			return false, &Invalid{"the pipeline is " + string(l.view.Phase) + ", and its spec changes while it runs or is STOPPED"}
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
