package config

import (
	"strings"
	"testing"
	"time"
)

// TestSpan: a length of time may be written as in Go and as in the options of tables; a number alone is nobody's.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
		says string
	}{
		{"10s", 10 * time.Second, ""},
		{"1m30s", 90 * time.Second, ""},
		{"10 s", 10 * time.Second, ""},
		{"1 min", time.Minute, ""},
		{"2 d", 48 * time.Hour, ""},
		{"0.5s", 500 * time.Millisecond, ""},
		{"10", 0, "'10' is not a length of time; write a number and a unit, such as 10s"},
		{"1.5", 0, "'1.5' is not a length of time"},
		{"soon", 0, "'soon' is not a length of time"},
		{"", 0, "'' is not a length of time"},
		{"200000 d", 0, "'200000 d' is too long"},
		{"0", 0, "it must be longer than 0"},
		{"0 s", 0, "it must be longer than 0"},
		{"-1s", 0, "it must be longer than 0"},
	} {
		var s Span
		err := s.Set(c.text)
		switch {
		case c.says == "" && (err != nil || time.Duration(s) != c.want):
			t.Errorf("%q is %s, %v; want %s", c.text, &s, err, c.want)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
}
