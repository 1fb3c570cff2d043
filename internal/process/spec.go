package process

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Spec says what a function reads, keeps and writes.
type Spec struct {
	// Name is that of the computation, for people.
	Name    string
	Inputs  []Input
	Timers  []TimerStream
	Outputs []Output
	Limits  Limits
	// New makes the function of a task. Its errors are the user's.
	New func() (Function, error)
}

// Input is a stream that is read.
type Input struct {
	Name    string
	Columns types.Schema
	// Keys are the columns of the key; those of all inputs have the same types. Without any, all rows have one key.
	Keys []int
	// EventTime and SystemTime are the columns that say when a row happened and when it came to exist, of time; -1 if none does. A row without a system time has the time of the clock.
	EventTime, SystemTime int
}

// Output is a stream that is written.
type Output struct {
	Name    string
	Columns types.Schema
	// EventTime and SystemTime are the columns that are filled in, of time; -1 if there is none. Code cannot write them by name.
	EventTime, SystemTime int
	// From is what rows can be made of; nil is everything. What is not in it does not hold the stream back.
	From *Parents
}

// Parents are the streams that something can come from.
type Parents struct{ Inputs, Timers []int }

// Scale is a way to count time for timers.
type Scale uint8

// The scales. What a trigger is compared with is the frontier of event time, the system frontier, and the clock.
const (
	EventTime Scale = iota
	SystemTime
	RealTime
)

// String names the scale.
func (s Scale) String() string { return [...]string{"event_time", "system_time", "real_time"}[s] }

// TimerStream is timers of one kind.
type TimerStream struct {
	Name  string
	Scale Scale
	// Watches are the streams whose watermarks count, the least of them; nil is those that can set timers, see Spec.Watches. It means nothing in real time, and in system time they are inputs: timers do not hold that back.
	Watches []Watched
	// From is what can set timers; nil is all inputs, and no timers.
	From *Parents
	// KeepEqual keeps timers of one key and trigger apart; otherwise there is one, with the least event time.
	KeepEqual bool
}

// Watched is a stream whose watermark counts, as far behind itself as Delay says, in microseconds.
type Watched struct {
	// Input is an input; -1 if it is the timer stream Timer. That is as far as what can set its timers, and no further than what those that wait hold back.
	Input, Timer int
	Delay        int64
}

// Limits bound what all instances keep together; 0 is no limit.
type Limits struct {
	// Timers is how many there are, TimerBytes about how much memory they take.
	Timers, TimerBytes int64
}

// DefaultLimits are those of YTsaurus Flow.
var DefaultLimits = Limits{Timers: 250_000, TimerBytes: 100 << 20}

// inputs are the inputs in p, of n.
func (p *Parents) inputs(n int) []int {
	if p != nil {
		return p.Inputs
	}
	return upTo(n)
}

// timers are the timer streams in p, of n.
func (p *Parents) timers(n int) []int {
	if p != nil {
		return p.Timers
	}
	return upTo(n)
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// HoldsInputs are the inputs that hold back output k, HoldsTimers the timer streams.
func (s *Spec) HoldsInputs(k int) []int { return s.Outputs[k].From.inputs(len(s.Inputs)) }

// HoldsTimers are the timer streams that hold back output k.
func (s *Spec) HoldsTimers(k int) []int { return s.Outputs[k].From.timers(len(s.Timers)) }

// Sets are the inputs that can set timers of stream t, and the timer streams that can.
func (s *Spec) Sets(t int) Parents {
	if from := s.Timers[t].From; from != nil {
		return *from
	}
	return Parents{Inputs: upTo(len(s.Inputs))}
}

// Origins are the inputs that p goes back to, and the timer streams, also by way of timers that set others.
func (s *Spec) Origins(p Parents) Parents {
	all := Parents{Inputs: slices.Clone(p.Inputs), Timers: slices.Clone(p.Timers)}
	for i := 0; i < len(all.Timers); i++ { // it grows meanwhile
		from := s.Sets(all.Timers[i])
		all.Inputs = append(all.Inputs, from.Inputs...)
		for _, t := range from.Timers {
			if !slices.Contains(all.Timers, t) {
				all.Timers = append(all.Timers, t)
			}
		}
	}
	slices.Sort(all.Inputs)
	all.Inputs = slices.Compact(all.Inputs)
	return all
}

// Watches are the streams whose watermarks make timers of stream t due. YTsaurus Flow: those that can set them unless others are named; a timer stream does not wait for itself.
func (s *Spec) Watches(t int) []Watched {
	w, from := s.Timers[t].Watches, s.Sets(t)
	switch scale := s.Timers[t].Scale; {
	case scale == RealTime:
		return nil
	case w != nil:
		return w
	case scale == SystemTime:
		return watched(s.Origins(from).Inputs)
	}
	all := watched(from.Inputs)
	for _, u := range from.Timers {
		if u != t {
			all = append(all, Watched{Input: -1, Timer: u})
		}
	}
	return all
}

func watched(inputs []int) (w []Watched) {
	for _, i := range inputs {
		w = append(w, Watched{Input: i})
	}
	return w
}

// Follows reports whether timers wait for others, which may be those of another key: all keys have to be in one place then.
func (s *Spec) Follows() bool {
	for t := range s.Timers {
		if slices.ContainsFunc(s.Watches(t), func(w Watched) bool { return w.Input < 0 }) {
			return true
		}
	}
	return false
}
