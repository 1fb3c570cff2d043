package main

import (
	"strings"
	"testing"
)

// TestReadText: a text that is too long is refused before it is read to its end.
func TestReadText(t *testing.T) {
	const most = 1 << 20
	long := strings.NewReader(strings.Repeat(" ", 3*most))
	if _, err := readText(long, "a.sql", most); err == nil || !strings.Contains(err.Error(), "'a.sql' has more than 1 MB") || long.Len() == 0 {
		t.Errorf("%v, and %d bytes are left", err, long.Len())
	}
	if text, err := readText(strings.NewReader(strings.Repeat(" ", most)), "a.sql", most); err != nil || len(text) != most {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}
