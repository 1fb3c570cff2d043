package supervisor

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// slow is a disk that takes a second for everything that it shows.
type slow struct{ checkpoint.Disk }

func (d slow) Publish(from, to string) error {
	<-time.After(time.Second)
	return d.Disk.Publish(from, to)
}

// TestLeftAndGoneOn leaves a statement whose input never stops, and goes on with it, also while a checkpoint is on its way: a sink that promises no more than "at least once" has
// every row once, since nothing is read behind the last checkpoint.
func TestLeftAndGoneOn(t *testing.T) { synctest.Test(t, leftAndGoneOn) }

func leftAndGoneOn(t *testing.T) {
	var out bytes.Buffer
	q := statement(t, &out, `
CREATE TABLE g (k BIGINT, ts AS TO_TIMESTAMP_LTZ(k, 3), WATERMARK FOR ts AS ts)
WITH ('connector' = 'datagen', 'fields.k.kind' = 'sequence', 'fields.k.start' = '0', 'fields.k.end' = '1000000000', 'rows-per-second' = '100');
CREATE TABLE o (k BIGINT) WITH ('connector' = 'print');
INSERT INTO o SELECT k FROM g`)
	folder, err := checkpoint.Open(slow{checkpoint.Memory()}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 4 {
		ctx, leave := context.WithCancel(context.Background())
		requests, over := make(chan Request), make(chan error, 1)
		go func() {
			over <- Run(ctx, func(o runtime.Options) (*runtime.Job, error) { return q.Start(nil, 2, o) }, Options{
				Folder: folder, Cadence: checkpoint.Cadence{Interval: 3_600_000_000}, Requests: requests, Job: runtime.Options{Workers: 2}, Tell: func(Event) {}})
		}()
		for range 2 {
			<-time.After(time.Second)
			done := make(chan error, 1)
			requests <- Request{Done: done}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
		if round%2 == 1 {
			requests <- Request{Done: make(chan error, 1)}
		}
		leave()
		if err := <-over; err != nil {
			t.Fatal(err)
		}
	}
	ids := folder.IDs()
	r, err := folder.Read(ids[len(ids)-1])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	last, err := runtime.LoadSnapshot(r)
	if err != nil {
		t.Fatal(err)
	}
	var next int64
	for line := range strings.Lines(out.String()) {
		if want := fmt.Sprintf("+I[%d]\n", next); line != want {
			t.Fatalf("row %d of the output is %q", next, line)
		}
		next++
	}
	if next == 0 || last.Written != next {
		t.Errorf("%d rows were written, and the last checkpoint has %d", next, last.Written)
	}
}
