// Package why answers the first question of everybody whose window does not fire: what is this statement waiting for, since when, what will end that, and what can I do. It looks at what a
// job tells of itself and at nothing else, so that the answer is the same wherever it is asked for.
//
// Open this file first (the answer), then holder.go (what one split is doing), then waiting.go (what an operator waits for) and text.go (how it reads).
package why

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Answer is what a statement waits for.
type Answer struct {
	// At is when that was so, in microseconds of the wall clock.
	At int64
	// Frontier is that of the statement: the least of its sources that take part.
	Frontier watermark.Frontier
	// Sources are those that hold the statement, and behind them the others; in the order of the statement otherwise.
	Sources []Source
	// Waiting are the operators that hold something back, in the order of the rows.
	Waiting []Waiting
}

// State is what the watermark of a source is doing.
type State string

// The states.
const (
	Moving  State = "moving"  // it follows the rows, or the clock where those are ahead of it
	Held    State = "held"    // splits hold it that do not move
	Awaited State = "awaited" // values of the dimension are expected and have not come
	Quiet   State = "quiet"   // none is sent, or not yet
	Idle    State = "idle"    // every split is idle
	Ended   State = "ended"   // the input has ended
)

// Source is what the watermark of a source waits for.
type Source struct {
	// Name is the table, told apart if the statement reads it more than once, and Table the table alone.
	Name, Table string
	// Instant says that its event times are instants.
	Instant  bool
	Frontier watermark.Frontier
	State    State
	// Holds says that the statement waits for this source.
	Holds bool
	// Holders are the splits that hold the watermark, those first that have held it longest; at most a few, and More is how many there are beside.
	Holders []Holder
	More    int
	// Awaited are the values of the dimension that have not come.
	Awaited []string
	// Text is a sentence, Releases what will end the waiting, and Remedies what a person can do.
	Text     string
	Releases []string
	Remedies []Remedy
}

// Remedy is something to do, with SQL to copy if it is done by that; Then is what has to follow before the statement that waits has something of it, "" if nothing.
type Remedy struct{ Text, SQL, Then string }

// Holder is a split that holds the watermark of its source.
type Holder struct {
	Split string
	// Doing is what it does.
	Doing Doing
	// Since is when that began, in microseconds of the wall clock.
	Since int64
	// Frontier is its own. LastTime is its newest event time, NoTime if it had none.
	Frontier watermark.Frontier
	LastTime int64
	Read     int64
	// IdleIn is how many microseconds of silence are left until it is left out, NeverIdle if no silence does that.
	IdleIn int64
	// Upstream is the writer whose watermark it waits for, and Value the value of the dimension that holds it; "" if it is no such thing.
	Upstream, Value string
}

// shown is how many holders are shown.
const shown = 5

// Ask looks at a job as it is now. names are those of the sources, by which several readings of a table are told apart.
func Ask(stats *runtime.Stats, names []string, now int64) Answer {
	a := Answer{At: now, Frontier: stats.Input(), Waiting: waiting(stats)}
	for i := range stats.Sources {
		if s := &stats.Sources[i]; s.Paces() {
			a.Sources = append(a.Sources, ask(s, names[i], now))
		}
	}
	a.order()
	return a
}

// order finds the sources that hold the statement and puts them first.
func (a *Answer) order() {
	all := !slices.ContainsFunc(a.Sources, Source.takesPart)
	var first, rest []Source
	for _, s := range a.Sources {
		s.Holds = s.Frontier == a.Frontier && (all || s.takesPart()) && s.State != Ended
		if s.Holds {
			first = append(first, s)
		} else {
			rest = append(rest, s)
		}
	}
	a.Sources = append(first, rest...)
}

func (s Source) takesPart() bool { return s.State != Idle && s.State != Ended }

func ask(stats *runtime.SourceStats, name string, now int64) Source {
	w := stats.Watermark
	s := Source{Name: name, Table: stats.Name, Instant: stats.Instant, Frontier: w.Frontier, Awaited: w.Awaited}
	limit := aligned(stats)
	for _, i := range w.Holders {
		s.Holders = append(s.Holders, holder(stats, i, limit, now))
	}
	order(s.Holders)
	s.State = state(stats, &s)
	if s.State == Ended || s.State == Idle || s.State == Quiet {
		s.Holders = nil
	}
	s.tell(stats, now)
	if n := len(s.Holders); n > shown {
		s.Holders, s.More = s.Holders[:shown], n-shown
	}
	return s
}

func state(stats *runtime.SourceStats, s *Source) State {
	w := stats.Watermark
	switch {
	case w.Frontier == watermark.Final:
		return Ended
	case !w.Active:
		return Idle
	case stats.Awaits != "":
		return Quiet
	case len(w.Awaited) > 0:
		return Awaited
	case len(s.Holders) == 0, unsent(stats, s):
		return Quiet
	}
	if w.Beyond > 0 {
		return Moving
	}
	for _, h := range s.Holders {
		if h.Doing != Reading {
			return Held
		}
	}
	return Moving
}

// unsent reports whether splits have come further than what the source has told, which is because the strategy tells no more.
func unsent(stats *runtime.SourceStats, s *Source) bool {
	e, periodic := stats.Strategy.Emission.(watermark.Periodic)
	return periodic && e.Interval == 0 && s.Holders[0].Frontier > stats.Watermark.Frontier
}
