package server

import (
	"net/http"
	"strings"
	"testing"
)

// Places are counted as JavaScript counts them.
func TestUnits(t *testing.T) {
	text := "a'é🙂'b"
	for _, c := range []struct{ units, bytes int }{{-1, 0}, {0, 0}, {1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {6, 9}, {7, 10}, {8, 10}, {1 << 40, 10}} {
		if got := fromUnits(text, c.units); got != c.bytes {
			t.Errorf("%d units are %d bytes, want %d", c.units, got, c.bytes)
		}
	}
	for _, at := range []int{0, 1, 2, 4, 8, 9, 10} {
		if got := fromUnits(text, units(text[:at])); got != at {
			t.Errorf("%d bytes come back as %d", at, got)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("check", `{"statement":"SELECT '🙂' FROM t WHERE a = NULL; SELECT"}`)
	f.Add("explain", `{"statement":"EXPLAIN SELECT 1","properties":{"sql.profile":"flink"}}`)
	f.Add("complete", `{"statement":"SELECT a FROM ","cursor":7}`)
	f.Fuzz(func(t *testing.T, what, body string) {
		if what != "check" && what != "explain" && what != "complete" || strings.TrimSpace(body) == "" {
			return
		}
		inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
			if w := ask(h, "POST", base+"/"+what, body); w.Code != 200 && w.Code != 400 {
				t.Errorf("%s %q: %d %s", what, body, w.Code, w.Body)
			}
		})
	})
}
