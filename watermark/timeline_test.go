package watermark

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the outcomes in testdata")

// TestTimelines plays testdata/*.timeline against a core. A timeline starts with its strategy; each further line is
//
//	<wall ms> <action> => <outcome>
//
// with the actions
//
//	split p           add a split
//	row p 50 20       a row of p with event time 50 and candidate 20, both in ms; "-" is NULL
//	row p 50 20 a     the same, of value a
//	hand p 50         what its writers promise of p, in ms; "none" for nothing, and "idle" behind it if nobody need wait
//	tick
//	stall p, unstall p, finish p, seal
//	set-back 500      the clock by so many ms: the next line has the new time
//
// and the outcome as Flink would show it: the watermark in ms, "none" before the first and "end" after the last, then "idle"
// when the source is, then "late by <ms>" or "null" if the row is, then "waits for <value>" for every expected value. Under a strategy that begins with "lookahead"
// everything is as lookahead_timeline_test.go says.
func TestTimelines(t *testing.T) {
	files, err := filepath.Glob("testdata/*.timeline")
	if err != nil || len(files) == 0 {
		t.Fatalf("no timelines: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".timeline"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := playTimeline(t, string(text))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			wantLines, gotLines := strings.Split(string(text), "\n"), strings.Split(got, "\n")
			for i := range wantLines {
				if wantLines[i] != gotLines[i] {
					t.Errorf("%s:%d\n got %s\nwant %s", file, i+1, gotLines[i], wantLines[i])
				}
			}
		})
	}
}

// playTimeline returns the text with the outcomes that the core gave.
func playTimeline(t *testing.T, text string) string {
	t.Helper()
	var core *Core
	var looking *looking
	names := map[string]int{}
	lines := strings.Split(text, "\n")
	for n, line := range lines {
		action, _, _ := strings.Cut(line, "=>")
		action = strings.TrimRight(action, " ")
		words := strings.Fields(action)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if words[0] == "strategy" {
			looking = nil
			if words[1] == "lookahead" {
				looking = newLooking(t, words[1:])
			} else {
				core = newCore(parseStrategy(t, words[1:]), 0)
			}
			continue
		}
		if looking != nil {
			lines[n] = fmt.Sprintf("%-32s => %s", action, looking.play(words))
			continue
		}
		if len(words) < 2 || core == nil {
			t.Fatalf("line %d: %q is not <wall ms> <action> after a strategy", n+1, line)
		}
		outcome := playAction(t, core, names, words)
		lines[n] = fmt.Sprintf("%-24s => %s", action, outcome)
	}
	return strings.Join(lines, "\n")
}

func playAction(t *testing.T, core *Core, names map[string]int, words []string) string {
	t.Helper()
	now := millis(t, words[0])
	var out Observed
	before := core.Frontier()
	marked := false
	switch words[1] {
	case "split":
		names[words[2]] = core.AddSplit(now)
	case "row":
		times, candidates := []int64{millis(t, words[3])}, []int64{millis(t, words[4])}
		if len(words) > 5 {
			value, _ := core.Value(words[5])
			core.ObserveValues(names[words[2]], times, candidates, []int32{value}, now, &out)
		} else {
			core.Observe(names[words[2]], times, candidates, now, &out)
		}
		marked = true
	case "hand":
		h := Handover{Frontier: Unset, Active: len(words) == 4}
		if words[3] != "none" {
			h.Frontier = Frontier(millis(t, words[3]))
		}
		core.HandOver(names[words[2]], h, now)
	case "tick":
		core.Tick(now, &out)
		marked = true
	case "stall":
		core.Stall(names[words[2]], now)
	case "unstall":
		core.Unstall(names[words[2]], now)
	case "finish":
		core.FinishSplit(names[words[2]], now)
	case "seal":
		core.SealSplits()
	case "set-back":
		core.SetBack(millis(t, words[2]))
	default:
		t.Fatalf("unknown action %q", words[1])
	}
	if marked && (len(out.Marks) == 1) != (core.Frontier() > before) {
		t.Fatalf("%v: frontier %d to %d with marks %v", words, before, core.Frontier(), out.Marks)
	}
	outcome := showW(core.Frontier())
	if !core.Active() {
		outcome += " idle"
	}
	if len(out.Late) > 0 {
		outcome += fmt.Sprintf(" late by %d", (int64(before)-millis(t, words[3]))/1000)
	}
	if len(out.Null) > 0 {
		outcome += " null"
	}
	core.Publish(now)
	for _, v := range core.Load().Awaited {
		outcome += " waits for " + v
	}
	return outcome
}

func showW(f Frontier) string {
	switch f {
	case Unset:
		return "none"
	case Final:
		return "end"
	}
	return strconv.FormatInt(f.W(), 10)
}

func millis(t *testing.T, word string) int64 {
	t.Helper()
	if word == "-" {
		return NoTime
	}
	v, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v * 1000
}

// parseStrategy reads "on-event 3", "on-periodic 200 0" (interval and eager phase), each optionally with "idle 1000" or
// "idle 1000 to 5000", "flush", "last 3" rows, and "by-value" with "expect a b … end" and "forget 1000".
func parseStrategy(t *testing.T, words []string) Strategy {
	t.Helper()
	s := Replay(1000)
	var timeout, longest int64
	flush := false
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "on-event":
			i++
			s.Emission = OnEvent{Gap: millis(t, words[i]) / 1000}
		case "on-periodic":
			s.Emission = Periodic{Interval: millis(t, words[i+1]), EagerFor: millis(t, words[i+2])}
			i += 2
		case "idle":
			i++
			timeout = millis(t, words[i])
		case "to":
			i++
			longest = millis(t, words[i])
		case "handed-over":
			s.Candidates = HandedOver{}
		case "flush":
			flush = true
		case "last":
			i++
			s.LastRows = millis(t, words[i]) / 1000
		case "by-value":
			s.Dimension = &Dimension{}
		case "expect":
			for i++; words[i] != "end"; i++ {
				s.Dimension.Expected = append(s.Dimension.Expected, words[i])
			}
		case "forget":
			i++
			s.Dimension.Timeout = millis(t, words[i])
		default:
			t.Fatalf("unknown word %q in strategy", words[i])
		}
	}
	switch {
	case longest > 0:
		s.Idleness = Progressive{From: timeout, To: longest, Flush: flush}
	case timeout > 0:
		s.Idleness = Fixed{Timeout: timeout, Flush: flush}
	}
	return s
}
