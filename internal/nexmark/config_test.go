package nexmark

import (
	"io"
	"math"
	"strings"
	"testing"
	"time"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  Config
		want string // a part of the error, or empty if the Config is valid
	}{
		{"zero value", Config{}, ""},
		{"all set", Config{Rows: 1e9, Seed: math.MaxUint64, Table: People, Keys: 1e6, Rate: 1e6, Jitter: time.Hour, Start: 1}, ""},
		{"before 1970", Config{Rows: 10, Start: -1}, ""},
		{"in order", Config{Jitter: InOrder}, ""},
		{"negative rows", Config{Rows: -1}, "rows must be between 0 and 1000000000000, not -1"},
		{"too many rows", Config{Rows: math.MaxInt64}, "rows must be"},
		{"no such table", Config{Table: 3}, "table must be bids, auctions or people, not kind 3"},
		{"negative keys", Config{Keys: -5}, "keys must be between 1 and 1000000000000, not -5"},
		{"negative rate", Config{Rate: -1}, "rate must be between 1 and 1000000000 events per second, not -1"},
		{"start too early", Config{Start: math.MinInt64}, "start must lie in the years 1 to 9999"},
		{"start too late", Config{Start: math.MaxInt64}, "start must lie in the years 1 to 9999"},
		{"jitter before year 1", Config{Start: firstMicro, Jitter: time.Second}, "a jitter of 1s reaches before the year 1"},
		{"beyond year 9999", Config{Rows: maxRows, Rate: 1, Table: People}, "reach beyond the year 9999"},
		{"just beyond year 9999", Config{Start: endMicro - 1, Jitter: InOrder, Rows: 1}, "reach beyond the year 9999"},
	} {
		err := c.cfg.Validate()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if c.want != "" && Write(io.Discard, c.cfg) == nil {
			t.Errorf("%s: Write takes what Validate refuses", c.name)
		}
	}
}

func TestValidateReportsEveryField(t *testing.T) {
	err := Config{Rows: -1, Keys: -1, Rate: -1}.Validate()
	for _, field := range []string{"rows", "keys", "rate"} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%v does not name %s", err, field)
		}
	}
}

func TestParseKind(t *testing.T) {
	for _, kind := range kinds {
		if got, err := ParseKind(kind.String()); got != kind || err != nil {
			t.Errorf("%v: got %v, %v", kind, got, err)
		}
	}
	if _, err := ParseKind("bid"); err == nil {
		t.Error("bid is not the name of a kind")
	}
}

func TestDefaultStart(t *testing.T) {
	if want := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro(); DefaultStart != want {
		t.Errorf("got %d, want %d", int64(DefaultStart), want)
	}
}
