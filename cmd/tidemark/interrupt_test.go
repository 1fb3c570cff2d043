package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// interrupter is a standard output in front of which somebody presses Ctrl-C at the first row.
type interrupter struct {
	mu     sync.Mutex
	rows   bytes.Buffer
	cancel context.CancelFunc
}

func (w *interrupter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancel()
	return w.rows.Write(p)
}

// TestInterrupt stops an endless query: with the summary, with the exit code of an interrupt, with whole rows, and without the statements behind it.
func TestInterrupt(t *testing.T) {
	const endless = "CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000000', 'fields.a.kind' = 'sequence', 'fields.a.start' = '1', 'fields.a.end' = '9000000000000000000');"
	for _, parallelism := range []string{"1", "4"} {
		ctx, cancel := context.WithCancel(context.Background())
		out := &interrupter{cancel: cancel}
		var stderr bytes.Buffer
		code := dispatch(ctx, []string{"run", "--parallelism", parallelism, "-e", endless + "SELECT a FROM n; SELECT 'behind' AS b"}, out, &stderr)
		if code != exitInterrupted {
			t.Errorf("exits with %d, want %d\n%s", code, exitInterrupted, stderr.String())
		}
		if got := stderr.String(); !strings.Contains(got, " rows in, ") || strings.Contains(got, "error") {
			t.Errorf("standard error is\n%s", got)
		}
		if got := out.rows.String(); !strings.HasPrefix(got, "{\"op\":\"+I\",\"a\":1}\n") || !strings.HasSuffix(got, "}\n") || strings.Contains(got, "behind") {
			t.Errorf("standard output begins %.80q and ends %.80q", got, got[max(0, len(got)-80):])
		}
	}
}

// TestSignals: what tells the program twice at once asks for a clean end all the same; who asks again later has had enough of waiting.
func TestSignals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan os.Signal, 1)
		var asked, quit int
		go obey(signals, func() { asked++ }, func() { quit++ })
		for _, c := range []struct {
			later       time.Duration
			asked, quit int
		}{{0, 1, 0}, {0, 1, 0}, {sameSignal - time.Millisecond, 1, 0}, {2 * time.Millisecond, 1, 1}} {
			<-time.After(c.later)
			signals <- syscall.SIGTERM
			synctest.Wait()
			if asked != c.asked || quit != c.quit {
				t.Errorf("%s later: asked %d times for a clean end and ended %d times, want %d and %d", c.later, asked, quit, c.asked, c.quit)
			}
		}
	})
}

// full is a standard output that takes nothing.
type full struct{ err error }

func (w full) Write([]byte) (int, error) { return 0, w.err }

// TestNoRoomForTheResult tells a disk that is full from an output that is gone, once.
func TestNoRoomForTheResult(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{fmt.Errorf("write out: %w", syscall.ENOSPC), exitResource},
		{errors.New("the other end is gone"), exitExternal},
	} {
		for _, args := range [][]string{
			{"run", "--quiet", "-e", "SELECT 1 AS x"},
			{"run", "--quiet", "--output", "table", "-e", "SELECT 1 AS x"},
			{"run", "--quiet", "--output", "csv", "-e", "SELECT 1 AS x"},
			{"generate", "nexmark", "--rows", "10"},
		} {
			var stderr bytes.Buffer
			code := dispatch(context.Background(), args, full{c.err}, &stderr)
			if code != c.code {
				t.Errorf("%v: %v: exits with %d, want %d", args, c.err, code, c.code)
			}
			if got := stderr.String(); strings.Count(got, c.err.Error()) != 1 || !strings.HasPrefix(got, "error: write rows: ") {
				t.Errorf("%v: standard error is\n%s", args, got)
			}
		}
	}
}
