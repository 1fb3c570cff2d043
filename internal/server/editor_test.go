package server

import (
	"net/http"
	"strings"
	"testing"
)

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
