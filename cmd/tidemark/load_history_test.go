package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tidemark-sql/tidemark/internal/history"
	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// agedDays is how many days of history age makes.
const agedDays = 8

// age gives each statement of a server that does not run eight days of history, minute by minute, up to the hour before this one.
func (l *load) age(s *apart) {
	l.Helper()
	begun := time.Now()
	var ids []string
	files, err := filepath.Glob(filepath.Join(s.dir, "statements", "*.json"))
	for _, file := range files {
		var record struct{ UID, Phase string }
		text, readErr := os.ReadFile(file)
		if err = readErr; err == nil {
			err = json.Unmarshal(text, &record)
		}
		if err != nil {
			l.Fatal(err)
		}
		if record.Phase == "RUNNING" {
			ids = append(ids, record.UID)
		}
	}
	if err != nil {
		l.Fatal(err)
	}
	store, err := history.Open(filepath.Join(s.dir, "history"), 0, func(string) bool { return true })
	if err != nil {
		l.Fatal(err)
	}
	last := (time.Now().UnixMicro()/history.Minute/60 - 1) * 60
	for minute := last - agedDays*24*60; minute < last; minute++ {
		var all []history.Minutes
		for i, id := range ids {
			all = append(all, history.Minutes{ID: id, Values: minuteOf(minute, int64(i))})
		}
		if err := store.Add(minute, all); err != nil {
			l.Fatal(err)
		}
	}
	bytes := store.Bytes()
	if err := store.Close(); err != nil {
		l.Fatal(err)
	}
	l.Logf("%d days of history of %d statements: %d MB, written in %s", agedDays, len(ids), bytes>>20, time.Since(begun).Round(time.Second))
}

// minuteOf is what a statement with three tasks and four splits has in a minute.
func minuteOf(minute, statement int64) (all []history.Value) {
	noise := (minute*2654435761 + statement*40503) >> 7 & 0xfff
	for _, x := range history.All {
		labels := 1
		switch {
		case x.Wide():
			labels = 4
		case x.Label == "flink_task_id":
			labels = 3
		}
		for k := range labels {
			label := ""
			if x.Label != "" {
				label = fmt.Sprintf("%s-%d", x.Label, k)
			}
			all = append(all, history.Value{Series: x, Label: label, N: 1000 + noise*int64(k+1)%997})
		}
	}
	return all
}

// remembers sees that the seven days before today are told.
func (l *load) remembers() {
	l.Helper()
	var h api.History
	now := time.Now().UnixMilli()
	l.ask("history of 7 days", fmt.Sprintf("/statements/%s/history?series=num_records_in&from=%d&to=%d&step=3600000", l.shown(), now-7*24*3_600_000, now), &h)
	known := 0
	for _, x := range h.Series {
		for _, v := range x.Values {
			if v != nil {
				known++
			}
		}
	}
	if known < 7*24-2 {
		l.Errorf("of the hours of seven days %d are known", known)
	}
}
