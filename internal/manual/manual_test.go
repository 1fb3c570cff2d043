package manual

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/check"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/connector/kafka"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/layout"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestExamplesRun: the example of every statement is laid out as tidemark fmt does it, and runs.
func TestExamplesRun(t *testing.T) {
	setup := "CREATE TABLE readings (room STRING, heat DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'datagen');\n" +
		"CREATE TABLE warm (room STRING, heat DOUBLE) WITH ('connector' = 'blackhole');\n"
	for _, s := range statements {
		if laid, err := layout.SQL(source.Text{Body: s.example}); err != nil || laid != s.example+"\n" && strings.Contains(s.example, "\n") {
			t.Errorf("the example of %s is laid out as\n%s\n%v", s.name, laid, err)
		}
		body := setup
		if strings.HasPrefix(s.example, "CREATE TABLE readings") {
			body = ""
		}
		if strings.HasPrefix(s.example, "CREATE VIEW warm") || strings.HasPrefix(s.example, "DROP VIEW") {
			body = setup + "DROP TABLE warm;\n"
		}
		findings, err := check.Text(t.Context(), engine.New(engine.Options{Connectors: builtin.Connectors}), source.Text{Name: s.name, Body: body + s.example}, language.Auto)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			if f.Severity == check.Error {
				t.Errorf("%s", f.Render())
			}
		}
	}
}

// TestExamplesRunYQL does the same for YQL.
func TestExamplesRunYQL(t *testing.T) {
	const setup = "CREATE TABLE readings (room STRING, heat DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'datagen');\n" +
		"CREATE TABLE hottest (room STRING, heat DOUBLE, PRIMARY KEY (room) NOT ENFORCED) WITH ('connector' = 'blackhole');\nCREATE TOPIC input;\nCREATE TOPIC output;\n"
	managed := kafka.Managed(nil)
	managed.Create = func(connector.Table, connector.Options) (bool, error) { return false, nil }
	connectors := append(slices.Clone(builtin.Connectors), managed)
	for _, s := range statementsYQL {
		if laid, err := layout.YQL(source.Text{Body: s.example}); err != nil || laid != s.example+"\n" {
			t.Errorf("the example of %s is laid out as\n%s\n%v", s.name, laid, err)
		}
		findings, err := check.Text(t.Context(), engine.New(engine.Options{Connectors: connectors}), source.Text{Name: s.name, Body: setup + s.example}, language.YQL)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			if f.Severity == check.Error {
				t.Errorf("%s", f.Render())
			}
		}
	}
}

func TestFind(t *testing.T) {
	topics := Topics(builtin.Connectors)
	for _, c := range []struct{ name, text, near string }{
		{"upper", "UPPER(", ""},
		{"create  TABLE", "WATERMARK FOR", ""},
		{"filesystem", "'path'", ""},
		{"sql.profile", "SET 'sql.profile'", ""},
		{"star-into-sink", "tidemark:ignore star-into-sink", ""},
		{"windows", "TUMBLE, HOP", ""},
		{"types", "DECIMAL(p, s)", ""},
		{"managed tables", "--data-dir", ""},
		{"statement set", "EXECUTE STATEMENT SET", ""},
		{"over", "PRECEDING AND CURRENT ROW", ""},
		{"order by", "LIMIT n", ""},
		{"insert into", "INSERT INTO table", ""},
		{"primary key", "NOT ENFORCED", ""},
		{"json", "'json.ignore-parse-errors'", ""},
		{"json", "JSON(string)", ""},
		{"formats", "avro-confluent", ""},
		{"streaming query", "AS DO BEGIN", ""},
		{"yson::serializejson", "Yson::SerializeJson(", ""},
		{"AGGREGATE_LIST", "AGGREGATE_LIST(", ""},
		{"yql", "HOPPINGWINDOW", ""},
		{"order bu", "", "ORDER BY"},
		{"uper", "", "UPPER"},
		{"windws", "", "windows"},
		{"zzzzzzzz", "", ""},
	} {
		text, near := Find(topics, c.name)
		if !strings.Contains(text, c.text) || (c.text == "") != (text == "") || near != c.near {
			t.Errorf("%s: got %q near %q", c.name, text, near)
		}
	}
	overview := Overview(topics)
	for _, topic := range topics {
		if !strings.Contains(overview, topic.Name) || !strings.HasSuffix(topic.Text, "\n") {
			t.Errorf("%s: %q", topic.Name, topic.Text)
		}
	}
	for line := range strings.Lines(overview) {
		if len(line) > 101 {
			t.Errorf("a long line: %s", line)
		}
	}
}
