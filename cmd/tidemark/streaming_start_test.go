package main

import (
	"strings"
	"testing"
	"time"
)

// TestStreamingQueriesBeginSomewhere has topics read from their ends, unless something else is said, and never twice.
func TestStreamingQueriesBeginSomewhere(t *testing.T) {
	s := startServer(t, "--data-dir", t.TempDir())
	defer s.stop(t)
	say := func(sql string) {
		t.Helper()
		if code, out, errs := s.sql("-e", sql); code != exitOK {
			t.Fatalf("%s ends with %d\n%s%s", sql, code, out, errs)
		}
	}
	// words waits until a table has the last of these words, and wants it to have just them.
	words := func(table string, want ...string) {
		t.Helper()
		var got []string
		for range 100 {
			_, out, errs := s.sql("-e", "SET 'sql.snapshot.mode' = 'now'; SELECT Data FROM "+table, "--output", "csv")
			if errs != "" {
				t.Fatal(errs)
			}
			got = got[:0]
			for _, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
				_, word, _ := strings.Cut(line, ",")
				got = append(got, word)
			}
			if strings.Join(got, " ") == strings.Join(want, " ") {
				return
			}
			<-time.After(50 * time.Millisecond)
		}
		t.Fatalf("%s has %q, want %q", table, got, want)
	}
	running := func(n string) {
		t.Helper()
		for range 100 {
			_, out, _ := s.sql("-e", "SELECT COUNT(*) AS n FROM `.sys/streaming_queries` WHERE Status = 'RUNNING'", "--output", "csv")
			if lines := strings.Split(strings.TrimSpace(out), "\n"); strings.HasSuffix(lines[len(lines)-1], ","+n) {
				return
			}
			<-time.After(50 * time.Millisecond)
		}
		t.Fatalf("%s streaming queries do not run", n)
	}
	const topic = "(Data STRING NOT NULL) DISTRIBUTED INTO 1 BUCKETS WITH ('value.format' = 'raw'"
	for _, name := range []string{"input", "ends", "begins", "later", "table_says"} {
		say("CREATE TABLE " + name + " " + topic + ")")
	}
	say("CREATE TABLE from_its_start " + topic + ", 'scan.startup.mode' = 'earliest-offset')")
	say("INSERT INTO input VALUES 'old'; INSERT INTO from_its_start VALUES 'old'")
	copies := func(name, with, from, into string) string {
		return "CREATE STREAMING QUERY " + name + " " + with + " AS DO BEGIN INSERT INTO " + into + " SELECT Data FROM " + from + "; END DO; "
	}
	say(copies("a", `WITH (CHECKPOINT_INTERVAL = "PT0.1S")`, "input", "ends") + copies("b", `WITH (READ_FROM = EARLIEST, CHECKPOINT_INTERVAL = "PT0.1S")`, "input", "begins") +
		copies("c", `WITH (READ_FROM = Timestamp("2000-01-01T00:00:00Z"), CHECKPOINT_INTERVAL = "PT0.1S")`, "input", "later") + copies("d", `WITH (CHECKPOINT_INTERVAL = "PT0.1S")`, "from_its_start", "table_says"))
	running("4")
	words("begins", "old")
	words("table_says", "old")
	say("INSERT INTO input VALUES 'new'")
	words("begins", "old", "new")
	words("ends", "new")
	say(`ALTER STREAMING QUERY b SET (RUN = FALSE); INSERT INTO input VALUES 'meanwhile'; ALTER STREAMING QUERY b SET (RUN = TRUE)`)
	words("begins", "old", "new", "meanwhile")
	say(`ALTER STREAMING QUERY b SET (FORCE = TRUE) AS DO BEGIN INSERT INTO begins SELECT Data || "!" FROM input; END DO; INSERT INTO input VALUES 'rewritten'`)
	words("begins", "old", "new", "meanwhile", "rewritten!")
	say(`CREATE OR REPLACE STREAMING QUERY b WITH (READ_FROM = EARLIEST, CHECKPOINT_INTERVAL = "PT0.1S") AS DO BEGIN INSERT INTO begins SELECT Data || "?" FROM input; END DO; INSERT INTO input VALUES 'replaced'`)
	words("begins", "old", "new", "meanwhile", "rewritten!", "replaced?")
	say(`ALTER STREAMING QUERY a SET (READ_FROM = EARLIEST)`)
	words("ends", "new", "meanwhile", "rewritten", "replaced", "old", "new", "meanwhile", "rewritten", "replaced")
	words("later", "old", "new", "meanwhile", "rewritten", "replaced")
}
