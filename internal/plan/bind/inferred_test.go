package bind

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/kafka"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// asked is a connector.Inferred that notes what it is asked.
type asked struct {
	topics []string
	err    error
	log    []string
}

func (a *asked) Names() ([]string, error) {
	a.log = append(a.log, "names")
	return a.topics, a.err
}

func (a *asked) Describe(names []string) (tables []connector.InferredTable, err error) {
	a.log = append(a.log, strings.Join(names, " "))
	for _, n := range names {
		if slices.Contains(a.topics, n) {
			tables = append(tables, connector.InferredTable{
				Table:   connector.Table{Name: n, Schema: types.Schema{{Name: "key", Type: types.BytesType}, {Name: "it`s", Type: types.StringType}}, Keys: []int{0}, Buckets: 3},
				Options: connector.Options{"connector": kafka.ManagedName, "key.format": "raw", "value.format": "raw"},
			})
		}
	}
	return tables, a.err
}

func (a *asked) binder(t *testing.T, session *catalog.Session, statement string) (*Binder, sql.Statement) {
	t.Helper()
	managed := kafka.Managed(nil)
	managed.Inferred = a
	text := source.Text{Body: statement}
	script, err := sql.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return New(session, []connector.Connector{managed}, text), script.Statements[0]
}

// TestAskedOnce: a statement asks for a table that nobody declared once, however often it names it, in views too; for tables that were declared it asks nobody, and so
// where no table can be without a declaration.
func TestAskedOnce(t *testing.T) {
	session := catalog.NewSession()
	a := &asked{topics: []string{"orders", "web.clicks"}}
	b, s := a.binder(t, session, "CREATE VIEW v AS SELECT * FROM orders")
	v, err := b.View(s.(*sql.CreateView))
	if err != nil {
		t.Fatal(err)
	}
	session.Put(v)
	b, s = a.binder(t, session, "CREATE TABLE declared (id BIGINT)")
	d, err := b.Table(s.(*sql.CreateTable))
	if err != nil {
		t.Fatal(err)
	}
	session.Put(d)
	session.AddDatabase(catalog.DefaultCatalog, "other", "")
	for _, c := range []struct{ query, want, message string }{
		{"SELECT * FROM declared", "", ""},
		{"SELECT `it``s`, `$rowtime` FROM orders", "orders", ""},
		{"SELECT * FROM orders UNION ALL SELECT * FROM orders UNION ALL SELECT * FROM v", "orders", ""},
		{"SELECT * FROM `web.clicks`, orders", "web.clicks, orders", ""},
		{"WITH orders AS (SELECT 1 AS n) SELECT * FROM orders", "", ""},
		{"SELECT * FROM order1", "order1, names", "unknown table 'order1'"},
		{"SELECT * FROM other.orders", "", "unknown table 'orders'"},
		{"SELECT * FROM `orders$late`", "orders$late, orders", "there is no table of the late rows of 'orders'"},
		{"SELECT * FROM INFORMATION_SCHEMA.CATALOGS", "", ""},
		{"SELECT * FROM INFORMATION_SCHEMA.`COLUMNS`", "names, orders web.clicks", ""},
	} {
		a.log = nil
		b, s := a.binder(t, session, c.query)
		_, err := b.Query(s.(*sql.QueryStatement).Query)
		if got := strings.Join(a.log, ", "); got != c.want {
			t.Errorf("%s\nasked %q, want %q", c.query, got, c.want)
		}
		if err == nil && c.message != "" || err != nil && (c.message == "" || !strings.Contains(err.Error(), c.message)) {
			t.Errorf("%s: %v", c.query, err)
		}
	}
	if err := session.Set(catalog.KeyProfile, string(catalog.Flink)); err != nil {
		t.Fatal(err)
	}
	a.log = nil
	b, s = a.binder(t, session, "SELECT * FROM orders")
	if _, err := b.Query(s.(*sql.QueryStatement).Query); err == nil || a.log != nil {
		t.Errorf("in the profile flink: %v, asked %q", err, a.log)
	}
}

// TestNobodyAnswers: that nobody can be asked is what there is to say, and not that a table is unknown.
func TestNobodyAnswers(t *testing.T) {
	a := &asked{err: errors.New("nobody is there")}
	for _, query := range []string{"SELECT * FROM orders", "SELECT * FROM `orders$late`", "SELECT * FROM INFORMATION_SCHEMA.`TABLES`", "SELECT (SELECT MAX(n) FROM orders) FROM (VALUES (1)) AS t (n)"} {
		b, s := a.binder(t, catalog.NewSession(), query)
		if _, err := b.Query(s.(*sql.QueryStatement).Query); !errors.Is(err, a.err) {
			t.Errorf("%s: %v", query, err)
		}
	}
}
