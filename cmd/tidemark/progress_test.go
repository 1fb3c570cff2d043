package main

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/supervisor"
)

// TestOutage: what does not answer is told of when it has not for some seconds, then each minute, and when it does again.
func TestOutage(t *testing.T) {
	away := []error{errors.New("the brokers do not answer"), errors.New("nor do others")}
	var o outage
	for _, c := range []struct {
		at      int // seconds
		reasons []error
		want    []string
	}{
		{0, nil, nil},
		{1, away, nil},
		{3, nil, nil},
		{10, away, nil},
		{14, away, nil},
		{15, away, []string{"the brokers do not answer; waiting for 5s", "nor do others; waiting for 5s"}},
		{16, away, nil},
		{74, away[:1], nil},
		{75, away[:1], []string{"the brokers do not answer; waiting for 1m5s"}},
		{76, away[:1], nil},
		{80, nil, []string{"what did not answer for 1m10s does again"}},
		{81, nil, nil},
	} {
		if got := o.look(time.Unix(int64(c.at), 0), c.reasons); !slices.Equal(got, c.want) {
			t.Errorf("after %d s: %q, want %q", c.at, got, c.want)
		}
	}
}

// TestSlow: a checkpoint that takes longer than the time between two is told of, unless that is short.
func TestSlow(t *testing.T) {
	for _, c := range []struct {
		took, interval time.Duration
		want           string
	}{
		{9 * time.Second, time.Second, ""},
		{12 * time.Second, 20 * time.Second, ""},
		{12 * time.Second, time.Second, "checkpoint 7 took 12s, and one is to be taken every 1s: the disk, or a system that is written to, is slow"},
		{45 * time.Second, 30 * time.Second, "checkpoint 7 took 45s, and one is to be taken every 30s: the disk, or a system that is written to, is slow"},
	} {
		if got := slow(supervisor.Taken{ID: 7, Took: c.took}, c.interval.Microseconds()); got != c.want {
			t.Errorf("%s every %s: %q, want %q", c.took, c.interval, got, c.want)
		}
	}
}
