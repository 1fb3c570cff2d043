package main

import (
	"context"
	"errors"
	"io"
	"testing"
)

// TestPromptly leaves what does not come to an end.
func TestPromptly(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	never := make(chan struct{})
	defer close(never)
	_, err := promptly(ctx, func() (int, error) {
		cancel()
		<-never
		return 0, nil
	})
	if !errors.Is(err, errInterrupted) {
		t.Errorf("got %v", err)
	}
	if v, err := promptly(context.Background(), func() (int, error) { return 1, io.EOF }); v != 1 || err != io.EOF {
		t.Errorf("got %d and %v", v, err)
	}
}

// TestInterruptWhilePlanning ends whatever reads and plans a text at Ctrl-C, with the exit code of that.
func TestInterruptWhilePlanning(t *testing.T) {
	inFolder(t)
	for _, args := range [][]string{{"run", "-e", "SELECT 1"}, {"run", "--drain", "-e", "SELECT 1"}, {"explain", "-e", "SELECT 1"}, {"check", "q.sql"}, {"fmt", "q.sql"}} {
		write(t, "q.sql", "SELECT 1;")
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if code := dispatch(ctx, args, io.Discard, io.Discard); code != exitInterrupted {
			t.Errorf("%v exits with %d", args, code)
		}
	}
}
