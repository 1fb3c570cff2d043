package statements

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Full is that a limit of Options is reached. Its text is for people.
type Full struct{ What string }

func (e *Full) Error() string { return e.What }

// place refuses another statement if there is none for it; mu is held. One that is about to end does not count as running.
func (h *Hub) place(spec Spec, ends *life) error {
	if most := h.options.Statements; most > 0 && len(h.lives) >= most {
		return &Full{fmt.Sprintf("there are %d statements, and no more are kept; delete some that have ended (--max-statements)", len(h.lives))}
	}
	if spec.Stopped {
		return nil
	}
	return h.room(spec.Owner, ends)
}

// room refuses to run another statement of an owner if too many run; mu is held.
func (h *Hub) room(owner string, ends *life) error {
	all, own := 0, 0
	for _, l := range h.lives {
		if l.view.Phase.Ended() || l == ends {
			continue
		}
		all++
		if l.view.Owner == owner {
			own++
		}
	}
	switch o := h.options; {
	case o.Running > 0 && all >= o.Running:
		return &Full{fmt.Sprintf("%d statements run already, and there is no room for another; stop or delete one (--max-running)", all)}
	case owner != "" && o.RunningOfOwner > 0 && own >= o.RunningOfOwner:
		return &Full{fmt.Sprintf("%d statements run already that were made with the key '%s'; stop or delete one (--max-running-per-key)", own, owner)}
	}
	return nil
}

// Taking tells why no statements are taken, nil if they are.
func (h *Hub) Taking() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return errClosing
	}
	for _, l := range h.lives {
		if l.unkept != nil {
			return fault.Errorf(fault.External, "what became of a statement could not be written down: %w", l.unkept)
		}
	}
	return h.journal.trouble()
}

// trouble is why nothing can be written any more, nil if it can as far as is known.
func (j *journal) trouble() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failure != nil {
		return fault.Errorf(fault.External, "the last statement could not be written down: %w", j.failure)
	}
	return nil
}
