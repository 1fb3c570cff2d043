package supervisor

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// full is a disk that takes no file while it is full.
type full struct {
	checkpoint.Disk
	is bool
}

var errFull = errors.New("no room")

func (d *full) Create(name string) (checkpoint.Writable, error) {
	if d.is {
		return nil, errFull
	}
	return d.Disk.Create(name)
}

// TestRequests asks a statement without an end for checkpoints, one of which cannot be written, has it fail, and drains it.
func TestRequests(t *testing.T) {
	q := statement(t, io.Discard, `
CREATE TABLE g (k BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000');
CREATE TABLE o (n BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO o SELECT COUNT(*) FROM g`)
	disk := &full{Disk: checkpoint.Memory()}
	folder, err := checkpoint.Open(disk, 10)
	if err != nil {
		t.Fatal(err)
	}
	requests, over := make(chan Request), make(chan error, 1)
	var restored []int64
	var history History
	go func() {
		over <- Run(context.Background(), func(o runtime.Options) (*runtime.Job, error) { return q.Start(nil, 2, o) }, Options{
			Folder: folder, Cadence: checkpoint.Cadence{Interval: 3_600_000_000, Tolerated: 1}, Requests: requests, Job: runtime.Options{Workers: 2},
			Tell: func(e Event) {
				history.Note(e, runtime.WallClock{}.Now())
				if r, ok := e.(Restored); ok {
					restored = append(restored, r.ID)
				}
			}})
	}()
	ask := func() error {
		done := make(chan error, 1)
		requests <- Request{Done: done}
		return <-done
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	disk.is = true // the keeper looks at it when the next request has come
	if err := ask(); !errors.Is(err, errFull) {
		t.Fatal(err)
	}
	disk.is = false
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	requests <- Request{Drain: true}
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	ids := folder.IDs()
	if len(ids) != 3 || ids[0] != 1 || ids[1] != 3 || len(restored) > 0 {
		t.Fatalf("there are checkpoints %v, and %v were gone on from", ids, restored)
	}
	past := history.Past()
	if c := past.Checkpoint; c.ID != 3 || c.Bytes == 0 || c.At < past.Began || past.Taken != 2 || past.Missed != 1 || !errors.Is(past.Miss.Err, errFull) || past.Attempts != 1 || past.Failed != 0 || past.From != 0 {
		t.Errorf("the past is %+v", past)
	}
	r, err := folder.Read(ids[2])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if last, err := runtime.LoadSnapshot(r); err != nil || !last.Finished {
		t.Errorf("the last checkpoint is not the end: %v", err)
	}
}

// TestRequestOfAStatementThatEnds asks for a checkpoint while the statement ends: whoever asks is told so, or gets one.
func TestRequestOfAStatementThatEnds(t *testing.T) {
	in, out := input(t, 40), t.TempDir()
	folder, err := checkpoint.Open(checkpoint.Memory(), 10)
	if err != nil {
		t.Fatal(err)
	}
	requests, over := make(chan Request), make(chan struct{})
	q := windows(t, in, out)
	go func() {
		defer close(over)
		err = Run(context.Background(), func(o runtime.Options) (*runtime.Job, error) { return q.Start(nil, 2, o) }, Options{
			Folder: folder, Cadence: checkpoint.Cadence{Interval: 3_600_000_000}, Requests: requests, Job: runtime.Options{Workers: 2}, Tell: func(Event) {}})
	}()
	for {
		done := make(chan error, 1)
		select {
		case requests <- Request{Done: done}:
			if err := <-done; err != nil && !errors.Is(err, errOver) {
				t.Fatal(err)
			}
		case <-over:
			if err != nil {
				t.Fatal(err)
			}
			return
		}
	}
}
