package lower

import (
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// flatten lowers FLATTEN: a row for every element of a collection, or the members of structs as columns.
func (l *Lowerer) flatten(f *yql.Flatten) (*relation, error) {
	rows, err := l.from(f.Source)
	if err != nil {
		return nil, err
	}
	if f.Kind == yql.FlattenColumns {
		return l.flattenColumns(f, rows)
	}
	for i := range f.By {
		if rows, err = l.flattenBy(f, &f.By[i], rows); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// flattenBy makes a row of every element of a List or Dict, and leaves out those of an Optional that are NULL. The column that is flattened is hidden by its elements.
func (l *Lowerer) flattenBy(f *yql.Flatten, by *yql.NamedExpr, rows *relation) (*relation, error) {
	v, err := l.column(by.Expr, &scope{rows: rows, names: l.names, where: "FLATTEN"})
	if err != nil {
		return nil, err
	}
	named := ""
	if _, of, ok := qualified(by.Expr); ok {
		named = of.Name
	}
	if by.Alias != nil {
		named = by.Alias.Name
	}
	if named == "" {
		return nil, l.errorf(source.CodeType, by.Span(), "write FLATTEN LIST BY ("+l.text.Slice(by.Expr.Span())+" AS item)", "an expression in FLATTEN BY needs a name")
	}
	switch {
	case v.Type.Kind == yqltype.List && (f.Kind == yql.FlattenAny || f.Kind == yql.FlattenList):
		return l.elements(rows, v, named, by, v.Type.Elem())
	case v.Type.Kind == yqltype.Dict && (f.Kind == yql.FlattenAny || f.Kind == yql.FlattenDict):
		pairs, err := functions.Call("", "DictItems", []functions.Named{{Value: v}})
		if err != nil {
			return nil, l.located(err, by.Expr)
		}
		return l.elements(rows, pairs, named, by, pairs.Type.Elem())
	case v.Type.Optional && (f.Kind == yql.FlattenAny || f.Kind == yql.FlattenOptional):
		return l.present(rows, v, named, by.Span())
	}
	wanted := map[yql.FlattenKind]string{yql.FlattenAny: "a List, Dict or Optional", yql.FlattenList: "a List", yql.FlattenDict: "a Dict", yql.FlattenOptional: "an Optional"}[f.Kind]
	return nil, l.errorf(source.CodeType, by.Expr.Span(), "flatten another column", "FLATTEN %s BY takes %s, and this is %s", f.Kind, wanted, v.Type)
}

// elements is a row for every element of a list.
func (l *Lowerer) elements(rows *relation, list functions.Value, named string, by *yql.NamedExpr, elem yqltype.Type) (*relation, error) {
	table := ""
	if t := rows.tables(); len(t) == 1 {
		table = t[0]
	}
	n := &plan.Unnest{Input: rows.node, Collection: list.Expr, Cols: slices.Clone(rows.node.Columns())}
	out := *rows
	out.node, out.columns = n, slices.Clone(rows.columns)
	out.values = rows.kept()
	for i := range out.columns {
		if out.columns[i].name == named {
			out.columns[i].kind = carriedColumn
		}
	}
	first := len(n.Cols)
	parts, ok := plan.ElementsOf(list.Type.Required().Physical(), false)
	if !ok {
		return nil, fmt.Errorf("tidemark bug: %s has no elements", list.Type)
	}
	for _, p := range parts {
		n.Cols = append(n.Cols, plan.Column{Name: p.Name, Type: p.Type})
		out.columns = append(out.columns, column{kind: carriedColumn})
		out.values = append(out.values, functions.Value{})
	}
	v := functions.Value{Expr: newColumn(first, named, parts[0].Type), Type: elem}
	if k := elem.Kind; k == yqltype.Struct || k == yqltype.Tuple {
		// UNNEST has taken the element apart; it is put together again where somebody wants the whole.
		var members []functions.Named
		for i, p := range parts {
			members = append(members, functions.Named{Name: p.Name, Value: functions.Value{Expr: newColumn(first+i, p.Name, p.Type), Type: elem.Elems()[i]}})
		}
		var err error
		if k == yqltype.Struct {
			v, err = functions.Struct(members)
		} else {
			all := make([]functions.Value, len(members))
			for i, m := range members {
				all[i] = m.Value
			}
			v, err = functions.Tuple(all)
		}
		if err != nil {
			return nil, l.located(err, by.Expr)
		}
	}
	p := project(&out)
	for i, c := range out.columns[:first] {
		if c.kind != carriedColumn {
			p.add(c.name, c.table, out.value(i), c.kind)
		}
	}
	p.add(named, table, v, plainColumn)
	return p.done(), nil
}

// present leaves out the rows in which v is NULL, and has it as a value that is there.
func (l *Lowerer) present(rows *relation, v functions.Value, named string, at source.Span) (*relation, error) {
	is, err := functions.IsNull(v, true)
	if err != nil {
		return nil, l.place(err, at)
	}
	in := rows.filtered(is.Expr)
	p := project(in)
	table := ""
	for i, c := range in.columns {
		if c.name == named {
			table = c.table
		} else if c.kind != carriedColumn {
			p.add(c.name, c.table, in.value(i), c.kind)
		}
	}
	v.Type = v.Type.Required()
	p.add(named, table, functions.Value{Expr: expr.NewRequired(v.Expr, named), Type: v.Type}, plainColumn)
	return p.done(), nil
}

// flattenColumns has the members of struct columns as columns.
func (l *Lowerer) flattenColumns(f *yql.Flatten, rows *relation) (*relation, error) {
	p := project(rows)
	add := func(name, table string, v functions.Value, kind columnKind) error {
		if slices.ContainsFunc(p.out.columns, func(c column) bool { return c.name == name }) {
			return l.errorf(source.CodeDuplicate, f.Span(), "rename one of them in a query", "FLATTEN COLUMNS gives two columns '%s'", name)
		}
		p.add(name, table, v, kind)
		return nil
	}
	found := false
	for i, c := range rows.columns {
		if c.kind == carriedColumn {
			continue
		}
		v := rows.value(i)
		if c.typ.Kind != yqltype.Struct || c.kind == systemColumn {
			if err := add(c.name, c.table, v, c.kind); err != nil {
				return nil, err
			}
			continue
		}
		found = true
		for _, m := range functions.Members(v) {
			if err := add(m.Name, c.table, m.Value, plainColumn); err != nil {
				return nil, err
			}
		}
	}
	if !found {
		return nil, l.errorf(source.CodeType, f.Span(), "leave it out", "FLATTEN COLUMNS has no Struct to take apart")
	}
	return p.done(), nil
}
