package engine

import (
	"errors"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// altered finds what ALTER names: nil without an error if it is not there and IF EXISTS says that this is fine.
func (x *execution) altered(n sql.Name, kind sql.ObjectKind, ifExists bool) (catalog.Relation, error) {
	p, err := x.bind.Path(n)
	if err != nil {
		return nil, err
	}
	if p.Database == catalog.InformationSchema {
		return nil, x.unsupported(n.Span(), "ALTER of a view of "+p.Database, "its views describe the catalog and stay as they are")
	}
	if _, ok, err := x.bind.Find(p); err != nil || !ok && ifExists {
		return nil, err
	}
	r, err := x.bind.Relation(n)
	if err != nil {
		return nil, err
	}
	if is := kindOf(r); is != kind {
		return nil, x.errorf(source.CodeUnknownTable, n.Span(), "write ALTER "+string(is), "'%s' is a %s", p.Name, map[sql.ObjectKind]string{sql.ViewObject: "view", sql.TableObject: "table"}[is])
	}
	return r, nil
}

func (x *execution) alterTable(s *sql.AlterTable) error {
	r, err := x.altered(s.Name, sql.TableObject, s.IfExists)
	if r == nil || err != nil {
		return err
	}
	if rename, ok := s.Action.(*sql.AlterRename); ok {
		if x.connector(r.(*catalog.Table)).Create != nil {
			return x.unsupported(s.Action.Span(), "renaming a managed table", "its topic keeps its name; CREATE another table and INSERT INTO it")
		}
		to, err := x.bind.RenameTable(r, rename.To)
		if err != nil {
			return err
		}
		return x.replace(r, to, rename.To.Span())
	}
	t, err := x.bind.AlterTable(r.(*catalog.Table), s.Action)
	if err != nil {
		return err
	}
	if err := x.alterable(r.(*catalog.Table), t, s.Action.Span()); err != nil {
		return err
	}
	if err := x.makeKeepers(t); err != nil {
		return err
	}
	return x.replace(r, t, s.Action.Span())
}

// alterable refuses to make one managed table of another if what holds its rows would not be what the table says.
func (x *execution) alterable(from, to *catalog.Table, at source.Span) error {
	was, is := x.connector(from), x.connector(to)
	place := func(key string) source.Span {
		if p, ok := to.Places[key]; ok && from.Places[key] != p {
			return p.Span
		}
		return at
	}
	if was != is && (was.Create != nil || is.Create != nil) {
		return x.unsupported(place("connector"), "ALTER TABLE from or to a managed table", "CREATE another table and INSERT INTO it")
	}
	if is.Alter == nil {
		return nil
	}
	a, _ := from.Written()
	b, _ := to.Written()
	err := is.Alter(a, b, from.Options, to.Options)
	if option, ok := errors.AsType[*connector.OptionError](err); ok {
		return x.errorf(source.CodeOption, place(option.Key), option.Hint, "%s", option.Message)
	}
	return err
}

func (x *execution) alterView(s *sql.AlterView) error {
	r, err := x.altered(s.Name, sql.ViewObject, s.IfExists)
	if r == nil || err != nil {
		return err
	}
	var to catalog.Relation
	if s.To != nil {
		to, err = x.bind.RenameTable(r, *s.To)
	} else {
		to, err = x.bind.AlterView(r.(*catalog.View), s.Query)
	}
	if err != nil {
		return err
	}
	return x.replace(r, to, s.Span())
}

// replace puts a table or view in the place of another one, unless a view that was right would then be wrong.
func (x *execution) replace(from, to catalog.Relation, at source.Span) error {
	_, declared := x.session.Exact(from.Full(), from.IsTemporary())
	var right []*catalog.View
	for _, v := range x.session.Views() {
		if v != from && x.check(v) == nil {
			right = append(right, v)
		}
	}
	x.session.Drop(from)
	x.session.Put(to)
	if v, ok := to.(*catalog.View); ok {
		right = append(right, v)
	}
	for _, v := range right {
		if err := x.check(v); err != nil {
			x.session.Drop(to)
			if declared {
				x.session.Put(from)
			}
			return x.errorf("in-use", at, "ALTER or DROP the view first", "view '%s' needs it as it is: %s", v.Name, bind.Message(err))
		}
	}
	return nil
}

func (x *execution) check(v *catalog.View) error {
	return x.bind.CheckView(v)
}
