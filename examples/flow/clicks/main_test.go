package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
)

// The tables name their files from the root of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func Example() {
	main()
	// Output:
	// +I[c, green, true]
	// +I[a, red, true]
	// +I[b, blue, false]
	// +I[d, red, false]
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func minutes(n float64) time.Time { return noon.Add(time.Duration(n * float64(time.Minute))) }

// steps drive a harness: "shows a red 3" sends, "^shows 5" is a watermark, in minutes behind noon; "restart" does.
func steps(t *testing.T, h *flow.Harness, script string, send func(words []string) flow.Fields) {
	t.Helper()
	for step := range strings.SplitSeq(script, ";") {
		words := strings.Fields(step)
		var at float64
		if len(words) > 1 {
			if _, err := fmt.Sscan(words[len(words)-1], &at); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		switch name, ok := strings.CutPrefix(words[0], "^"); {
		case ok:
			err = h.Watermark(name, minutes(at))
		case name == "restart":
			err = h.Restart()
		default:
			fields := send(words)
			fields[flow.EventTimeField] = minutes(at)
			err = h.Send(name, fields)
		}
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
	}
}

// A click that came before its show and one behind it, a show without clicks, and a click that nobody has shown; a restart anywhere changes nothing.
func TestJoin(t *testing.T) {
	const script = "shows a red 1; shows b blue 2; clicks a 3; clicks c 3; clicks d 2; shows c green 4; ^shows 12.5; ^clicks 11; ^clicks 12.5; ^shows 100; ^clicks 100"
	want := "a red true @3, c green true @3, b blue false @2"
	send := func(words []string) flow.Fields {
		f := flow.Fields{"id": words[1]}
		if words[0] == "shows" {
			f["banner"] = words[2]
		}
		return f
	}
	all := strings.Split(script, ";")
	for at := range len(all) + 1 {
		h, err := flow.NewHarness(spec, "join", computations, flow.Options{Tables: tables})
		if err != nil {
			t.Fatal(err)
		}
		with := script
		if at < len(all) {
			with = strings.Join(all[:at], ";") + ";restart;" + strings.Join(all[at:], ";")
			with = strings.TrimPrefix(with, ";")
		}
		steps(t, h, with, send)
		var got []string
		for _, f := range h.Received("joined") {
			got = append(got, fmt.Sprint(f["id"], " ", f["banner"], " ", f["clicked"], " @", f[flow.EventTimeField].(time.Time).Sub(noon).Minutes()))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("restart before step %d: %s, want %s", at, got, want)
		}
		if h.Timers() != 0 || !h.OutputWatermark("joined").Equal(minutes(100)) {
			t.Errorf("%d timers are left, and the output is at %s", h.Timers(), h.OutputWatermark("joined"))
		}
	}
}
