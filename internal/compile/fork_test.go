package compile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// recorder is a sink that writes down what is asked of it.
type recorder struct {
	name  string
	log   *[]string
	fails bool
}

func (r *recorder) note(what string) { *r.log = append(*r.log, what+" "+r.name) }

func (*recorder) Write(*vector.Batch) error { return nil }
func (*recorder) Flush() error              { return nil }
func (*recorder) Close() error              { return nil }
func (r *recorder) Recover(x connector.Recovery) error {
	r.note(fmt.Sprintf("recover %q", x.State))
	return nil
}
func (r *recorder) Seal() (connector.Epoch, error) { r.note("seal"); return epochOf{r}, nil }

type epochOf struct{ *recorder }

func (e epochOf) Prepare() ([]byte, error) { e.note("prepare"); return []byte(e.name), nil }
func (e epochOf) Commit() error {
	e.note("commit")
	if e.fails {
		return errCommit
	}
	return nil
}

var errCommit = errors.New("it was given up")

// transacting is such a sink of a system with transactions.
type transacting struct {
	recorder
	system string
}

func (t *transacting) System() (string, error) { return t.system, nil }
func (t *transacting) Join(first connector.Transactional) error {
	t.note("join " + first.(*transacting).name + " by")
	return nil
}

// TestForkWithTransactions: who can fail to commit recovers, prepares and commits first and is sealed last, others of its system have joined it, and if it does fail nobody else commits.
func TestForkWithTransactions(t *testing.T) {
	var log []string
	forked := func() (*fork, *transacting) {
		first := &transacting{recorder{"b", &log, false}, "here"}
		f := &fork{}
		for _, s := range []connector.Sink{&recorder{"a", &log, false}, &transacting{recorder{"plain", &log, false}, ""}, first, &transacting{recorder{"c", &log, false}, "here"}} {
			f.add(s, 1)
			f.results++
		}
		return f, first
	}
	expect := func(what string, want ...string) {
		t.Helper()
		if !slices.Equal(log, want) {
			t.Errorf("%s: %q, want %q", what, log, want)
		}
		log = nil
	}
	f, first := forked()
	if err := f.Recover(connector.Recovery{}); err != nil {
		t.Fatal(err)
	}
	expect("recovery", "join b by c", `recover "" b`, `recover "" a`, `recover "" plain`, `recover "" c`)
	e, err := f.Seal()
	if err != nil {
		t.Fatal(err)
	}
	expect("seal", "seal c", "seal plain", "seal a", "seal b")
	state, err := e.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	expect("preparation", "prepare b", "prepare a", "prepare plain", "prepare c")
	if err := e.Commit(); err != nil {
		t.Fatal(err)
	}
	expect("commit", "commit b", "commit a", "commit plain", "commit c")
	first.fails = true
	if e, err = f.Seal(); err != nil {
		t.Fatal(err)
	}
	log = nil
	if err := e.Commit(); !errors.Is(err, errCommit) {
		t.Errorf("a commit that failed: %v", err)
	}
	expect("a commit that fails", "commit b")
	again, _ := forked()
	if err := again.Recover(connector.Recovery{State: state}); err != nil {
		t.Fatal(err)
	}
	expect("each has its own state", "join b by c", `recover "b" b`, `recover "a" a`, `recover "plain" plain`, `recover "c" c`)

	f, first = forked()
	first.system = "there"
	if err := f.Recover(connector.Recovery{}); fault.Of(err) != fault.User || !strings.Contains(err.Error(), "two systems, 'there' and 'here'") {
		t.Errorf("two systems: %v", err)
	}
}
