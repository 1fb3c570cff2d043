package bind

import (
	"errors"
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
)

// Table checks CREATE TABLE with columns or LIKE and makes the table; it does not add it to the session.
func (b *Binder) Table(c *sql.CreateTable) (*catalog.Table, error) {
	path, err := b.newPath(c.Name)
	if err != nil {
		return nil, err
	}
	if len(c.Partitioned) > 0 {
		return nil, b.unsupported(c.Partitioned[0].Span(), "leave it out; 'path' may be a folder of files", "PARTITIONED BY is")
	}
	d := catalog.Declare(c, b.text)
	if c.Like != nil {
		if d, err = b.likeTable(c.Like, d); err != nil {
			return nil, err
		}
	}
	return b.define(&catalog.Table{Path: path, Temporary: c.Temporary, Declared: d, At: catalog.Place{Text: b.text, Span: c.Name.Span()}})
}

// define binds the declaration of t. Every CREATE comes through here; ALTER through redefine.
func (b *Binder) define(t *catalog.Table) (*catalog.Table, error) {
	if err := b.declare(t); err != nil {
		return nil, err
	}
	return b.complete(t)
}

// declare binds the parts of t.
func (b *Binder) declare(t *catalog.Table) error {
	d := &t.Declared
	if len(d.Columns) == 0 {
		return b.errorf(source.CodeType, t.At.Span, "list its columns in parentheses", "table '%s' has no columns", t.Name)
	}
	t.Options, t.Places = connector.Options{}, map[string]catalog.Place{}
	for _, o := range d.Options {
		key := o.Part.Key.Value
		if _, twice := t.Options[key]; twice {
			return b.within(o.Text).errorf(source.CodeDuplicate, o.Part.Key.Span(), "give it once", "option '%s' is given twice", key)
		}
		t.Options[key], t.Places[key] = o.Part.Value.Value, catalog.Place{Text: o.Text, Span: o.Part.Span()}
	}
	if _, ok := t.Options["connector"]; !ok {
		if c := b.managed(); c != nil {
			t.Options["connector"] = c.Name
		}
	}
	if err := b.columns(t); err != nil {
		return err
	}
	if err := b.distribution(t); err != nil {
		return err
	}
	if err := b.defaultWatermark(t); err != nil {
		return err
	}
	if d.Watermark != nil {
		if err := b.within(d.Watermark.Text).watermark(&d.Watermark.Part, t); err != nil {
			return err
		}
	}
	return nil
}

// complete wants of a table that is defined that it can be used.
func (b *Binder) complete(t *catalog.Table) (*catalog.Table, error) {
	if err := b.handsOver(t); err != nil {
		return nil, err
	}
	if err := b.usable(t); err != nil {
		return nil, b.tableError(err, t)
	}
	return t, nil
}

// usable wants options with which the table can be read or written.
func (b *Binder) usable(t *catalog.Table) error {
	c, err := b.connector(t)
	if err != nil {
		return err
	}
	_, unreadable := b.scan(t, nil)
	if unreadable == nil {
		return nil
	}
	var option *connector.OptionError
	if errors.As(unreadable, &option) && slices.ContainsFunc(plan.WatermarkOptions, func(s connector.Spec) bool { return s.Key == option.Key }) {
		return unreadable
	}
	stored, _ := t.Written()
	_, unwritable := c.NewSink(stored, t.Options)
	if unwritable == nil {
		return nil
	}
	// A connector that only writes says of every table that it cannot be read, and the other way round.
	if errors.As(unreadable, &option) && option.Key == "connector" {
		if errors.As(unwritable, &option) && option.Key != "connector" {
			return unwritable
		}
	}
	return unreadable
}

