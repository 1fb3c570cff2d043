package engine

import (
	"regexp"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// show lists names under the titles that Flink 2.3 gives.
func (x *execution) show(s *sql.Show) (*Result, error) {
	keep, err := x.pattern(s)
	if err != nil {
		return nil, err
	}
	var title string
	var names []string
	switch s.What {
	case sql.ShowTables:
		title = "table name"
		names, err = x.relations(s, false)
	case sql.ShowViews:
		title = "view name"
		names, err = x.relations(s, true)
	case sql.ShowFunctions:
		title, names = "function name", append(function.ScalarNames(), function.AggregateNames()...)
		err = x.place(s)
	case sql.ShowUserFunctions:
		title = "function name"
		err = x.place(s)
	case sql.ShowDatabases:
		title = "database name"
		names, err = x.databases(s)
	case sql.ShowCatalogs:
		title, names = "catalog name", x.session.Catalogs()
	case sql.ShowCurrentCatalog:
		title, names = "current catalog name", []string{x.session.Current().Catalog}
	case sql.ShowCurrentDatabase:
		title, names = "current database name", []string{x.session.Current().Database}
	case sql.ShowCreateTable, sql.ShowCreateView:
		return x.showCreate(s)
	case sql.ShowColumns:
		return x.showColumns(s, keep)
	case sql.ShowJobs:
		return nil, x.unsupported(s.Span(), "SHOW JOBS", "a statement runs in the program that was given it, and ends with it; its progress and its end are on standard error")
	default:
		return nil, x.unsupported(s.Span(), "SHOW "+string(s.What), "all functions are in one module; SHOW FUNCTIONS lists them")
	}
	if err != nil {
		return nil, err
	}
	rows := newRows(title)
	for _, n := range names {
		if keep(n) {
			rows.add(n)
		}
	}
	return &Result{Rows: rows}, nil
}

// pattern tells which names LIKE and ILIKE let through; functions have no case. % is any text, _ any character, a backslash takes the next character as it is.
func (x *execution) pattern(s *sql.Show) (func(string) bool, error) {
	if s.Like == nil {
		return func(string) bool { return true }, nil
	}
	var b strings.Builder
	b.WriteString("(?s)^")
	if s.IgnoreCase || s.What == sql.ShowFunctions {
		b.WriteString("(?i)")
	}
	escaped := false
	for _, c := range s.Like.Value {
		switch {
		case escaped:
			escaped = false
			b.WriteString(regexp.QuoteMeta(string(c)))
		case c == '\\':
			escaped = true
		case c == '%':
			b.WriteString(".*")
		case c == '_':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	if escaped {
		return nil, x.errorf("syntax", s.Like.Span(), `write \\ for a backslash`, "the pattern ends in a backslash")
	}
	re, err := regexp.Compile(b.String() + "$")
	if err != nil {
		return nil, x.errorf("syntax", s.Like.Span(), "write a shorter pattern", "the pattern cannot be read")
	}
	return func(name string) bool { return re.MatchString(name) != s.NotLike }, nil
}

// where is the database that SHOW looks at.
func (x *execution) where(s *sql.Show) (catalog.Current, error) {
	at := x.session.Current()
	if s.Name == nil {
		return at, nil
	}
	c, name, err := x.database(*s.Name)
	if err != nil {
		return at, err
	}
	if _, ok := c.Database(name.Name); !ok && name.Name != catalog.InformationSchema {
		return at, x.noDatabase(c, name)
	}
	return catalog.Current{Catalog: c.Name, Database: name.Name}, nil
}

func (x *execution) place(s *sql.Show) error {
	_, err := x.where(s)
	return err
}

func (x *execution) relations(s *sql.Show, onlyViews bool) ([]string, error) {
	at, err := x.where(s)
	if err != nil {
		return nil, err
	}
	if at.Database == catalog.InformationSchema {
		return bind.InformationViews(), nil
	}
	if !onlyViews {
		return x.bind.Names(at)
	}
	var names []string
	for _, r := range x.session.Relations(at.Catalog, at.Database) {
		if kindOf(r) == sql.ViewObject {
			names = append(names, r.Full().Name)
		}
	}
	return names, nil
}

func (x *execution) databases(s *sql.Show) ([]string, error) {
	name := sql.Ident{Name: x.session.Current().Catalog}
	if s.Name != nil {
		if name = s.Name.Last(); len(s.Name.Parts) > 1 {
			return nil, x.errorf(source.CodeUnknownPlace, s.Name.Span(), "write SHOW DATABASES FROM "+s.Name.Parts[0].Name, "the name of a catalog has one part")
		}
	}
	c, ok := x.session.Catalog(name.Name)
	if !ok {
		return nil, x.noCatalog(name)
	}
	return c.Databases(), nil
}

// showCreate prints the DDL that makes a table or view as it is now.
func (x *execution) showCreate(s *sql.Show) (*Result, error) {
	kind := sql.TableObject
	if s.What == sql.ShowCreateView {
		kind = sql.ViewObject
	}
	p, err := x.bind.Path(*s.Name)
	if err != nil {
		return nil, err
	}
	if p.Database == catalog.InformationSchema {
		return nil, x.unsupported(s.Span(), "SHOW CREATE for a view of "+p.Database, "its views are computed and have no DDL; DESCRIBE lists their columns")
	}
	r, err := x.bind.Relation(*s.Name)
	if err != nil {
		return nil, err
	}
	if is := kindOf(r); is != kind {
		return nil, x.errorf(source.CodeUnknownTable, s.Name.Span(), "write SHOW CREATE "+string(is)+" "+p.Name, "'%s' is a %s", p.Name, strings.ToLower(string(is)))
	}
	rows := newRows("result")
	rows.Verbatim = true
	rows.add(sql.FormatQuoted(declaration(r)))
	return &Result{Rows: rows}, nil
}

// declaration is the statement that makes r.
func declaration(r catalog.Relation) sql.Statement {
	p := r.Full()
	name := sql.Name{Parts: []sql.Ident{{Name: p.Catalog, Quoted: true}, {Name: p.Database, Quoted: true}, {Name: p.Name, Quoted: true}}}
	if t, ok := r.(*catalog.Table); ok {
		return t.Declared.Statement(name, t.Temporary)
	}
	v := r.(*catalog.View)
	c := &sql.CreateView{Temporary: v.Temporary, Name: name, Columns: v.Columns, Query: v.Query}
	if v.Comment != "" {
		c.Comment = &sql.StringLit{Value: v.Comment}
	}
	return c
}

func didYouMean(name string, candidates []string, otherwise string) string {
	if near := source.Nearest(name, candidates); near != "" {
		return "did you mean '" + near + "'?"
	}
	return otherwise
}
