package compile

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// remembering is a sink whose state is its name.
type remembering struct {
	name      string
	recovered string
}

func (r *remembering) Write(*vector.Batch) error      { return nil }
func (r *remembering) Flush() error                   { return nil }
func (r *remembering) Close() error                   { return nil }
func (r *remembering) Seal() (connector.Epoch, error) { return r, nil }
func (r *remembering) Prepare() ([]byte, error)       { return []byte(r.name), nil }
func (r *remembering) Commit() error                  { return nil }
func (r *remembering) Recover(from connector.Recovery) error {
	r.recovered = string(from.State)
	return nil
}

// forked makes a fork of sinks with these names, of which the first few take results.
func forked(names string, results int) (*fork, []*remembering) {
	f := &fork{results: results}
	var all []*remembering
	for _, name := range strings.Fields(names) {
		all = append(all, &remembering{name: name})
		f.add(all[len(all)-1], 1)
	}
	return f, all
}

// stateOf is what a checkpoint would know of the sinks of f.
func stateOf(t *testing.T, f *fork) []byte {
	t.Helper()
	c, ok := f.sink().(connector.Checkpointed)
	if !ok {
		t.Fatal("no checkpoints")
	}
	if err := c.Recover(connector.Recovery{}); err != nil {
		t.Fatal(err)
	}
	e, err := c.Seal()
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.Prepare()
	if err != nil || e.Commit() != nil {
		t.Fatal(err)
	}
	return b
}

// TestStatesOfAFork: every sink gets back what it said, and one that keeps rows only since now begins, whatever the results were before.
func TestStatesOfAFork(t *testing.T) {
	for _, c := range []struct {
		before   string
		results  int
		after    string
		results2 int
		want     string
	}{
		{"a", 1, "a", 1, "a"},
		{"a b", 2, "a b", 2, "a b"},
		{"a k", 1, "a k", 1, "a k"},
		{"a b k l", 2, "a b k l", 2, "a b k l"},
		{"a", 1, "a k", 1, "a -"},
		{"a b", 2, "a b k", 2, "a b -"},
	} {
		from, _ := forked(c.before, c.results)
		to, sinks := forked(c.after, c.results2)
		if err := to.sink().(connector.Checkpointed).Recover(connector.Recovery{State: stateOf(t, from)}); err != nil {
			t.Errorf("%s to %s: %v", c.before, c.after, err)
			continue
		}
		var got []string
		for _, s := range sinks {
			if s.recovered == "" {
				s.recovered = "-"
			}
			got = append(got, s.recovered)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s to %s: %s, want %s", c.before, c.after, text, c.want)
		}
	}
}

// FuzzStatesOfAFork: bytes that are no state of a fork are an error and nothing worse.
func FuzzStatesOfAFork(f *testing.F) {
	for _, seed := range []string{"", "\x03", "\x02a\x02b", "\x03\x02a\x02\x01", "\x03\x02a\x04\x02k", "{}"} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, b []byte, keeps bool) {
		results := 2
		if keeps {
			results = 1
		}
		to, sinks := forked("a b", results)
		if err := to.Recover(connector.Recovery{State: b}); err == nil && len(sinks[0].recovered)+len(sinks[1].recovered) > len(b) {
			t.Errorf("%q is more than there was in %q", sinks[0].recovered+sinks[1].recovered, b)
		}
	})
}
