package lower_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/connector/kafka"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/plan/rewrite"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/lower"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// topics are those that nobody has declared.
type topics []string

// Names implements connector.Inferred.
func (t topics) Names() ([]string, error) { return t, nil }

// Describe implements connector.Inferred.
func (t topics) Describe(names []string) (tables []connector.InferredTable, err error) {
	for _, n := range names {
		if slices.Contains(t, n) {
			tables = append(tables, connector.InferredTable{
				Table:   connector.Table{Name: n, Schema: types.Schema{{Name: "key", Type: types.BytesType}, {Name: "val", Type: types.BytesType}}, Keys: []int{0}, Buckets: 3},
				Options: connector.Options{"connector": kafka.ManagedName, "key.format": "raw", "value.format": "raw"},
			})
		}
	}
	return tables, nil
}

// session has the tables of testdata/tables.sql, which are declared in Flink SQL, and topics that nobody has declared.
func session(t *testing.T) (*catalog.Session, []connector.Connector) {
	t.Helper()
	managed := kafka.Managed(nil)
	managed.Inferred = topics{"Input", "Output", "Alerts", "meters"}
	connectors := append(slices.Clone(builtin.Connectors), managed)
	s := catalog.NewSession()
	tables, err := os.ReadFile("testdata/tables.sql")
	if err != nil {
		t.Fatal(err)
	}
	text := source.Text{Name: "tables", Body: string(tables)}
	script, err := sql.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, stmt := range script.Statements {
		b := bind.New(s, connectors, text)
		switch stmt := stmt.(type) {
		case *sql.CreateTable:
			made, err := b.Table(stmt)
			if err != nil {
				t.Fatal(err)
			}
			s.Put(made)
		case *sql.CreateView:
			made, err := b.View(stmt)
			if err != nil {
				t.Fatal(err)
			}
			s.Put(made)
		}
	}
	return s, connectors
}

// lowered is what a text comes to: its plans, or its error.
func lowered(t *testing.T, body string) (string, error) {
	t.Helper()
	s, connectors := session(t)
	text := source.Text{Name: "q.yql", Body: body}
	script, err := yql.Parse(text)
	if err != nil {
		return "", err
	}
	l := lower.New(bind.New(s, connectors, text), s, text)
	var out strings.Builder
	for _, stmt := range script.Statements {
		if done, err := l.Define(stmt); done || err != nil {
			if err != nil {
				return "", err
			}
			continue
		}
		var p *lower.Program
		switch stmt := stmt.(type) {
		case *yql.CreateStreamingQuery:
			p, err = l.StreamingQuery(stmt.Body.Statements, stmt.Span(), lower.Options{})
		case *yql.CreateTable:
			var made *catalog.Table
			if made, err = l.Table(stmt); err == nil {
				s.Put(made)
				out.WriteString(sql.Format(made.Declared.Statement(sql.Name{Parts: []sql.Ident{{Name: made.Name}}}, false)) + "\n")
			}
		case *yql.CreateTopic:
			var made *catalog.Table
			if made, err = l.Topic(stmt); err == nil {
				s.Put(made)
				out.WriteString(sql.Format(made.Declared.Statement(sql.Name{Parts: []sql.Ident{{Name: made.Name}}}, false)) + "\n")
			}
		default:
			p, err = l.Statement(stmt)
		}
		if err != nil {
			return "", err
		}
		if p != nil {
			out.WriteString(written(p))
		}
	}
	return out.String(), nil
}

// written is a program as goldens have it.
func written(p *lower.Program) string {
	var b strings.Builder
	for _, n := range p.Notes {
		b.WriteString("note: " + n.Text + "\n")
	}
	for _, s := range p.Settings {
		b.WriteString("setting: " + s.Key + " = " + s.Value + "\n")
	}
	var all []*plan.Statement
	rewritten, err := rewrite.Plans(context.Background(), roots(p.Statements))
	if err != nil {
		panic(err)
	}
	for i, root := range rewritten {
		of := *p.Statements[i]
		of.Root = root
		all = append(all, &of)
	}
	explained := plan.Explain(all, plan.Details{})
	cut := len(explained)
	for _, head := range []string{"\nWatermarks\n", "\nState\n", "\nGuarantees", "\nSystem watermark\n"} {
		if i := strings.Index(explained, head); i >= 0 {
			cut = min(cut, i)
		}
	}
	b.WriteString(explained[:cut])
	return b.String()
}

func roots(all []*plan.Statement) (nodes []plan.Node) {
	for _, s := range all {
		nodes = append(nodes, s.Root)
	}
	return nodes
}

// read is what <input> stands for in the texts of testdata.
const read = `Input WITH (FORMAT = json_each_row, SCHEMA = (k String, v Int64, at Timestamp, doc Json, tags List<String>, p Struct<x:Int32,y:Utf8>), WATERMARK = __ydb_write_time - Interval("PT5S"))`

// TestGoldens compares what the texts of testdata come to. A case is a text, four dashes and what comes of it, up to a line of four equals signs. In a file whose name begins
// with body the text is the body of a streaming query.
func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			for block := range strings.SplitSeq(strings.TrimSuffix(string(content), "====\n"), "====\n") {
				text, want, ok := strings.Cut(block, "----\n")
				if !ok {
					t.Fatalf("%s: %q has no line of four dashes", file, block)
				}
				body := strings.ReplaceAll(text, "<input>", read)
				if strings.HasPrefix(filepath.Base(file), "body") {
					body = "CREATE STREAMING QUERY q AS DO BEGIN\n" + body + "END DO;\n"
				}
				got, err := lowered(t, body)
				if e, ok := errors.AsType[*source.Error](err); ok {
					got = e.Render()
				} else if err != nil {
					t.Errorf("%s\nis refused without a place: %v", text, err)
				}
				if strings.Contains(filepath.Base(file), "error") && err == nil {
					t.Errorf("%s\nis not refused", text)
				}
				got = strings.ReplaceAll(got, read, "<input>")
				if got != want && !*update {
					t.Errorf("%s\ngot:\n%s\nwant:\n%s", text, got, want)
				}
				out.WriteString(text + "----\n" + got + "====\n")
			}
			if *update {
				if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
