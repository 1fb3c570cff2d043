package main

import (
	"errors"
	"slices"
	"testing"
	"time"
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