// columns binds the columns of t: first the physical ones and the metadata, then the computed ones over them. Flink 2.3: a computed column may use
// the others wherever they stand, but no computed column.
func (b *Binder) columns(t *catalog.Table) error {
	columns := t.Declared.Columns
	stored := &scope{}
	t.Columns = nil
	named := make(map[string]bool, len(columns))
	for i := range columns {
		col, b := &columns[i].Part, b.within(columns[i].Text)
		entry := catalog.Column{Name: col.Name.Last().Name}
		if named[entry.Name] {
			return b.errorf(source.CodeDuplicate, col.Name.Span(), "rename one of them", "column '%s' is there twice", entry.Name)
		}
		named[entry.Name] = true
		if col.Comment != nil {
			entry.Comment = col.Comment.Value
		}
		visible := plan.Column{}
		switch col.Kind {
		case sql.PhysicalColumn, sql.MetadataColumn:
			var err error
			if entry.Type, err = b.typeOf(col.Type); err != nil {
				return err
			}
			if col.Kind == sql.MetadataColumn {
				if entry.Metadata, err = b.metadata(t, col, entry); err != nil {
					return err
				}
			}
			visible = plan.Column{Name: entry.Name, Type: entry.Type}
		case sql.NamedColumn:
			return b.errorf(source.CodeType, col.Span(), "give it a type", "column '%s' has no type", entry.Name)
		}
		t.Columns = append(t.Columns, entry)
		stored.columns, stored.tables = append(stored.columns, visible), append(stored.tables, "")
	}
	if err := b.primaryKey(t); err != nil {
		return err
	}
	for _, k := range t.PrimaryKey {
		stored.columns[k].Type.NotNull = true
	}
	for i := range columns {
		col, b := &columns[i].Part, b.within(columns[i].Text)
		if col.Kind != sql.ComputedColumn {
			continue
		}
		if err := b.notOverComputed(col.As, columns); err != nil {
			return err
		}
		e, err := b.expr(col.As, stored.in(clauseComputed))
		if err != nil {
			return err
		}
		if e.Type().Kind == types.Null {
			return b.errorf(source.CodeType, col.As.Span(), "give NULL a type: CAST(NULL AS STRING)", "column '%s' has no type", t.Columns[i].Name)
		}
		t.Columns[i].Computed, t.Columns[i].Type = e, e.Type()
	}
	return b.rowtime(t)
}

// rowtime gives t the hidden column that shows when its records were written, if the connector knows. Confluent Cloud has it, Flink has not.
func (b *Binder) rowtime(t *catalog.Table) error {
	c := b.connectorNamed(t.Options["connector"])
	if c == nil || b.session.Settings.Profile() != catalog.Confluent || t.Index(catalog.Rowtime) >= 0 {
		return nil
	}
	at := slices.IndexFunc(c.Metadata, func(m connector.MetadataColumn) bool { return m.Timestamp })
	if at < 0 {
		return nil
	}
	hidden := catalog.Column{Name: catalog.Rowtime, Type: types.Type{Kind: types.TimestampLTZ, Precision: maxTimePrecision}, Hidden: true}
	known := &c.Metadata[at]
	if shown := slices.IndexFunc(t.Columns, func(c catalog.Column) bool { return c.Metadata != nil && c.Metadata.Key == known.Key }); shown >= 0 {
		e, err := expr.NewCast(expr.NewColumn(shown, t.Columns[shown].Name, t.Columns[shown].Type), hidden.Type, false)
		if err != nil {
			return b.place(err, t.At.Span)
		}
		hidden.Computed, hidden.Type = e, e.Type()
	} else {
		hidden.Metadata = &catalog.Metadata{Key: known.Key, Type: known.Type, Virtual: true}
		hidden.Type.NotNull = true
	}
	t.Columns = append(t.Columns, hidden)
	return nil
}

// notOverComputed refuses the expression of a computed column that reads another one. In bid.price the column is bid, if the table has one of that name.
func (b *Binder) notOverComputed(e sql.Expr, columns []catalog.Declared[sql.Column]) error {
	var err error
	sql.Walk(e, func(e sql.Expr) bool {
		ref, ok := e.(*sql.ColumnRef)
		if !ok || err != nil {
			return err == nil
		}
		read := ref.Last().Name
		if first := ref.Parts[0].Name; slices.ContainsFunc(columns, func(c catalog.Declared[sql.Column]) bool { return c.Part.Name.Last().Name == first }) {
			read = first
		}
		if slices.ContainsFunc(columns, func(c catalog.Declared[sql.Column]) bool {
			return c.Part.Kind == sql.ComputedColumn && c.Part.Name.Last().Name == read
		}) {
			err = b.unsupported(ref.Span(), "repeat the expression of '"+read+"', or compute in a view", "a computed column over the computed column '%s' is", read)
		}
		return err == nil
	})
	return err
}

