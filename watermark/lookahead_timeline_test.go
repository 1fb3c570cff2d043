package watermark

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// looking plays the timelines of Lookahead, which count in seconds and in frontiers that do not include their own instant, as Flow does:
//
//	split p                     add a split; "split p dc1": to a group
//	fetch p A 1000 1010.5 -     a batch A of p is read, with these event times; "-" is NULL; before them "@900" if it was written then, and not now
//	held p 1000 1010            rows from one time to another are read, and not let into the statement; the next fetch has them
//	done p A                    it is completed
//	empty p                     p is confirmed to be empty
//	fail p, work p              a try to read p fails, works
//	tick, finish p, seal, restart
//	system                      the system frontier of the source, and of each split
//
// The outcome of what is said of one split is its frontier of what is completed, "/", that of what is fetched, then the late rows of a batch. That of the others is the frontier of the source, with what
// each split counted at the last tick and why it was lifted, and the stall if there is one.
type looking struct {
	t        *testing.T
	strategy Strategy
	core     *Core
	names    []string
	batches  map[string]int64
}

// newLooking reads "lookahead 60", the bound, with "in-flight 90 60", "late-data 80 50", "outages 1 1 600" and "lift 60 0.4".
func newLooking(t *testing.T, words []string) *looking {
	g := Lookahead{InFlight: All, LateData: All}
	l := &looking{t: t, strategy: Strategy{Tick: 1000, Emission: Periodic{Interval: DefaultInterval}, Idleness: Never{}}, batches: map[string]int64{}}
	number := func(i int) int { return int(l.seconds(words[i]) / second) }
	for i := 0; i < len(words); {
		switch words[i] {
		case "lookahead":
			g.Bound = l.seconds(words[i+1])
			i += 2
		case "in-flight":
			g.InFlight = Percentile{number(i + 1), l.seconds(words[i+2])}
			i += 3
		case "late-data":
			g.LateData = Percentile{number(i + 1), l.seconds(words[i+2])}
			i += 3
		case "outages":
			g.Outages = Outages{number(i + 1), number(i + 2), l.seconds(words[i+3])}
			i += 4
		case "lift":
			ratio, err := strconv.ParseFloat(words[i+2], 64)
			if err != nil {
				t.Fatal(err)
			}
			l.strategy.Idleness = Lift{l.seconds(words[i+1]), ratio}
			i += 3
		default:
			t.Fatalf("unknown word %q in strategy", words[i])
		}
	}
	l.strategy.Candidates = g
	l.core = newCore(l.strategy, 0)
	return l
}

func (l *looking) seconds(word string) int64 {
	l.t.Helper()
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		l.t.Fatal(err)
	}
	return int64(v * float64(second))
}

func (l *looking) split(name string) int {
	for i, n := range l.names {
		if n == name {
			return i
		}
	}
	l.t.Fatalf("no split %q", name)
	return 0
}

func (l *looking) play(words []string) string {
	now := l.seconds(words[0])
	var out Observed
	before := l.core.Frontier()
	defer func() {
		if f := l.core.Frontier(); f < before || words[1] == "tick" && f > before != (len(out.Marks) == 1) {
			l.t.Errorf("%v: frontier %d to %d, marks %v", words, before, f, out.Marks)
		}
	}()
	if len(words) > 2 && words[1] != "split" {
		i := l.split(words[2])
		late := l.one(i, now, words, &out)
		l.core.Publish(now)
		a := l.core.Load().Splits[i].Lookahead
		return inSeconds(a.Completed) + "/" + inSeconds(a.Fetched) + late
	}
	switch words[1] {
	case "split":
		l.names = append(l.names, words[2])
		i := l.core.AddSplit(now)
		if len(words) > 3 {
			l.core.SetGroup(i, words[3])
		}
	case "tick":
		l.core.Tick(now, &out)
	case "seal":
		l.core.SealSplits()
	case "system":
		return l.system(now)
	case "restart":
		state := l.core.AppendState(nil)
		l.core = newCore(l.strategy, now)
		if err := l.core.Restore(state); err != nil {
			l.t.Fatal(err)
		}
	default:
		l.t.Fatalf("unknown action %q", words[1])
	}
	return l.all(now)
}

// one plays what is said of split i and tells which rows were late.
func (l *looking) one(i int, now int64, words []string, out *Observed) string {
	switch words[1] {
	case "fetch":
		var times []int64
		written := now
		if at, ok := strings.CutPrefix(words[4], "@"); ok {
			written = l.seconds(at)
			words = append(words[:4:4], words[5:]...)
		}
		for _, w := range words[4:] {
			if w == "-" {
				times = append(times, NoTime)
				continue
			}
			times = append(times, l.seconds(w))
		}
		l.core.Observe(i, times, times, now, out)
		if number, ok := l.core.Fetched(i, written, written); ok {
			l.batches[words[3]] = number
		}
		late := ""
		for _, row := range out.Late {
			late += " late " + words[4+row]
		}
		return late
	case "held":
		l.core.Announce(i, l.seconds(words[3]), l.seconds(words[4]), now, now)
	case "done":
		l.core.Complete(i, l.batches[words[3]])
	case "empty":
		l.core.ConfirmEmpty(i, now)
	case "fail":
		l.core.ReadFailed(i, now)
	case "work":
		l.core.ReadWorked(i)
	case "finish":
		l.core.FinishSplit(i, now)
	default:
		l.t.Fatalf("unknown action %q", words[1])
	}
	return ""
}

func (l *looking) system(now int64) string {
	l.core.Publish(now)
	s := l.core.Load()
	parts := []string{inSeconds(s.System)}
	for i, x := range s.Splits {
		parts = append(parts, l.names[i]+" "+inSeconds(x.Lookahead.System))
	}
	return strings.Join(parts, "; ")
}

func (l *looking) all(now int64) string {
	l.core.Publish(now)
	s := l.core.Load()
	parts := []string{inSeconds(s.Frontier)}
	for i, x := range s.Splits {
		part := l.names[i] + " " + inSeconds(x.Frontier)
		if x.Lookahead.Lifted != NotLifted {
			part += " " + x.Lookahead.Lifted.String()
		}
		parts = append(parts, part)
	}
	if s.Stall != (Stall{}) {
		parts = append(parts, fmt.Sprintf("stall: %d of %d empty, %d gating, ratio %g", s.Stall.Empty, s.Stall.Total, s.Stall.Gating, s.Stall.Ratio))
	}
	return strings.Join(parts, "; ")
}

func inSeconds(f Frontier) string {
	switch f {
	case Unset:
		return "none"
	case Final:
		return "end"
	}
	return strconv.FormatFloat(float64(f)/float64(second), 'f', -1, 64)
}
