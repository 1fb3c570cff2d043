package flow_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/flow"
)

// seen has a map that nobody made.
type seen struct{ ids map[string]int }

func (s *seen) note(id string) { s.ids[id]++ }

// TestRenderOfAPanic shows the lines of the program that led to it, wherever its code was called from, and none of the engine's.
func TestRenderOfAPanic(t *testing.T) {
	broken := &seen{}
	note := func() { broken.note("a") }
	for name, computation := range map[string]func() flow.Computation{
		"ProcessMessage": func() flow.Computation { return handling{message: note} },
		"OnTimer":        func() flow.Computation { return handling{timer: note} },
		"made":           func() flow.Computation { note(); return nil },
	} {
		all := flow.Computations{"remind": computation}
		errs := map[string]error{"run": flow.Run(t.Context(), reminders, all, flow.Options{Stdin: strings.NewReader(orders)}),
			"run with state": flow.Run(t.Context(), reminders, all, flow.Options{Stdin: strings.NewReader(orders), StateDir: t.TempDir()})}
		if h, err := flow.NewHarness(reminders, "remind", all, flow.Options{}); err != nil {
			errs["harness"] = err
		} else if name == "ProcessMessage" {
			errs["harness"] = h.Send("orders", flow.Fields{"id": "a", "what": "placed"})
		}
		for where, err := range errs {
			text := flow.Render(err)
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if len(lines) < 3 || !strings.HasSuffix(lines[0], "assignment to entry in nil map") || !strings.Contains(lines[1], "render_test.go:14, in ") || !strings.HasSuffix(lines[1], "flow_test.(*seen).note") {
				t.Errorf("%s, %s:\n%s", name, where, text)
			}
			for _, line := range lines[1:] {
				if !strings.Contains(line, "flow_test.") {
					t.Errorf("%s, %s: it shows\n%s", name, where, line)
				}
			}
		}
	}
	if text := flow.Render(nil); text != "" {
		t.Errorf("no error is %q", text)
	}
	if text := flow.Render(errors.New("no such banner")); text != "error: no such banner\n" {
		t.Errorf("an error is %q", text)
	}
}
