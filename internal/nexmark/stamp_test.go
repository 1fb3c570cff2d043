package nexmark

import (
	"testing"
	"time"
)

func TestStamper(t *testing.T) {
	s := newStamper()
	for _, text := range []string{
		"1970-01-01T00:00:00.000Z",
		"2026-01-01T00:00:00.123Z",
		"2026-01-01T00:00:59.999Z",
		"2026-01-01T00:01:00.000Z",
		"2026-01-01T00:00:07.010Z", // back again
		"2024-02-29T23:59:59.900Z",
		"1969-12-31T23:59:59.999Z",
		"0001-01-01T00:00:00.000Z",
		"9999-12-31T23:59:59.999Z",
	} {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(s.appendTime(nil, at.UnixMilli())); got != text {
			t.Errorf("got %s, want %s", got, text)
		}
	}
}
