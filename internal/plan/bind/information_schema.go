package bind

import (
	"slices"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/secret"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// informationView is a view of INFORMATION_SCHEMA: its columns, and its rows of one catalog. Names and meanings are those of Confluent Cloud.
type informationView struct {
	name    string
	columns []informationColumn
	rows    func(i *information)
}

// informationColumn is a column; whole is for whole numbers, nullable for values that may be missing.
type informationColumn struct {
	name            string
	whole, nullable bool
}

func always(names ...string) []informationColumn {
	var columns []informationColumn
	for _, n := range names {
		columns = append(columns, informationColumn{name: n})
	}
	return columns
}

func maybe(names ...string) []informationColumn {
	var columns []informationColumn
	for _, n := range names {
		columns = append(columns, informationColumn{name: n, nullable: true})
	}
	return columns
}

var informationSchema = []informationView{
	{"CATALOGS", always("CATALOG_ID", "CATALOG_NAME"), (*information).catalogs},
	{"INFORMATION_SCHEMA_CATALOG_NAME", always("CATALOG_ID", "CATALOG_NAME"), (*information).catalogName},
	{"SCHEMATA", always("CATALOG_ID", "CATALOG_NAME", "SCHEMA_ID", "SCHEMA_NAME"), (*information).schemata},
	{"DATABASES", always("CATALOG_ID", "CATALOG_NAME", "SCHEMA_ID", "SCHEMA_NAME"), (*information).schemata},
	{"TABLES", slices.Concat(always("TABLE_CATALOG_ID", "TABLE_CATALOG", "TABLE_SCHEMA_ID", "TABLE_SCHEMA", "TABLE_NAME", "TABLE_TYPE", "IS_DISTRIBUTED"),
		maybe("DISTRIBUTION_ALGORITHM"), []informationColumn{{"DISTRIBUTION_BUCKETS", true, true}}, always("IS_WATERMARKED"),
		maybe("WATERMARK_COLUMN", "WATERMARK_EXPRESSION", "WATERMARK_IS_HIDDEN"), always("IS_MATERIALIZED"), maybe("COMMENT")), (*information).tables},
	{"VIEWS", slices.Concat(always("TABLE_CATALOG_ID", "TABLE_CATALOG", "TABLE_SCHEMA_ID", "TABLE_SCHEMA", "TABLE_NAME", "VIEW_DEFINITION"), maybe("COMMENT")), (*information).views},
	{"COLUMNS", slices.Concat(always("TABLE_CATALOG_ID", "TABLE_CATALOG", "TABLE_SCHEMA_ID", "TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME"),
		[]informationColumn{{"ORDINAL_POSITION", true, false}}, always("IS_NULLABLE", "DATA_TYPE", "FULL_DATA_TYPE", "IS_HIDDEN", "IS_GENERATED"),
		maybe("GENERATION_EXPRESSION"), always("IS_METADATA"), maybe("METADATA_KEY"), always("IS_PERSISTED"), []informationColumn{{"DISTRIBUTION_ORDINAL_POSITION", true, true}},
		maybe("COMMENT")), (*information).columns},
	{"TABLE_CONSTRAINTS", always("CONSTRAINT_CATALOG_ID", "CONSTRAINT_CATALOG", "CONSTRAINT_SCHEMA_ID", "CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "TABLE_CATALOG_ID", "TABLE_CATALOG",
		"TABLE_SCHEMA_ID", "TABLE_SCHEMA", "TABLE_NAME", "CONSTRAINT_TYPE", "ENFORCED"), (*information).constraints},
	{"KEY_COLUMN_USAGE", slices.Concat(always("CONSTRAINT_CATALOG_ID", "CONSTRAINT_CATALOG", "CONSTRAINT_SCHEMA_ID", "CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "TABLE_CATALOG_ID",
		"TABLE_CATALOG", "TABLE_SCHEMA_ID", "TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME"), []informationColumn{{"ORDINAL_POSITION", true, false}}), (*information).keyColumns},
	{"TABLE_OPTIONS", always("TABLE_CATALOG_ID", "TABLE_CATALOG", "TABLE_SCHEMA_ID", "TABLE_SCHEMA", "TABLE_NAME", "OPTION_KEY", "OPTION_VALUE"), (*information).options},
}

// InformationViews lists the views of INFORMATION_SCHEMA.
func InformationViews() []string {
	var names []string
	for _, v := range informationSchema {
		names = append(names, v.name)
	}
	return names
}

// informationSchema binds a view of INFORMATION_SCHEMA: its rows are those of the session as it is now.
func (b *Binder) informationSchema(p catalog.Path, r *sql.TableName) (plan.Node, error) {
	if err := b.noHints(r.Hints, "a view of "+p.Database); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(informationSchema, func(v informationView) bool { return v.name == p.Name })
	if at < 0 {
		return nil, b.noRelation(p, r.Name)
	}
	v := &informationSchema[at]
	i := &information{session: b.session, binder: b, catalog: p.Catalog, values: &plan.Values{}}
	for _, c := range v.columns {
		t := types.StringType
		if c.whole {
			t = types.IntType
		}
		t.NotNull = !c.nullable
		i.values.Cols = append(i.values.Cols, plan.Column{Name: c.name, Type: t})
	}
	if v.rows(i); i.err != nil {
		return nil, i.err
	}
	return i.values, nil
}

// information collects the rows of one view.
type information struct {
	session *catalog.Session
	catalog string
	values  *plan.Values
	binder  *Binder
	err     error // why relations are missing
}

// none is a value that is missing.
const none = "\x00"

// row adds a row; every value is given as text.
func (i *information) row(values ...string) {
	row := make([]*expr.Literal, len(values))
	for k, v := range values {
		switch t := i.values.Cols[k].Type; {
		case v == none:
			row[k] = expr.Null(t)
		case t.IsInteger():
			n, err := strconv.ParseInt(v, 10, 32)
			if err != nil {
				panic("tidemark bug: INFORMATION_SCHEMA counts " + v)
			}
			row[k] = expr.LiteralInt(types.IntType, n)
		default:
			row[k] = expr.LiteralString(v)
		}
	}
	i.values.Rows = append(i.values.Rows, row)
}

func yes(b bool) string {
	if b {
		return "YES"
	}
	return "NO"
}

func orNone(s string) string {
	if s == "" {
		return none
	}
	return s
}

func (i *information) catalogs() {
	for _, c := range i.session.Catalogs() {
		i.row(i.session.ID(c), c)
	}
}

func (i *information) catalogName() { i.row(i.session.ID(i.catalog), i.catalog) }

func (i *information) schemata() {
	c, _ := i.session.Catalog(i.catalog)
	for _, d := range append([]string{catalog.InformationSchema}, c.Databases()...) {
		i.row(i.session.ID(i.catalog), i.catalog, d, d)
	}
}

// each calls back for every relation of the catalog, with the columns that name it.
func (i *information) each(visit func(r catalog.Relation, name []string)) {
	c, _ := i.session.Catalog(i.catalog)
	for _, d := range c.Databases() {
		all, err := i.binder.relations(catalog.Current{Catalog: i.catalog, Database: d})
		if err != nil {
			i.err = err
			return
		}
		for _, r := range all {
			visit(r, []string{i.session.ID(i.catalog), i.catalog, d, d, r.Full().Name})
		}
	}
}

// eachTable calls back for every table.
func (i *information) eachTable(visit func(t *catalog.Table, name []string)) {
	i.each(func(r catalog.Relation, name []string) {
		if t, ok := r.(*catalog.Table); ok {
			visit(t, name)
		}
	})
}

// tables says of each that it is not materialized, since there are no materialized tables; clients that can make them ask.
func (i *information) tables() {
	i.each(func(r catalog.Relation, name []string) {
		switch r := r.(type) {
		case *catalog.View:
			i.row(append(name, "VIEW", "NO", none, none, "NO", none, none, none, "NO", orNone(r.Comment))...)
		case *catalog.Table:
			algorithm, buckets := none, none
			if d := r.Distribution; d != nil {
				if d.Keys != nil {
					algorithm = "HASH"
				}
				if d.Buckets > 0 {
					buckets = strconv.Itoa(d.Buckets)
				}
			}
			column, expression, hidden := none, none, none
			if w := r.Watermark; w != nil {
				column, expression, hidden = r.Columns[w.Column].Name, r.WatermarkExpression(), yes(w.Default)
			}
			comment := ""
			if c := r.Declared.Comment; c != nil {
				comment = c.Value
			}
			i.row(append(name, "BASE TABLE", yes(r.Distribution != nil), algorithm, buckets, yes(r.Watermark != nil), column, expression, hidden, "NO", orNone(comment))...)
		}
	})
}

func (i *information) views() {
	i.each(func(r catalog.Relation, name []string) {
		if v, ok := r.(*catalog.View); ok {
			i.row(append(name, sql.FormatQuoted(v.Query), orNone(v.Comment))...)
		}
	})
}

func (i *information) columns() {
	i.each(func(r catalog.Relation, name []string) {
		switch r := r.(type) {
		case *catalog.View:
			for k, f := range r.Schema {
				i.row(append(name, f.Name, strconv.Itoa(k+1), yes(!f.Type.NotNull), baseName(f.Type), f.Type.String(), "NO", "NO", none, "NO", none, "YES", none, none)...)
			}
		case *catalog.Table:
			for k, c := range r.Columns {
				generation, key, position := none, none, none
				if c.Computed != nil && !c.Hidden {
					generation = sql.FormatQuoted(r.Declared.Columns[k].Part.As)
				}
				persisted := c.Computed == nil
				if c.Metadata != nil {
					key, persisted = c.Metadata.Key, !c.Metadata.Virtual
				}
				if d := r.Distribution; d != nil {
					if at := slices.Index(d.Keys, k); at >= 0 {
						position = strconv.Itoa(at + 1)
					}
				}
				i.row(append(name, c.Name, strconv.Itoa(k+1), yes(!c.Type.NotNull), baseName(c.Type), c.Type.String(), yes(c.Hidden), yes(c.Computed != nil), generation,
					yes(c.Metadata != nil), key, yes(persisted), position, orNone(c.Comment))...)
			}
		}
	})
}

// baseName is the name of a type without what stands in parentheses or angle brackets.
func baseName(t types.Type) string {
	full := t.Nullable().String()
	for k, c := range full {
		if c == '(' || c == '<' {
			return full[:k]
		}
	}
	return full
}

// eachKey calls back for every table with a primary key, with the columns that name the constraint and the table.
func (i *information) eachKey(visit func(t *catalog.Table, name []string)) {
	i.eachTable(func(t *catalog.Table, name []string) {
		if t.PrimaryKey != nil {
			visit(t, slices.Concat(name[:4], []string{catalog.ConstraintName(&t.Declared.PrimaryKey.Part)}, name))
		}
	})
}

func (i *information) constraints() {
	i.eachKey(func(_ *catalog.Table, name []string) { i.row(append(name, "PRIMARY KEY", "NO")...) })
}

func (i *information) keyColumns() {
	i.eachKey(func(t *catalog.Table, name []string) {
		for k, c := range t.PrimaryKey {
			i.row(append(slices.Clip(name), t.Columns[c].Name, strconv.Itoa(k+1))...)
		}
	})
}

func (i *information) options() {
	i.eachTable(func(t *catalog.Table, name []string) {
		for _, o := range t.Declared.Options {
			i.row(append(slices.Clip(name), o.Part.Key.Value, secret.Shown(o.Part.Key.Value, o.Part.Value.Value))...)
		}
	})
}
