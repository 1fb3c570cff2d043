package runtime

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// sealed is a sink with epochs, which may fail to end one.
type sealed struct {
	*lines
	fails error
}

func (s *sealed) Recover(connector.Recovery) error { return nil }
func (s *sealed) Seal() (connector.Epoch, error)   { return nil, s.fails }

// heldOnDisk has state before the sink and in its task.
func heldOnDisk(tasks int, out connector.Sink, r *rationed) *Graph {
	b := newBuilder()
	b.source(r.memory, 2*second, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: grid(second, 5*second), Passes: true})
	b.graph.Sources[0].Reader = r
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", second, []int{0}, 1, 2)}, To: []Target{{Fragment: 1, Keys: []int{0}, Grain: grid(5 * second)}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Chain: []OperatorSpec{b.tumble("b", 5*second, []int{0}, 5, 1)}, Sink: out})
	return &b.graph
}

// openBelow is how many files below a folder this process has open, with and without names.
func openBelow(t *testing.T, folder string) (n int) {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not tell which files are open")
	}
	for _, x := range all {
		if to, err := os.Readlink(filepath.Join("/proc/self/fd", x.Name())); err == nil && strings.HasPrefix(to, folder) {
			n++
		}
	}
	return n
}

// What a snapshot has of files is given back with it, also if the snapshot does not come about.
func TestFilesOfSnapshots(t *testing.T) {
	for _, fails := range []error{nil, errors.New("the epoch does not end")} {
		var saved *Snapshot
		var order []string
		folder := filepath.Join(t.TempDir(), "spill")
		out := &sealed{&lines{}, fails}
		j, err := New(heldOnDisk(3, out, &rationed{random(3, 4000, 40, 3, 900), 40, &order}),
			Options{Workers: 2, Clock: &fixedClock{}, Checkpointed: true, StateMemory: 1, SpillTo: folder, OnSnapshot: func(s *Snapshot) { saved = s }})
		if err != nil {
			t.Fatal(err)
		}
		j.Begin(context.Background())
		if _, err := j.Step(); err != nil {
			t.Fatal(err)
		}
		if openBelow(t, folder) == 0 {
			t.Fatal("nothing is on the disk")
		}
		if err := j.Checkpoint(); !errors.Is(err, fails) {
			t.Fatal(err)
		}
		if err := j.Stop(); !errors.Is(err, fails) {
			t.Fatal(err)
		}
		if fails == nil {
			if len(saved.Operators["b"].frozen[0].Runs) == 0 || openBelow(t, folder) == 0 {
				t.Error("a snapshot has none of the files of a job that is over")
			}
			saved.Release()
			saved.Release()
		}
		if n := openBelow(t, folder); n > 0 {
			t.Errorf("%d files are open when nobody needs them (%v)", n, fails)
		}
	}
}

// A snapshot of state on the disk is gone on from with other tasks and workers, with a limit and without, from files that all tasks read side by side.
func TestRestoreFromFiles(t *testing.T) {
	const everything = 1 << 30
	data := random(5, 4000, 40, 3, 300)
	var none []string
	want := &lines{}
	run(t, heldOnDisk(1, want, &rationed{data, everything, &none}), shape{1, 1, 8192}.options())
	for trial := range 8 {
		out, order := &lines{}, []string{}
		var saved *Snapshot
		for stage, limit := range []int{20 + trial, 60 + trial, everything} {
			s := shapes[(trial*7+stage*13)%len(shapes)]
			o := s.options()
			o.Restore, o.OnSnapshot = saved, func(s *Snapshot) { saved = s }
			if (trial+stage)%3 > 0 {
				o.StateMemory, o.SpillTo = 1+int64(trial)*1000, filepath.Join(t.TempDir(), "spill")
			}
			j, err := New(heldOnDisk(s.tasks, out, &rationed{data, limit, &order}), o)
			if err != nil {
				t.Fatal(err)
			}
			if before := saved; before != nil {
				before.Release()
			}
			j.Begin(context.Background())
			if _, err := j.Step(); err != nil {
				t.Fatal(err)
			}
			if limit < everything {
				if err := j.Checkpoint(); err != nil {
					t.Fatal(err)
				}
			}
			if err := j.Stop(); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(out.got, want.got) {
			t.Fatalf("trial %d: %s", trial, firstDifference(out.got, want.got))
		}
	}
}
