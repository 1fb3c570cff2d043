package tidemark_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark"
)

// TestEarthquakes answers the example by hand, with nothing of the engine, and compares: every window, and both kinds of late rows, at delays
// from an hour to a week.
func TestEarthquakes(t *testing.T) {
	text, err := os.ReadFile("examples/earthquakes/hourly.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, delay := range []time.Duration{time.Hour, 4 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour} {
		const written = "INTERVAL '1' DAY"
		if !strings.Contains(string(text), written) {
			t.Fatalf("the example has no %s", written)
		}
		script := strings.Replace(string(text), written, fmt.Sprintf("INTERVAL '%d' HOUR(3)", delay/time.Hour), 1)
		want, late, dropped := hourly(t, delay)

		var got []string
		summary, err := tidemark.Open(tidemark.Options{}).Query(context.Background(), script, func(r tidemark.Row) error {
			got = append(got, fmt.Sprintf("%s %s %d %v", r.Time(0).Format(time.DateTime), r.Text(2), r.Int(3), r.Float(4)))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("delay %s: %d windows, want %d", delay, len(got), len(want))
		}
		if got := summary.Tables[0].Late; got != late {
			t.Errorf("delay %s: %d late at the source, want %d", delay, got, late)
		}
		var lost int64
		for _, d := range summary.Dropped {
			lost += d.Rows
		}
		if lost != dropped {
			t.Errorf("delay %s: %d dropped, want %d", delay, lost, dropped)
		}
	}
}

// hourly counts quakes and takes the strongest per hour and network, as the rules of the watermark say.
func hourly(t *testing.T, delay time.Duration) (windows []string, late, dropped int64) {
	t.Helper()
	file, err := os.Open("examples/earthquakes/quakes.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	type answer struct {
		count     int
		strongest float64
	}
	answers := map[string]answer{}
	var frontier time.Time
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var quake struct {
			Time time.Time
			Net  string
			Mag  float64
		}
		if err := json.Unmarshal(lines.Bytes(), &quake); err != nil {
			t.Fatal(err)
		}
		hour := quake.Time.Truncate(time.Hour)
		if quake.Time.Before(frontier) {
			late++
		}
		if hour.Add(time.Hour).After(frontier) {
			key := hour.Format(time.DateTime) + " " + quake.Net
			a := answers[key]
			if a.count++; a.count == 1 || quake.Mag > a.strongest {
				a.strongest = quake.Mag
			}
			answers[key] = a
		} else {
			dropped++
		}
		// The watermark is inclusive: the next millisecond is on time.
		if f := quake.Time.Add(time.Millisecond - delay); f.After(frontier) {
			frontier = f
		}
	}
	for _, key := range slices.Sorted(maps.Keys(answers)) {
		windows = append(windows, fmt.Sprintf("%s %d %v", key, answers[key].count, answers[key].strongest))
	}
	return windows, late, dropped
}
