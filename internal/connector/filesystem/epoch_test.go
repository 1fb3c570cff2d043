package filesystem

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// TestCopiedBesideItsOrigin has a sink go on from a checkpoint of another one that goes on too: neither touches what the other writes.
func TestCopiedBesideItsOrigin(t *testing.T) {
	folder := t.TempDir()
	seal := func(s *Sink, first int) *epoch {
		t.Helper()
		if err := s.Write(batch(first, 2)); err != nil {
			t.Fatal(err)
		}
		e, err := s.Seal()
		if err != nil {
			t.Fatal(err)
		}
		return e.(*epoch)
	}
	prepare := func(e *epoch) []byte {
		t.Helper()
		state, err := e.Prepare()
		if err != nil {
			t.Fatal(err)
		}
		return state
	}
	origin := makeSink(t, folder)
	if err := origin.Recover(connector.Recovery{}); err != nil {
		t.Fatal(err)
	}
	shared := seal(origin, 0)
	state := prepare(shared)
	behind := seal(origin, 10)
	prepare(behind)

	copied := makeSink(t, folder)
	if err := copied.Recover(connector.Recovery{State: state, Copied: true}); err != nil {
		t.Fatal(err)
	}
	own := seal(copied, 20)
	prepare(own)
	for _, e := range []*epoch{shared, own, behind} {
		if err := e.Commit(); err != nil {
			t.Error(err)
		}
	}
	visible, invisible := names(t, folder)
	runs := map[string]int{}
	for _, n := range visible {
		runs[strings.Split(n, "-")[1]]++
	}
	if len(visible) != 3 || len(invisible) != 0 || len(runs) != 2 || runs[copied.run] != 1 {
		t.Errorf("parts %q, hidden %q", visible, invisible)
	}

	// The copy goes on from its own checkpoints as every statement does.
	again := makeSink(t, folder)
	if err := again.Recover(connector.Recovery{State: prepare(seal(copied, 30))}); err != nil {
		t.Fatal(err)
	}
	if visible, _ = names(t, folder); again.run != copied.run || len(visible) != 4 {
		t.Errorf("run %s, want %s; parts %q", again.run, copied.run, visible)
	}
}
