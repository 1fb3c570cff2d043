package bind

import (
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// AlterTable makes the table that ALTER TABLE leaves; t stays as it is, for those who read it. RENAME TO is RenameTable's.
func (b *Binder) AlterTable(t *catalog.Table, action sql.AlterAction) (*catalog.Table, error) {
	a := alteration{b: b, table: t, d: t.Declared.Clone()}
	var err error
	switch action := action.(type) {
	case *sql.AlterAdd:
		err = a.add(action)
	case *sql.AlterModify:
		err = a.modify(action)
	case *sql.AlterDropColumns:
		err = a.dropColumns(action)
	case *sql.AlterDrop:
		err = a.drop(action)
	case *sql.AlterSet:
		a.set(action.Options)
	case *sql.AlterReset:
		err = a.reset(action.Keys)
	case *sql.AlterRenameColumn:
		err = a.renameColumn(action)
	default:
		panic(fmt.Sprintf("tidemark bug: ALTER TABLE with %T", action))
	}
	if err != nil {
		return nil, err
	}
	to := &catalog.Table{Path: t.Path, Temporary: t.Temporary, Declared: a.d, At: t.At, Program: t.Program}
	if err := b.redefine(t, to); err != nil {
		return nil, err
	}
	return to, nil
}

// RenameTable is t under another name. Flink 2.3: it stays in its database.
func (b *Binder) RenameTable(r catalog.Relation, to sql.Name) (catalog.Relation, error) {
	from := r.Full()
	if len(to.Parts) == 1 {
		to = sql.Name{Parts: []sql.Ident{{Located: to.Last().Located, Name: from.Catalog}, {Located: to.Last().Located, Name: from.Database}, to.Last()}}
	}
	p, err := b.newPath(to)
	if err != nil {
		return nil, err
	}
	if p.Catalog != from.Catalog || p.Database != from.Database {
		return nil, b.unsupported(to.Span(), "keep it in database '"+from.Database+"', or create it anew: CREATE TABLE … LIKE", "RENAME to another database is")
	}
	if _, taken := b.session.Exact(p, r.IsTemporary()); taken {
		return nil, b.errorf(source.CodeDuplicate, to.Span(), "choose another name", "'%s' is there already", p.Name)
	}
	switch r := r.(type) {
	case *catalog.Table:
		renamed := *r
		renamed.Path = p
		return &renamed, nil
	case *catalog.View:
		renamed := *r
		renamed.Path = p
		return &renamed, nil
	}
	panic(fmt.Sprintf("tidemark bug: RENAME of %T", r))
}

// alteration changes the declaration of a table.
type alteration struct {
	b     *Binder
	table *catalog.Table
	d     catalog.Declaration
}

// column finds a column that must be there.
func (a *alteration) column(n sql.Name) (int, error) {
	if len(n.Parts) > 1 {
		return 0, a.b.unsupported(n.Span(), "change the whole column: MODIFY "+n.Parts[0].Name+" with another type", "a change within the column '%s' is", n.Parts[0].Name)
	}
	if i := a.d.Column(n.Last().Name); i >= 0 {
		return i, nil
	}
	names := a.names()
	return 0, a.b.errorf(source.CodeUnknownColumn, n.Span(), didYouMean(n.Last().Name, names, "the columns are: "+join(names)), "table '%s' has no column '%s'", a.table.Name, n.Last().Name)
}

func (a *alteration) names() []string {
	var names []string
	for _, c := range a.d.Columns {
		names = append(names, c.Part.Name.Last().Name)
	}
	return names
}

// insert puts a column where its position says, or at at.
func (a *alteration) insert(c sql.Column, at int) error {
	if p := c.Position; p != nil {
		at = 0
		if p.After != nil {
			i, err := a.column(*p.After)
			if err != nil {
				return err
			}
			at = i + 1
		}
	}
	c.Position = nil
	a.d.Columns = slices.Insert(a.d.Columns, at, catalog.Declared[sql.Column]{Part: c, Text: a.b.text})
	return nil
}

func (a *alteration) add(x *sql.AlterAdd) error {
	for _, c := range x.Schema.Columns {
		if len(c.Name.Parts) > 1 {
			return a.b.unsupported(c.Name.Span(), "change the whole column: MODIFY "+c.Name.Parts[0].Name+" with another type", "a change within the column '%s' is", c.Name.Parts[0].Name)
		}
		if name := c.Name.Last().Name; a.d.Column(name) >= 0 {
			return a.b.errorf(source.CodeDuplicate, c.Name.Span(), "write MODIFY to change it", "table '%s' has a column '%s' already", a.table.Name, name)
		}
		if err := a.insert(c, len(a.d.Columns)); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name           string
		written, there bool
		at             sql.Node
	}{
		{"a watermark", x.Schema.Watermark != nil, a.d.Watermark != nil, x.Schema.Watermark},
		{"a primary key", x.Schema.PrimaryKey != nil, a.d.PrimaryKey != nil, x.Schema.PrimaryKey},
		{"a distribution", x.Distributed != nil, a.d.Distributed != nil, x.Distributed},
	} {
		if part.written && part.there {
			return a.b.errorf(source.CodeDuplicate, part.at.Span(), "write MODIFY to change it", "table '%s' has %s already", a.table.Name, part.name)
		}
	}
	a.parts(x.Schema, x.Distributed)
	return nil
}

// parts takes over what is written of watermark, key and distribution.
func (a *alteration) parts(s sql.TableSchema, d *sql.Distribution) {
	if s.Watermark != nil {
		a.d.Watermark = &catalog.Declared[sql.Watermark]{Part: *s.Watermark, Text: a.b.text}
	}
	if s.PrimaryKey != nil {
		a.d.PrimaryKey = &catalog.Declared[sql.PrimaryKey]{Part: *s.PrimaryKey, Text: a.b.text}
	}
	if d != nil {
		a.d.Distributed = &catalog.Declared[sql.Distribution]{Part: *d, Text: a.b.text}
	}
}

func (a *alteration) modify(x *sql.AlterModify) error {
	for _, c := range x.Schema.Columns {
		i, err := a.column(c.Name)
		if err != nil {
			return err
		}
		if c.Comment == nil {
			c.Comment = a.d.Columns[i].Part.Comment
		}
		a.d.Columns = slices.Delete(a.d.Columns, i, i+1)
		if err := a.insert(c, i); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name           string
		written, there bool
		at             sql.Node
	}{
		{"watermark", x.Schema.Watermark != nil, a.table.Watermark != nil, x.Schema.Watermark},
		{"primary key", x.Schema.PrimaryKey != nil, a.d.PrimaryKey != nil, x.Schema.PrimaryKey},
		{"distribution", x.Distributed != nil, a.d.Distributed != nil, x.Distributed},
	} {
		if part.written && !part.there {
			return a.b.errorf(source.CodeUnknownColumn, part.at.Span(), "write ADD to give it one", "table '%s' has no %s to modify", a.table.Name, part.name)
		}
	}
	a.parts(x.Schema, x.Distributed)
	return nil
}

func (a *alteration) dropColumns(x *sql.AlterDropColumns) error {
	gone := map[string]bool{}
	for _, n := range x.Columns {
		i, err := a.column(n)
		if err != nil {
			return err
		}
		gone[n.Last().Name] = true
		a.d.Columns = slices.Delete(a.d.Columns, i, i+1)
	}
	for _, n := range x.Columns {
		if user, how := a.userOf(n.Last().Name); user != "" {
			return a.b.errorf(source.CodeKey, n.Span(), how, "column '%s' cannot go: %s needs it", n.Last().Name, user)
		}
	}
	if len(a.d.Columns) == 0 {
		return a.b.errorf(source.CodeType, x.Span(), "DROP TABLE "+a.table.Name, "table '%s' would be left without columns", a.table.Name)
	}
	return nil
}

// userOf finds what needs a column: a computed column, the watermark, the key or the distribution, and what to do about it; "" if nothing does.
func (a *alteration) userOf(name string) (user, how string) {
	if user, how = a.reads(name); user != "" {
		return user, how
	}
	named := func(ids []sql.Ident) bool {
		return slices.ContainsFunc(ids, func(id sql.Ident) bool { return id.Name == name })
	}
	switch {
	case a.d.PrimaryKey != nil && named(a.d.PrimaryKey.Part.Columns):
		return "the primary key", "write DROP PRIMARY KEY first"
	case a.d.Distributed != nil && named(a.d.Distributed.Part.Columns):
		return "the distribution", "write DROP DISTRIBUTION first"
	}
	return "", ""
}

// reads finds the expression that reads a column.
func (a *alteration) reads(name string) (user, how string) {
	for _, c := range a.d.Columns {
		if c.Part.Kind == sql.ComputedColumn && mentions(c.Part.As, name) {
			computed := c.Part.Name.Last().Name
			return "the computed column '" + computed + "'", "drop '" + computed + "' first, or both at once: DROP (" + name + ", " + computed + ")"
		}
	}
	if w := a.d.Watermark; w != nil && (w.Part.Column.Last().Name == name || mentions(w.Part.Expr, name)) {
		return "the watermark", "write DROP WATERMARK first, or MODIFY WATERMARK"
	}
	return "", ""
}

// mentions reports whether an expression of a table reads a column, or a field of it.
func mentions(e sql.Expr, column string) bool {
	found := false
	sql.Walk(e, func(e sql.Expr) bool {
		ref, ok := e.(*sql.ColumnRef)
		found = found || ok && ref.Parts[0].Name == column
		return !found
	})
	return found
}

func (a *alteration) drop(x *sql.AlterDrop) error {
	missing := func(what string) error {
		return a.b.errorf(source.CodeUnknownColumn, x.Span(), "DESCRIBE "+a.table.Name+" shows what it has", "table '%s' has no %s", a.table.Name, what)
	}
	switch x.Part {
	case sql.WatermarkPart:
		if a.table.Watermark == nil {
			return missing("watermark")
		}
		a.d.Watermark = nil
	case sql.DistributionPart:
		if a.d.Distributed == nil {
			return missing("distribution")
		}
		a.d.Distributed = nil
	case sql.PrimaryKeyPart:
		if a.d.PrimaryKey == nil {
			return missing("primary key")
		}
		a.d.PrimaryKey = nil
	case sql.ConstraintPart:
		if a.d.PrimaryKey == nil {
			return missing("constraint")
		}
		if name := catalog.ConstraintName(&a.d.PrimaryKey.Part); name != x.Constraint.Name {
			return a.b.errorf(source.CodeUnknownColumn, x.Constraint.Span(), "its primary key is called '"+name+"'", "table '%s' has no constraint '%s'", a.table.Name, x.Constraint.Name)
		}
		a.d.PrimaryKey = nil
	}
	return nil
}

func (a *alteration) set(options []sql.Option) {
	for _, o := range options {
		declared := catalog.Declared[sql.Option]{Part: o, Text: a.b.text}
		if i := a.d.Option(o.Key.Value); i >= 0 {
			a.d.Options[i] = declared
		} else {
			a.d.Options = append(a.d.Options, declared)
		}
	}
}

func (a *alteration) reset(keys []sql.StringLit) error {
	for _, k := range keys {
		i := a.d.Option(k.Value)
		if i < 0 {
			var there []string
			for _, o := range a.d.Options {
				there = append(there, o.Part.Key.Value)
			}
			if hint := didYouMean(k.Value, there, ""); hint != "" {
				return a.b.errorf(source.CodeOption, k.Span(), hint, "table '%s' has no option '%s' to reset", a.table.Name, k.Value)
			}
			continue // Flink 2.3: nothing to reset is no error
		}
		if k.Value == "connector" {
			return a.b.errorf(source.CodeOption, k.Span(), "write SET ('connector' = '…')", "table '%s' needs a 'connector'", a.table.Name)
		}
		a.d.Options = slices.Delete(a.d.Options, i, i+1)
	}
	return nil
}

func (a *alteration) renameColumn(x *sql.AlterRenameColumn) error {
	i, err := a.column(x.From)
	if err != nil {
		return err
	}
	if a.d.Column(x.To.Name) >= 0 {
		return a.b.errorf(source.CodeDuplicate, x.To.Span(), "choose another name", "table '%s' has a column '%s' already", a.table.Name, x.To.Name)
	}
	from := x.From.Last().Name
	if user, _ := a.reads(from); user != "" {
		return a.b.errorf(source.CodeKey, x.From.Span(), "drop that first, and add it again with the new name", "column '%s' cannot be renamed: %s reads it", from, user)
	}
	c := &a.d.Columns[i].Part
	c.Name = sql.Name{Parts: []sql.Ident{x.To}}
	if c.Kind == sql.MetadataColumn && c.MetadataKey == nil {
		c.MetadataKey = &sql.StringLit{Located: x.From.Last().Located, Value: from}
	}
	renamed := func(ids []sql.Ident) []sql.Ident {
		ids = slices.Clone(ids)
		for k := range ids {
			if ids[k].Name == from {
				ids[k] = x.To
			}
		}
		return ids
	}
	if k := a.d.PrimaryKey; k != nil {
		key := *k
		// Flink 2.3: a key without a name keeps the one that it has been called by.
		key.Part.Constraint = &sql.Ident{Located: k.Part.Located, Name: catalog.ConstraintName(&k.Part)}
		key.Part.Columns = renamed(k.Part.Columns)
		a.d.PrimaryKey = &key
	}
	if d := a.d.Distributed; d != nil {
		distributed := *d
		distributed.Part.Columns = renamed(d.Part.Columns)
		a.d.Distributed = &distributed
	}
	return nil
}