// metadata finds what a metadata column shows. Flink 2.3: the key is the column's name unless FROM gives another, and a CAST must lead from the
// connector's type to the declared one.
func (b *Binder) metadata(t *catalog.Table, col *sql.Column, entry catalog.Column) (*catalog.Metadata, error) {
	m := &catalog.Metadata{Key: entry.Name, Type: entry.Type, Virtual: col.Virtual}
	at := col.Name.Span()
	if col.MetadataKey != nil {
		m.Key, at = col.MetadataKey.Value, col.MetadataKey.Span()
	}
	for _, before := range t.Columns {
		if before.Metadata != nil && before.Metadata.Key == m.Key {
			return nil, b.errorf(source.CodeDuplicate, at, "use column '"+before.Name+"'", "metadata '%s' is column '%s' already", m.Key, before.Name)
		}
	}
	c := b.connectorNamed(t.Options["connector"])
	if c == nil {
		return m, nil // the table is refused for its connector
	}
	var keys []string
	for _, known := range c.MetadataOf(t.Options) {
		keys = append(keys, known.Key)
		if known.Key != m.Key {
			continue
		}
		m.Type = known.Type
		e, err := expr.NewCast(expr.NewColumn(0, entry.Name, known.Type), entry.Type, false)
		if err == nil {
			_, err = expr.NewCast(expr.NewColumn(0, entry.Name, entry.Type), known.Type, false)
		}
		if err != nil || e == nil {
			return nil, b.errorf(source.CodeType, col.Type.Span(), "declare it as "+known.Type.Nullable().String()+", or compute another column from it",
				"metadata '%s' is %s, which cannot be shown as %s", m.Key, known.Type.Nullable(), entry.Type.Nullable())
		}
		return m, nil
	}
	if keys == nil {
		instead := "read the value from a column of the data"
		if c.FormatMetadata != nil {
			instead = "the table's format tells none; " + instead
		}
		return nil, b.errorf(source.CodeUnknownColumn, at, instead, "a table with connector '%s' has no metadata", c.Name)
	}
	otherwise := "it has: " + join(keys)
	if prefix, _, divided := strings.Cut(m.Key, "."); divided && prefix == "key" && c.FormatMetadata != nil {
		otherwise = "formats of keys tell none; it has: " + join(keys)
	} else if divided && prefix == "value" && c.FormatMetadata != nil && len(keys) == len(c.Metadata) {
		otherwise = "the table's format tells none; the connector has: " + join(keys)
	}
	if col.MetadataKey == nil {
		otherwise += fmt.Sprintf("; write %s %s METADATA FROM '…'", entry.Name, entry.Type.Nullable())
	}
	return nil, b.errorf(source.CodeUnknownColumn, at, didYouMean(m.Key, keys, otherwise), "connector '%s' has no metadata '%s'", c.Name, m.Key)
}

// primaryKey binds PRIMARY KEY. Flink 2.3: its columns are physical and become NOT NULL.
func (b *Binder) primaryKey(t *catalog.Table) error {
	t.PrimaryKey = nil
	k := t.Declared.PrimaryKey
	if k == nil {
		return nil
	}
	var err error
	if t.PrimaryKey, err = b.within(k.Text).physical(t, k.Part.Columns, "a primary key"); err != nil {
		return err
	}
	for _, i := range t.PrimaryKey {
		t.Columns[i].Type.NotNull = true
		if c := &t.Declared.Columns[i].Part; !c.Type.NotNull {
			declared := *c.Type
			declared.NotNull = true
			c.Type = &declared
		}
	}
	return nil
}

// distribution binds DISTRIBUTED. A topic has one key, so that of a managed table is its primary key if it has one; Confluent asks for the same of upserts.
func (b *Binder) distribution(t *catalog.Table) error {
	t.Distribution = nil
	d := t.Declared.Distributed
	if d == nil {
		return nil
	}
	b = b.within(d.Text)
	if d.Part.Kind == "RANGE" {
		return b.unsupported(d.Part.Span(), "write DISTRIBUTED BY HASH(…)", "DISTRIBUTED BY RANGE is")
	}
	keys, err := b.physical(t, d.Part.Columns, "DISTRIBUTED BY")
	if err != nil {
		return err
	}
	if c := b.managed(); c != nil && t.Options["connector"] == c.Name && !sameColumns(keys, t.PrimaryKey) {
		return b.unsupported(d.Part.Span(), "write DISTRIBUTED INTO n BUCKETS: rows with a primary key are spread by it", "a managed table that is DISTRIBUTED BY other columns than those of its primary key is")
	}
	t.Distribution = &catalog.Distribution{Keys: keys, Buckets: d.Part.Buckets}
	return nil
}

