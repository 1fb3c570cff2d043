package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Keep plans what statements that run together keep of the tables that they read: an INSERT for each table that takes such rows. Missing are those of these tables that are
// still to be made, as they are managed and nobody has. Of a table that is read several times in different ways all readings keep, of one that is read several times in one way the
// first does.
func (b *Binder) Keep(all []*plan.Statement) (keeps []*plan.Statement, missing []*catalog.Table, err error) {
	k := keeper{Binder: b, statement: expr.Null(types.StringType)}
	var into []string
	for _, s := range all {
		if s.Into != nil {
			into = append(into, s.Into.Name)
		}
	}
	if into != nil {
		k.statement = expr.LiteralString("insert+" + strings.Join(into, "+"))
	}
	for _, s := range all {
		for _, n := range plan.Scans(s.Root) {
			// A query whose rows go to the user is a look at a table, and is not to change what a replay of late rows finds.
			if into != nil && captures(n) {
				err = k.keep(plan.KeptLate, n)
			}
			if err == nil && logs(n) {
				err = k.keep(plan.KeptMisread, n)
			}
			if err != nil {
				return nil, nil, err
			}
		}
	}
	return k.statements(), k.missing, nil
}

// Keepers are the tables that keep rows of t, a managed table, and are still to be made.
func (b *Binder) Keepers(t *catalog.Table) ([]*catalog.Table, error) {
	if c := b.connectorNamed(t.Options["connector"]); c == nil || c.Create == nil {
		return nil, nil
	}
	n, err := b.scan(t, nil)
	if err != nil {
		return nil, nil // it can be written alone
	}
	k := keeper{Binder: b, statement: expr.Null(types.StringType)}
	if captures(n) {
		err = k.keep(plan.KeptLate, n)
	}
	if err == nil && logs(n) {
		err = k.keep(plan.KeptMisread, n)
	}
	return k.missing, err
}

func captures(n *plan.Scan) bool { return n.Strategy.Captures && n.Late == watermark.DivertLate }

func logs(n *plan.Scan) bool { return n.Table.Options[connector.OptionErrors] == connector.LogErrors }

// keeper collects what is kept.
type keeper struct {
	*Binder
	statement expr.Expr // its name
	kept      []keeping
	missing   []*catalog.Table
}

// keeping is rows on their way to a table that takes them.
type keeping struct {
	plan.Kept
	into *catalog.Table
	of   []*plan.Scan
	rows []plan.Node // as the table has them
}

// keep adds rows of n.
func (k *keeper) keep(what plan.Kept, n *plan.Scan) error {
	for _, other := range k.kept {
		if other.Kept == what && slices.ContainsFunc(other.of, func(s *plan.Scan) bool { return plan.SameReading(s, n) }) {
			return nil
		}
	}
	taken := k.late
	if what == plan.KeptMisread {
		taken = k.misread
	}
	p := taken(n)
	at := k.place(what, n.Table)
	t, err := k.target(what, n.Table, p.Cols, at)
	if err != nil {
		return err
	}
	rows := Rows{Node: p, At: at.Span, Query: at.Span, Item: func(int) source.Span { return at.Span }}
	for _, c := range p.Cols {
		rows.Columns = append(rows.Columns, sql.Ident{Located: sql.Located{At: at.Span}, Name: c.Name})
	}
	fit, err := k.within(at.Text).fit(t, rows)
	if err != nil {
		return err
	}
	for i := range k.kept {
		if same := &k.kept[i]; same.Kept == what && same.into.Path == t.Path {
			same.of, same.rows = append(same.of, n), append(same.rows, fit)
			return nil
		}
	}
	k.kept = append(k.kept, keeping{what, t, []*plan.Scan{n}, []plan.Node{fit}})
	return nil
}

func (k *keeper) statements() []*plan.Statement {
	var all []*plan.Statement
	for _, s := range k.kept {
		root := s.rows[0]
		if len(s.rows) > 1 {
			root = &plan.Union{Inputs: s.rows, Cols: root.Columns()}
		}
		all = append(all, &plan.Statement{Root: root, Into: s.into, Keeps: s.Kept, Guarantee: k.guarantee(s.into)})
	}
	return all
}

