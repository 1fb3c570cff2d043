package remote

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/shell"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// canonical is the spelling of a key under which it is kept, so that the last value wins.
func canonical(key string) string {
	for _, s := range catalog.KnownSettings {
		if s.Key == key && s.Alias != "" {
			return s.Alias
		}
	}
	return key
}

// set does SET: what can be is asked of a session of our own, and of the server where it depends on what is there.
func (p *Place) set(ctx context.Context, text source.Text, s *sql.Set) (*shell.Outcome, error) {
	if s.Option == nil {
		r, err := p.local.Execute(ctx, text, s)
		if err != nil {
			return nil, err
		}
		p.overlay(r.Rows)
		return &shell.Outcome{Rows: r.Rows}, nil
	}
	key, value := canonical(s.Option.Key.Value), &s.Option.Value
	switch key {
	case catalog.KeyCatalog:
		return &shell.Outcome{}, p.moveTo(ctx, text, value.Value, "", value.Span())
	case catalog.KeyDatabase:
		return &shell.Outcome{}, p.moveTo(ctx, text, p.catalog(), value.Value, value.Span())
	}
	r, err := p.local.Execute(ctx, text, s)
	if err != nil {
		return nil, err
	}
	p.properties[key] = value.Value
	return &shell.Outcome{Notes: r.Notes}, nil
}

// overlay puts the current catalog and database into the list of settings, which the session of our own does not know.
func (p *Place) overlay(rows *engine.Rows) {
	for _, row := range rows.Values {
		if value, ok := p.properties[row[0]]; ok && (row[0] == catalog.KeyCatalog || row[0] == catalog.KeyDatabase) {
			row[1] = value
		}
	}
}

func (p *Place) reset(ctx context.Context, text source.Text, s *sql.Reset) (*shell.Outcome, error) {
	if _, err := p.local.Execute(ctx, text, s); err != nil {
		return nil, err
	}
	if s.Key != nil {
		delete(p.properties, canonical(s.Key.Value))
		return &shell.Outcome{}, nil
	}
	for key := range p.properties {
		if key != catalog.KeyCatalog && key != catalog.KeyDatabase {
			delete(p.properties, key)
		}
	}
	return &shell.Outcome{}, nil
}

// catalog is the current one.
func (p *Place) catalog() string {
	if c, ok := p.properties[catalog.KeyCatalog]; ok {
		return c
	}
	return catalog.DefaultCatalog
}

func (p *Place) use(ctx context.Context, text source.Text, s *sql.Use) error {
	name := s.Name.Last()
	switch parts := s.Name.Parts; {
	case s.Catalog:
		return p.moveTo(ctx, text, name.Name, "", name.Span())
	case len(parts) == 1:
		return p.moveTo(ctx, text, p.catalog(), name.Name, name.Span())
	case len(parts) == 2:
		return p.moveTo(ctx, text, parts[0].Name, name.Name, name.Span())
	}
	_, err := p.local.Execute(ctx, text, s) // which says how many parts there can be
	return err
}

// moveTo makes a catalog and a database the current ones if they are there; "" is the database that sessions begin with, or any other if that is not there.
func (p *Place) moveTo(ctx context.Context, text source.Text, in, database string, at source.Span) error {
	refuse := func(message, hint string) error {
		return &source.Error{Code: source.CodeUnknownPlace, Span: at, Message: message, Hint: hint, Text: text}
	}
	databases, err := p.databases(ctx, in)
	var wrong *source.Error
	switch {
	case errors.As(err, &wrong):
		return refuse(wrong.Message, wrong.Hint)
	case err != nil:
		return err
	case database != "" && !slices.Contains(databases, database):
		hint := "the databases are: " + strings.Join(databases, ", ")
		if near := source.Nearest(database, databases); near != "" {
			hint = "did you mean '" + near + "'?"
		}
		return refuse("there is no database '"+database+"' in catalog '"+in+"'", hint)
	case database != "":
	case slices.Contains(databases, catalog.DefaultDatabase):
		database = catalog.DefaultDatabase
	case len(databases) == 0:
		return refuse("catalog '"+in+"' has no database to use", "CREATE DATABASE "+in+".… first")
	default:
		database = databases[0]
	}
	p.properties[catalog.KeyCatalog], p.properties[catalog.KeyDatabase] = in, database
	return nil
}

// databases lists those of a catalog, whatever the current ones are: they may be gone.
func (p *Place) databases(ctx context.Context, in string) ([]string, error) {
	text := source.Text{Name: "shell", Body: "SHOW DATABASES FROM " + catalog.Quote(in)}
	script, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	o, err := New(p.client, true).Execute(ctx, text, script.Statements[0])
	if err != nil {
		return nil, err
	}
	var names []string
	for _, row := range o.Rows.Values {
		names = append(names, row[0])
	}
	return names, nil
}
