package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// declared are a topic to read and one to write, in Flink SQL, for streaming queries.
const declared = "CREATE TABLE i (a BIGINT, s STRING NOT NULL, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');\n" +
	"CREATE TABLE o (s STRING) WITH ('connector' = 'blackhole');\nCREATE TABLE p (s STRING) WITH ('connector' = 'blackhole');\n"

const body = " AS DO BEGIN INSERT INTO o SELECT s FROM i; END DO;\n"

// TestStanding is the life of streaming queries in a session: what each statement comes to, or its error.
func TestStanding(t *testing.T) {
	const made = "CREATE STREAMING QUERY q" + body
	for _, c := range []struct{ name, script, want string }{
		{"created", made, "Created run runs"},
		{"created at rest", "CREATE STREAMING QUERY q WITH (RUN = FALSE)" + body, "Created rest"},
		{"created twice", made + made, "already-exists: there is a streaming query 'q' already (ALREADY_EXISTS)"},
		{"if it is not there", made + "CREATE STREAMING QUERY IF NOT EXISTS q" + body, "nothing; there is a streaming query 'q' already, and it stays as it is"},
		{"replaced", made + "CREATE OR REPLACE STREAMING QUERY q AS DO BEGIN INSERT INTO p SELECT s FROM i; END DO", "Rewritten run runs"},
		{"replaced and moved", made + "CREATE OR REPLACE STREAMING QUERY q WITH (READ_FROM = EARLIEST)" + body, "Anew run runs"},
		{"both", "CREATE OR REPLACE STREAMING QUERY IF NOT EXISTS q" + body, "syntax: "},
		{"name of a table", "CREATE STREAMING QUERY o" + body, "bad-request: 'o' is a table or view (BAD_REQUEST)"},
		{"name of a query for a table", made + "CREATE TABLE q (a BIGINT) WITH ('connector' = 'blackhole')", "bad-request: 'q' is a streaming query (BAD_REQUEST)"},
		{"name of a query for a topic", made + "CREATE TOPIC IF NOT EXISTS q", "bad-request: 'q' is a streaming query (BAD_REQUEST)"},
		{"name of a query for a view", made + "CREATE VIEW q AS SELECT s FROM i", "bad-request: 'q' is a streaming query (BAD_REQUEST)"},
		{"name of a query for a temporary view", made + "CREATE TEMPORARY VIEW q AS SELECT s FROM i", "nothing"},
		{"a path", "CREATE STREAMING QUERY `team/alerts`" + body + "DROP STREAMING QUERY `/team/alerts`", "Dropped run"},
		{"stopped", made + "ALTER STREAMING QUERY q SET (RUN = FALSE)", "Set rest"},
		{"started", "CREATE STREAMING QUERY q WITH (RUN = FALSE)" + body + "ALTER STREAMING QUERY q SET (RUN = TRUE)", "Set run runs"},
		{"started twice", made + "ALTER STREAMING QUERY q SET (RUN = TRUE)", "Set run"},
		{"not there", "ALTER STREAMING QUERY q SET (RUN = FALSE)", "not-found: there is no streaming query 'q' (NOT_FOUND)"},
		{"not there, which is fine", "ALTER STREAMING QUERY IF EXISTS q SET (RUN = FALSE)", "nothing; there is no streaming query 'q', and nothing was to be done"},
		{"another text", made + "ALTER STREAMING QUERY q AS DO BEGIN INSERT INTO p SELECT s FROM i; END DO",
			"precondition-failed: another text loses the checkpoint of 'q': rows of windows that are open, and all other state (PRECONDITION_FAILED)"},
		{"another text by force", made + "ALTER STREAMING QUERY q SET (FORCE = TRUE) AS DO BEGIN INSERT INTO p SELECT s FROM i; END DO", "Rewritten run runs"},
		{"another text of one at rest", "CREATE STREAMING QUERY q WITH (RUN = FALSE)" + body + "ALTER STREAMING QUERY q SET (FORCE = TRUE) AS DO BEGIN INSERT INTO p SELECT s FROM i; END DO", "Rewritten rest"},
		{"a text that is wrong changes nothing", made + "ALTER STREAMING QUERY q SET (FORCE = TRUE) AS DO BEGIN INSERT INTO p SELECT x FROM i; END DO", "unknown-column: "},
		{"another policy", made + "ALTER STREAMING QUERY q SET (WATERMARK_LATE_EVENTS_POLICY = ADJUST)", "Rewritten run runs"},
		{"the same policy", made + "ALTER STREAMING QUERY q SET (RESOURCE_POOL = fast)", "Set run"},
		{"dropped", made + "DROP STREAMING QUERY q", "Dropped run"},
		{"dropped twice", made + "DROP STREAMING QUERY q; DROP STREAMING QUERY q", "not-found: there is no streaming query 'q' (NOT_FOUND)"},
		{"dropped, which is fine", "DROP STREAMING QUERY IF EXISTS q", "nothing; there is no streaming query 'q', and nothing was to be done"},
		{"made again", made + "DROP STREAMING QUERY q;" + made, "Created run runs"},
		{"folded settings", "$no = FALSE; CREATE STREAMING QUERY q WITH (RUN = NOT TRUE)" + body, "Created rest"},
		{"a named setting", "$no = FALSE; CREATE STREAMING QUERY q WITH (run = Just($no), resource_pool = \"a\" || \"b\")" + body, "Created rest"},
		{"no boolean", "CREATE STREAMING QUERY q WITH (RUN = 1)" + body, "bad-request: RUN cannot be 1 (BAD_REQUEST)"},
		{"unknown settings", "CREATE STREAMING QUERY q WITH (rum = TRUE, RUN = TRUE, Pool = x)" + body, "bad-request: a streaming query has no setting RUM, POOL (BAD_REQUEST)"},
		{"two places to begin", "CREATE STREAMING QUERY q WITH (READ_FROM = LATEST, STREAMING_DISPOSITION = OLDEST)" + body, "duplicate-name: STREAMING_DISPOSITION is given twice, or what says the same"},
		{"an instant", "CREATE STREAMING QUERY q WITH (READ_FROM = Timestamp(\"2026-01-01T00:00:00Z\"))" + body, "Created run runs"},
		{"no instant", "CREATE STREAMING QUERY q WITH (READ_FROM = \"2026-01-01T00:00:00Z\")" + body, "bad-request: READ_FROM cannot be \"2026-01-01T00:00:00Z\" (BAD_REQUEST)"},
		{"before 1970", "CREATE STREAMING QUERY q WITH (READ_FROM = Timestamp(\"1969-01-01T00:00:00Z\"))" + body, "bad-request: READ_FROM cannot be"},
		{"from a time", "CREATE STREAMING QUERY q WITH (STREAMING_DISPOSITION = (FROM_TIME = \"2026-01-01T00:00:00Z\"))" + body, "Created run runs"},
		{"some time ago, without a clock", "CREATE STREAMING QUERY q WITH (STREAMING_DISPOSITION = (TIME_AGO = \"PT1H\"))" + body, "setting: TIME_AGO needs a clock"},
		{"how often", "CREATE STREAMING QUERY q WITH (CHECKPOINT_INTERVAL = \"PT30S\")" + body, "Created run runs"},
		{"how often, wrong", "CREATE STREAMING QUERY q WITH (CHECKPOINT_INTERVAL = \"-PT30S\")" + body, "bad-request: CHECKPOINT_INTERVAL cannot be \"-PT30S\" (BAD_REQUEST)"},
		{"output later", "CREATE STREAMING QUERY q WITH (OUTPUT_FROM = Timestamp(\"2026-01-01T00:00:00Z\"))" + body, "unsupported: OUTPUT_FROM is not supported"},
		{"explained", "EXPLAIN CREATE STREAMING QUERY q" + body + "DROP STREAMING QUERY q", "not-found: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := lastOf(t, declared+c.script); !strings.HasPrefix(got, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// lastOf executes a script and tells what became of its last statement; one before it that is refused ends it.
func lastOf(t *testing.T, script string) string {
	t.Helper()
	e := New(Options{Connectors: builtin.Connectors})
	text := source.Text{Name: "x", Body: script}
	var told string
	all, err := language.Parse(text, language.Auto)
	for _, stmt := range all {
		var r *Result
		if r, err = e.Execute(t.Context(), text, stmt); err != nil {
			break
		}
		told = strings.Join(append([]string{"nothing"}, r.Notes...), "; ")
		if s := r.Standing; s != nil {
			told = [...]string{Created: "Created", Set: "Set", Rewritten: "Rewritten", Anew: "Anew", Dropped: "Dropped"}[s.Change]
			if s.Run {
				told += " run"
			} else {
				told += " rest"
			}
			if r.Query != nil {
				told += " runs"
			}
		}
	}
	var fault *source.Error
	if errors.As(err, &fault) {
		return fault.Code + ": " + fault.Message
	}
	if err != nil {
		t.Fatal(err)
	}
	return told
}

// TestStandingText keeps the text between BEGIN and END DO as it was written.
func TestStandingText(t *testing.T) {
	e := New(Options{Connectors: builtin.Connectors})
	text := source.Text{Body: declared + "CREATE STREAMING QUERY q AS DO BEGIN -- all\n  INSERT INTO o SELECT s FROM i; END DO"}
	all, err := language.Parse(text, language.Auto)
	if err != nil {
		t.Fatal(err)
	}
	for _, stmt := range all {
		if _, err := e.Execute(t.Context(), text, stmt); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := e.session.AllStanding()[0].Statements(), " -- all\n  INSERT INTO o SELECT s FROM i; "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestStandingOfAnotherLanguage starts a query again whose statement stands in a text that was read as one language as a whole: what stands around it is not looked at.
func TestStandingOfAnotherLanguage(t *testing.T) {
	for _, c := range []struct {
		as     language.Language
		around string
	}{
		{language.YQL, `SELECT 'it\'s'; %s SELECT "\"", @@it's@@;`},
		{language.SQL, `SELECT 'C:\'; %s SELECT 'it''s';`},
		{language.Auto, `%s PRAGMA yt.InferSchema; SELECT "it's";`},
	} {
		text := source.Text{Name: "statements", Body: declared + fmt.Sprintf(c.around, "CREATE STREAMING QUERY q WITH (RUN = FALSE)"+body+"ALTER STREAMING QUERY q SET (RUN = TRUE);")}
		all, err := language.Parse(text, c.as)
		if err != nil {
			t.Fatal(err)
		}
		e := New(Options{Connectors: builtin.Connectors})
		begun := false
		for _, s := range all {
			if y, ok := s.(*language.YQLStatement); ok && y.Defines() {
				continue
			}
			r, err := e.Execute(t.Context(), text, s)
			if err != nil {
				t.Errorf("%s: %v", c.around, err)
				break
			}
			begun = begun || r.Standing != nil && r.Query != nil
		}
		if !begun {
			t.Errorf("%s: it was not started", c.around)
		}
	}
}