// physical finds columns that must be physical, each named once.
func (b *Binder) physical(t *catalog.Table, names []sql.Ident, in string) ([]int, error) {
	var found []int
	for _, id := range names {
		i := t.Index(id.Name)
		if i < 0 {
			all := make([]string, len(t.Columns))
			for k, c := range t.Columns {
				all[k] = c.Name
			}
			return nil, b.errorf(source.CodeUnknownColumn, id.Span(), didYouMean(id.Name, all, "the columns are: "+join(all)), "%s names column '%s', which is not there", in, id.Name)
		}
		if t.Columns[i].Hidden || t.Declared.Columns[i].Part.Kind != sql.PhysicalColumn {
			return nil, b.errorf(source.CodeKey, id.Span(), "name columns that are in the data", "%s cannot have column '%s', which is not in the data", in, id.Name)
		}
		if slices.Contains(found, i) {
			return nil, b.errorf(source.CodeDuplicate, id.Span(), "name it once", "%s names column '%s' twice", in, id.Name)
		}
		found = append(found, i)
	}
	return found, nil
}

// maxTimePrecision is the greatest precision of a time attribute. Flink 2.3: watermarks count in milliseconds.
const maxTimePrecision = 3

// watermark binds WATERMARK FOR.
func (b *Binder) watermark(w *sql.Watermark, t *catalog.Table) error {
	s := &scope{}
	for _, c := range t.Columns {
		s.columns = append(s.columns, plan.Column{Name: c.Name, Type: c.Type})
		s.tables = append(s.tables, "")
	}
	if n := len(w.Column.Parts); n > 1 && t.Index(w.Column.Parts[0].Name) >= 0 {
		return b.errorf(source.CodeTime, w.Column.Span(), fmt.Sprintf("declare it as a column, ts AS %s, and WATERMARK FOR ts", b.text.Slice(w.Column.Span())), "event time is a column of the table, not a field of one")
	}
	i, err := b.find(w.Column, s)
	if err != nil {
		return err
	}
	c := t.Columns[i]
	if !c.Type.IsTime() {
		hint := "name a column of type TIMESTAMP(3) or TIMESTAMP_LTZ(3)"
		switch {
		case c.Type.IsInteger():
			hint += "; add a computed column: t AS TO_TIMESTAMP_LTZ(" + c.Name + ", 3) for milliseconds, 0 for seconds"
		case c.Type.IsText():
			hint += "; add a computed column: t AS TO_TIMESTAMP(" + c.Name + ")"
		}
		return b.errorf(source.CodeTime, w.Column.Span(), hint, "column '%s' is %s, and a watermark needs a time", c.Name, c.Type.Nullable())
	}
	if c.Type.Precision > maxTimePrecision {
		instead := c.Type.Nullable()
		instead.Precision = maxTimePrecision
		return b.errorf(source.CodeTime, w.Column.Span(), fmt.Sprintf("declare it as %s, or add a computed column: t AS CAST(%s AS %s)", instead, c.Name, instead),
			"column '%s' is %s, and watermarks count in milliseconds", c.Name, c.Type.Nullable())
	}
	if callsSource(w.Expr) {
		e, err := b.sourceWatermark(w, t, i)
		t.Watermark = &catalog.Watermark{Column: i, Expr: e, Text: sourceFunction + "()"}
		return err
	}
	e, err := b.expr(w.Expr, s.in(clauseWatermark))
	if err != nil {
		return err
	}
	if !e.Type().IsTime() {
		return b.errorf(source.CodeTime, w.Expr.Span(), "write "+c.Name+" - INTERVAL '5' SECOND", "the watermark is %s and not a time", e.Type().Nullable())
	}
	if e.Type().Kind != c.Type.Kind {
		return b.errorf(source.CodeTime, w.Expr.Span(), "compute it from '"+c.Name+"', or CAST it to "+c.Type.Nullable().String(), "the watermark is %s and column '%s' is %s", e.Type().Nullable(), c.Name, c.Type.Nullable())
	}
	if e, err = expr.Convert(e, c.Type); err != nil {
		return b.place(err, w.Expr.Span())
	}
	t.Watermark = &catalog.Watermark{Column: i, Expr: e, Text: b.text.Slice(w.Expr.Span())}
	return nil
}

// sameColumns reports whether two lists name the same columns; an empty one names any.
func sameColumns(a, b []int) bool {
	return len(a) == 0 || len(b) == 0 || slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
