package bind

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestForeignNames: what is explained as foreign is not there, and what is advised is.
func TestForeignNames(t *testing.T) {
	b := New(catalog.NewSession(), nil, source.Text{})
	for name := range foreignTypes {
		if _, err := b.typeOf(&sql.TypeName{Name: name}); err == nil {
			t.Errorf("type %s is there", name)
		}
	}
	for name, ours := range foreignFunctions {
		_, scalar := function.LookupScalar(name)
		_, aggregate := function.LookupAggregate(name)
		if _, absent := function.LookupNotYet(name); scalar || aggregate || absent {
			t.Errorf("%s is in the registry of functions", name)
		}
		advised, _, call := strings.Cut(ours, "(")
		if _, there := function.LookupAggregate(advised); there || !call {
			continue
		}
		if _, there := function.LookupScalar(advised); !there {
			t.Errorf("%s: %s is not there", name, advised)
		}
	}
}

// TestManagedByDefault: whoever forgot 'connector' hears that the table is a managed one.
func TestManagedByDefault(t *testing.T) {
	managed := connector.Connector{Name: "own", Specs: []connector.Spec{{Key: "value.format"}}, Create: func(connector.Table, connector.Options) (bool, error) { return true, nil }}
	other := connector.Connector{Name: "kafka", Specs: []connector.Spec{{Key: "topic"}, {Key: "value.format"}}}
	for _, c := range []struct{ options, message, hint string }{
		{"'path' = 'x'", "a managed table has no option 'path'", "no 'connector' was given, so this is a managed table: it takes: connector"},
		{"'value.fromat' = 'x'", "a managed table has no option 'value.fromat'", "no 'connector' was given, so this is a managed table: did you mean 'value.format'?"},
		{"'topic' = 'x'", "a managed table has no option 'topic'", "no 'connector' was given, so this is a managed table: add 'connector' = '…'; the option is of 'kafka'"},
		{"'connector' = 'own', 'path' = 'x'", "connector 'own' has no option 'path'", "it takes: connector"},
	} {
		text := source.Text{Body: "CREATE TABLE t (a INT) WITH (" + c.options + ")"}
		script, err := sql.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = New(catalog.NewSession(), []connector.Connector{managed, other}, text).Table(script.Statements[0].(*sql.CreateTable))
		if e, ok := errors.AsType[*source.Error](err); !ok || e.Message != c.message || !strings.HasPrefix(e.Hint, c.hint) {
			t.Errorf("%s: %+v", c.options, err)
		}
	}
}

// TestUnknownTopic: where tables are topics, one that is there may only lack its declaration.
func TestUnknownTopic(t *testing.T) {
	managed := connector.Connector{Name: "own", Create: func(connector.Table, connector.Options) (bool, error) { return true, nil }}
	text := source.Text{Body: "SELECT * FROM orders"}
	script, err := sql.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		connectors []connector.Connector
		takesUp    bool
	}{{nil, false}, {[]connector.Connector{managed}, true}} {
		_, err := New(catalog.NewSession(), c.connectors, text).Query(script.Statements[0].(*sql.QueryStatement).Query)
		if e, ok := errors.AsType[*source.Error](err); !ok || strings.Contains(e.Hint, "takes up the topic") != c.takesUp {
			t.Errorf("%+v", err)
		}
	}
}
