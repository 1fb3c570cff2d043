package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// The history of a statement is told for the time that is asked for, in steps of so many minutes, and only the series that are wanted.
func TestHistory(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
		for name, sql := range map[string]string{
			"ticks": "CREATE TABLE ticks (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '10')",
			"out":   "CREATE TABLE out_ (n BIGINT) WITH ('connector' = 'blackhole')",
		} {
			ask(h, "POST", base+"/statements", fmt.Sprintf(`{"name":"%s","spec":{"statement":"%s"}}`, name, sql))
		}
		synctest.Wait()
		ask(h, "POST", base+"/statements", `{"name":"copy","spec":{"statement":"INSERT INTO out_ SELECT n FROM ticks"}}`)
		begin := time.Now().UnixMilli()
		<-time.After(10*time.Minute + 10*time.Second)
		for _, c := range []struct {
			query        string
			from, step   int64 // minutes
			lines, steps int
			sum          float64 // about, of num_records_in
		}{
			{"series=num_records_in", -50, 1, 1, 60, 6000},
			{"", -50, 1, 22, 60, 6000},
			{fmt.Sprintf("series=num_records_in&from=%d&step=300000", begin), 0, 5, 1, 2, 6000},
			{fmt.Sprintf("series=num_records_in,num_records_out&from=%d&to=%d", begin+60_001, begin+119_999), 1, 1, 2, 1, 600},
			{"series=num_records_in&from=0", -7*24*60 + 10, 6, 1, 1680, 6000},
			{"series=num_records_in&from=9000000000000000000&to=9223372036854775807&step=9223372036854775807", 10, 153722867280912, 0, 0, 0},
		} {
			w := ask(h, "GET", base+"/statements/copy/history?"+c.query, "")
			var got api.History
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
				t.Fatalf("%s: %d %s", c.query, w.Code, w.Body)
			}
			if got.From != begin+c.from*60_000 || got.Step != c.step*60_000 || len(got.Series) != c.lines {
				t.Errorf("%s: begins %d minutes off, steps of %d minutes, %d lines: %.600s", c.query, (got.From-begin)/60_000, got.Step/60_000, len(got.Series), w.Body)
			}
			for _, s := range got.Series {
				if s.Name != "num_records_in" {
					continue
				}
				sum := 0.0
				for _, v := range s.Values {
					if v != nil {
						sum += *v
					}
				}
				if len(s.Values) != c.steps || sum < c.sum-2 || sum > c.sum+2 || s.Fold != "sum" {
					t.Errorf("%s: %d values that add up to %v", c.query, len(s.Values), sum)
				}
			}
		}
		for query, want := range map[string]string{
			"from=yesterday": "from is 'yesterday'", "step=-1": "step is '-1'", "to=1e9": "to is '1e9'", "series=num_record_in": "did you mean 'num_records_in'?", "series=num_records_in,": "there is no series ''",
		} {
			if w := ask(h, "GET", base+"/statements/copy/history?"+query, ""); w.Code != 400 || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %d %s", query, w.Code, w.Body)
			}
		}
		if w := ask(h, "GET", base+"/statements/nobody/history", ""); w.Code != 404 {
			t.Errorf("of nobody: %d", w.Code)
		}
	})
}