// late is the late rows of n: the columns of the table, then what is known of them as such.
func (k *keeper) late(n *plan.Scan) *plan.Project {
	scan := *n
	scan.Late, scan.Cols = watermark.OnlyLate, slices.Clone(n.Cols)
	for i := range scan.Cols {
		scan.Cols[i].Rowtime = false
	}
	place := k.positionOf(n.Table)
	if place >= 0 && scan.Cols[place].Name == "" {
		scan.Cols[place].Name = n.Table.Columns[place].Metadata.Key // for EXPLAIN
	}
	in := plan.NewLateness(&scan)
	width := len(scan.Cols)
	p := &plan.Project{Input: in}
	column := func(i int, name string) { give(p, name, expr.NewColumn(i, name, in.Cols[i].Type)) }
	for i, c := range scan.Cols {
		if !c.Hidden {
			column(i, c.Name)
		}
	}
	if at := n.Table.Watermark.Column; scan.Cols[at].Hidden {
		column(at, "late_rowtime")
	}
	give(p, "late_reason", expr.LiteralString("late at the source"))
	column(width, "late_watermark")
	column(width+1, "late_by")
	column(width+2, "late_split")
	offset := width + 3
	if place >= 0 {
		offset = place
	}
	column(offset, "late_offset")
	giveOrNot(p, "late_statement", k.statement)
	return p
}

// misread is the records of n that cannot be read. Confluent Cloud: the columns of its table of errors.
func (k *keeper) misread(n *plan.Scan) *plan.Project {
	scan := *n
	scan.Output, scan.Cols = nil, nil
	in := &plan.Misread{Input: &scan, Cols: plan.MisreadColumns}
	p := &plan.Project{Input: in}
	last := len(in.Cols) - 1
	for i, c := range in.Cols[:last] {
		give(p, c.Name, expr.NewColumn(i, c.Name, c.Type))
	}
	give(p, "processor", expr.LiteralString("tidemark"))
	giveOrNot(p, "statement_name", k.statement)
	give(p, "affected_type", expr.LiteralString("TABLE"))
	giveOrNot(p, "affected_catalog", expr.LiteralString(n.Table.Catalog))
	giveOrNot(p, "affected_database", expr.LiteralString(n.Table.Database))
	giveOrNot(p, "affected_name", expr.LiteralString(n.Table.Name))
	give(p, in.Cols[last].Name, expr.NewColumn(last, in.Cols[last].Name, in.Cols[last].Type))
	return p
}

func give(p *plan.Project, name string, e expr.Expr) {
	p.Exprs, p.Cols = append(p.Exprs, e), append(p.Cols, plan.Column{Name: name, Type: e.Type()})
}

// giveOrNot is give for a column that may be NULL whether or not it is here.
func giveOrNot(p *plan.Project, name string, e expr.Expr) {
	give(p, name, e)
	last := &p.Cols[len(p.Cols)-1]
	last.Type = last.Type.Nullable()
}

// position gives the table of n a column that tells where a record is, if the connector knows and no other column shows it. It has no name, so that nobody else reads it.
func (b *Binder) position(n *plan.Scan, c *connector.Connector) {
	at := slices.IndexFunc(c.Metadata, func(m connector.MetadataColumn) bool { return m.Position })
	if at < 0 || b.positionOf(n.Table) >= 0 {
		return
	}
	first := &n.Table.Columns[0]
	if b.positioned[first] == nil {
		m := &c.Metadata[at]
		b.positioned[first] = append(slices.Clip(n.Table.Columns), catalog.Column{Type: m.Type, Metadata: &catalog.Metadata{Key: m.Key, Type: m.Type, Virtual: true}, Hidden: true})
	}
	t := *n.Table
	t.Columns = b.positioned[first]
	n.Table = &t
	last := len(t.Columns) - 1
	n.Output, n.Cols = append(n.Output, last), append(n.Cols, plan.Column{Type: t.Columns[last].Type, Hidden: true})
}

// positionOf is the column of t that tells where a record is, -1 if there is none.
func (b *Binder) positionOf(t *catalog.Table) int {
	c := b.connectorNamed(t.Options["connector"])
	return slices.IndexFunc(t.Columns, func(col catalog.Column) bool {
		return col.Metadata != nil && slices.ContainsFunc(c.Metadata, func(m connector.MetadataColumn) bool { return m.Position && m.Key == col.Metadata.Key })
	})
}

// place is where a table says that rows of it are kept.
func (k *keeper) place(what plan.Kept, t *catalog.Table) catalog.Place {
	for _, key := range keepingOptions[what] {
		if at, ok := t.Places[key]; ok {
			return at
		}
	}
	return t.At
}

// keepingOptions name the table that rows are kept in, and say that they are.
var keepingOptions = map[plan.Kept][2]string{
	plan.KeptLate:    {plan.OptionCaptured, plan.OptionCapture},
	plan.KeptMisread: {connector.OptionErrorTarget, connector.OptionErrors},
}

