package server

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// The first request begins to read the table, later ones have the report; DELETE lets another one begin.
func TestAdvice(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, h http.Handler, dir string) {
		for _, s := range []string{
			`{"name":"make","spec":{"statement":"CREATE TABLE clicks (ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'FOLDER/clicks', 'format' = 'json')"}}`,
			`{"name":"fill","spec":{"statement":"INSERT INTO clicks VALUES (TIMESTAMP '2026-01-01 00:00:10'), (TIMESTAMP '2026-01-01 00:00:04')"}}`,
		} {
			ask(h, "POST", base+"/statements", strings.ReplaceAll(s, "FOLDER", dir))
			synctest.Wait()
		}
		advice := func(path string) (a api.Advice) {
			t.Helper()
			w := ask(h, "GET", base+"/tables/"+path, "")
			if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 || a.Kind != api.KindAdvice {
				t.Fatalf("%s: %d %s", path, w.Code, w.Body)
			}
			synctest.Wait()
			return a
		}
		if a := advice("clicks/advice"); a.State != "running" && a.State != "done" {
			t.Errorf("it begins as %+v", a)
		}
		a := advice("clicks/advice")
		var report struct {
			Table    string `json:"table"`
			Rows     int64  `json:"rows"`
			Advice   []any  `json:"advice"`
			Findings []any  `json:"findings"`
		}
		if err := json.Unmarshal(a.Report, &report); err != nil || a.State != "done" || a.Rows != 2 || report.Table != "clicks" || report.Rows != 2 || len(report.Advice) != 4 || len(report.Findings) == 0 {
			t.Errorf("%v: it is %s with %d rows: %s", err, a.State, a.Rows, a.Report)
		}
		if a := advice("%60clicks%60/advice?column=ts"); a.State != "running" && a.State != "done" {
			t.Errorf("by its names in SQL: %+v", a)
		}
		if w := ask(h, "DELETE", base+"/tables/clicks/advice", ""); w.Code != 204 || w.Body.Len() > 0 {
			t.Errorf("DELETE: %d %s", w.Code, w.Body)
		}
		if w := ask(h, "GET", base+"/tables/clocks/advice", ""); w.Code != 400 || !strings.Contains(w.Body.String(), "did you mean 'clicks'?") {
			t.Errorf("a table that is not there: %d %s", w.Code, w.Body)
		}
	})
}
