package statements

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// What is looked after, in microseconds.
const (
	// A statement that has had no checkpoint for twice the time between two, and so long besides, is not well: what it has written is not shown.
	slack = 300_000_000
	// One that has failed so often in so long a time is not well either, also while it runs.
	oftenIn  = 600_000_000
	oftenNow = 3
	// One that is PENDING for so long is told of. Confluent Cloud: ten minutes.
	pendingLong = 600_000_000
)

// tend looks after all statements.
func (h *Hub) tend() {
	defer h.change()()
	if h.closed {
		return
	}
	full, now := h.pool.full(), h.clock.Now()
	for _, l := range h.lives {
		l.tend(now)
		if full && l.view.Phase.Ended() && l.results != nil && l.results.unread() >= patience {
			l.results.drop() // others wait for room, and nobody has asked for these
		}
	}
}

func (l *life) tend(now int64) {
	if l.unkept != nil {
		_ = l.save() // told when it was tried first, and by Taking
	}
	switch p := l.view.Phase; {
	case (p == Completed || p == Failed) && l.standing == nil && l.hub.options.Keep > 0 && now-l.view.Updated > l.hub.options.Keep:
		l.hub.options.Tell(fmt.Sprintf("%s: forgotten, %s after it was %s", l.view.Name, timefmt.Length(l.hub.options.Keep), p))
		l.remove()
	case p == Pending && now-l.since > pendingLong:
		l.warn(now, Moderate, "PENDING", "the statement has been PENDING for more than ten minutes: something outside that it reads or writes, a broker most likely, does not answer")
	case p == Running && l.stale(now) != "":
		l.become(Degraded, l.stale(now))
	case p == Degraded && l.job != nil:
		l.recover()
	}
}

// stale says that there was no checkpoint for too long, "" if there was.
func (l *life) stale(now int64) string {
	if l.planning == nil || l.planning.interval == 0 || l.job == nil {
		return ""
	}
	past := l.history.Past()
	last := max(past.Began, past.Checkpoint.At)
	if now-last <= 2*l.planning.interval+slack {
		return ""
	}
	text := fmt.Sprintf("there was no checkpoint for %s, and so nothing that was written since is shown", time.Duration(now-last)*time.Microsecond/time.Second*time.Second)
	if past.Miss.Err != nil && past.Miss.At > last {
		text += "; " + render(past.Miss.Err)
	}
	return text
}

// often reports whether the statement has failed often of late.
func (l *life) often(now int64) bool {
	n := 0
	for _, e := range l.exceptions {
		if now-e.At < oftenIn {
			n++
		}
	}
	return n >= oftenNow
}

// recover makes a statement RUNNING again that is well.
func (l *life) recover() {
	now := l.hub.clock.Now()
	past := l.history.Past()
	if l.view.Phase != Degraded || l.stale(now) != "" || past.Checkpoint.At < past.Failure.At {
		return
	}
	if l.often(now) {
		l.view.Detail = fmt.Sprintf("it runs, and has failed %d times in ten minutes or less; the last time: %s", oftenNow, l.exceptions[len(l.exceptions)-1].Message)
		return
	}
	l.become(Running, "")
}

// warn adds a warning, unless there is one for that reason.
func (l *life) warn(now int64, s Severity, reason, text string) {
	for _, w := range l.view.Warnings {
		if w.Reason == reason {
			return
		}
	}
	l.view.Warnings = append(l.view.Warnings, Warning{now, s, reason, text})
	l.write(LevelWarning, text)
}