// target is the table that takes such rows of t, with the columns that they have.
func (k *keeper) target(what plan.Kept, t *catalog.Table, cols []plan.Column, at catalog.Place) (*catalog.Table, error) {
	b := k.within(at.Text)
	path, err := b.keptIn(what, t, at)
	if err != nil {
		return nil, err
	}
	for i, c := range cols {
		if slices.ContainsFunc(cols[:i], func(before plan.Column) bool { return before.Name == c.Name }) {
			return nil, b.errorf(source.CodeDuplicate, at.Span, "give the column of the table another name", "%s cannot be kept: it has a column '%s', and so has the table that they are kept in", of(what, t), c.Name)
		}
	}
	found, ok := b.session.Find(path)
	if !ok {
		for _, made := range k.missing {
			if made.Path == path {
				found, ok = made, true
			}
		}
	}
	into, isTable := found.(*catalog.Table)
	switch {
	case ok && !isTable:
		return nil, b.errorf(source.CodeUnknownTable, at.Span, "name a table", "%s are to be kept in '%s', which is a view", of(what, t), path.Name)
	case path == t.Path:
		return nil, b.errorf(source.CodeOption, at.Span, "name another table", "%s cannot be kept in the table itself", of(what, t))
	case !ok:
		if into, err = b.keptTable(what, t, path, cols, at); err != nil {
			return nil, err
		}
		k.missing = append(k.missing, into)
	}
	used := *into
	used.Places = map[string]catalog.Place{"connector": at}
	stored, written := used.Written()
	for _, c := range cols {
		i := stored.Schema.Index(c.Name)
		if i < 0 {
			return nil, b.errorf(source.CodeUnknownColumn, at.Span, "its columns have to be these, and others may be NULL: "+declare(cols), "table '%s', in which %s are to be kept, has no column '%s' to write to", path.Name, of(what, t), c.Name)
		}
		if is := used.Columns[written[i]].Type; !types.Assignable(c.Type, is) {
			return nil, b.errorf(source.CodeType, at.Span, "declare the column as "+c.Type.Nullable().String(), "column '%s' of table '%s', in which %s are to be kept, is %s", c.Name, path.Name, of(what, t), is.Nullable())
		}
	}
	return &used, b.writable(&used)
}

// keptIn is the name of the table that takes such rows of t. A name of one part is in the database of t.
func (b *Binder) keptIn(what plan.Kept, t *catalog.Table, at catalog.Place) (catalog.Path, error) {
	name := t.Options[connector.OptionErrorTarget]
	usual := connector.DefaultErrorTarget
	if what == plan.KeptLate {
		name, usual = t.Options[plan.OptionCaptured], t.Name+plan.CapturedSuffix
	}
	if name == "" {
		return catalog.Path{Catalog: t.Catalog, Database: t.Database, Name: usual}, nil
	}
	parsed, err := sql.ParseName(source.Text{Name: "option", Body: name})
	if err != nil {
		return catalog.Path{Catalog: t.Catalog, Database: t.Database, Name: name}, nil
	}
	for i := range parsed.Parts {
		parsed.Parts[i].At = at.Span
	}
	there := *b
	there.current = catalog.Current{Catalog: t.Catalog, Database: t.Database}
	return there.Path(parsed)
}

// keptTable makes a table for such rows of t, if t is managed.
func (b *Binder) keptTable(what plan.Kept, t *catalog.Table, path catalog.Path, cols []plan.Column, at catalog.Place) (*catalog.Table, error) {
	if c := b.connectorNamed(t.Options["connector"]); c.Create == nil {
		return nil, b.errorf(source.CodeUnknownTable, at.Span, fmt.Sprintf("CREATE TABLE %s (%s) WITH ('connector' = '…')", written(path.Name), declare(cols)), "there is no table '%s', in which %s are to be kept", path.Name, of(what, t))
	}
	text := source.Text{Name: "table '" + path.Name + "'", Body: "CREATE TABLE " + path.String() + " (" + declare(cols) + ")"}
	script, err := sql.Parse(text)
	if err != nil {
		panic("tidemark bug: the statement that makes a table for rows that are kept does not read back: " + err.Error())
	}
	made, err := b.within(text).Table(script.Statements[0].(*sql.CreateTable))
	if err != nil {
		return nil, b.errorf(source.CodeOption, at.Span, "name a table that is there, or leave the option out", "a table '%s', in which %s are to be kept, cannot be made: %s", path.Name, of(what, t), Message(err))
	}
	return made, nil
}

// of says which rows of t are kept.
func of(what plan.Kept, t *catalog.Table) string {
	if what == plan.KeptLate {
		return "late rows of table '" + t.Name + "'"
	}
	return "records of table '" + t.Name + "' that cannot be read"
}

// declare writes columns as CREATE TABLE has them.
func declare(cols []plan.Column) string {
	var b strings.Builder
	for i, c := range cols {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(catalog.Quote(c.Name) + " " + c.Type.String())
	}
	return b.String()
}
