package engine

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// described is a column as DESCRIBE and SHOW COLUMNS tell of it.
type described struct {
	name, comment string
	typ           types.Type
	rowtime       bool
	primary       bool
	// extras are what else there is to say, in the order in which DDL says it; watermark stands apart because SHOW COLUMNS has a column for it.
	extras    []string
	watermark string
	hidden    bool
}

// columnsOf tells of the columns of a table or view, and of its primary key, "" if it has none.
func (x *execution) columnsOf(n sql.Name) (columns []described, key string, err error) {
	p, err := x.bind.Path(n)
	if err != nil {
		return nil, "", err
	}
	r, _, err := x.bind.Find(p)
	if err != nil {
		return nil, "", err
	}
	if t, ok := r.(*catalog.Table); ok {
		columns, key = describeTable(t)
		return columns, key, nil
	}
	s, err := x.bind.Query(&sql.TableQuery{Located: sql.Located{At: n.Span()}, Table: n})
	if err != nil {
		return nil, "", err
	}
	for _, c := range s.Root.Columns() {
		columns = append(columns, describeColumn(c))
	}
	return columns, "", nil
}

func describeColumn(c plan.Column) described {
	return described{name: c.Name, typ: c.Type, rowtime: c.Rowtime, hidden: c.Hidden}
}

func describeTable(t *catalog.Table) (columns []described, key string) {
	bucketed := t.PrimaryKey
	if d := t.Distribution; d == nil {
		bucketed = nil
	} else if d.Keys != nil {
		bucketed = d.Keys
	}
	for i, c := range t.Columns {
		d := described{name: c.Name, comment: c.Comment, typ: c.Type, primary: slices.Contains(t.PrimaryKey, i), hidden: c.Hidden}
		if slices.Contains(bucketed, i) {
			d.extras = append(d.extras, "BUCKET KEY")
		}
		if m := c.Metadata; m != nil {
			text := "METADATA"
			if m.Key != c.Name {
				text += " FROM '" + strings.ReplaceAll(m.Key, "'", "''") + "'"
			}
			if m.Virtual {
				text += " VIRTUAL"
			}
			d.extras = append(d.extras, text)
		}
		if c.Computed != nil && !c.Hidden {
			d.extras = append(d.extras, "AS "+sql.FormatQuoted(t.Declared.Columns[i].Part.As))
		}
		if w := t.Watermark; w != nil && w.Column == i {
			d.rowtime, d.watermark = true, t.WatermarkExpression()
		}
		columns = append(columns, d)
	}
	if t.PrimaryKey != nil {
		var names []string
		for _, k := range t.PrimaryKey {
			names = append(names, t.Columns[k].Name)
		}
		key = "PRI(" + strings.Join(names, ", ") + ")"
	}
	return columns, key
}

// typeText is the type without NOT NULL, marked if it is the time attribute.
func (d *described) typeText() string {
	text := d.typ.Nullable().String()
	if d.rowtime {
		text += " *ROWTIME*"
	}
	return text
}

// describe has the columns of Confluent Cloud.
func (x *execution) describe(s *sql.Describe) (*Result, error) {
	columns, _, err := x.columnsOf(s.Table)
	if err != nil {
		return nil, err
	}
	titles := []string{"Column Name", "Data Type", "Nullable", "Extras"}
	if s.Extended {
		titles = append(titles, "Comment")
	}
	rows := newRows(titles...)
	for _, c := range columns {
		if c.hidden && !s.Extended {
			continue
		}
		extras := c.extras
		if c.primary {
			extras = append([]string{"PRIMARY KEY"}, extras...)
		}
		if c.watermark != "" {
			extras = append(extras, "WATERMARK AS "+c.watermark)
		}
		nullable := "NULL"
		if c.typ.NotNull {
			nullable = "NOT NULL"
		}
		row := []string{c.name, c.typeText(), nullable, strings.Join(extras, ", ")}
		if s.Extended {
			row = append(row, c.comment)
		}
		rows.add(row...)
	}
	return &Result{Rows: rows}, nil
}

// showColumns has the columns of Flink 2.3.
func (x *execution) showColumns(s *sql.Show, keep func(string) bool) (*Result, error) {
	columns, key, err := x.columnsOf(*s.Name)
	if err != nil {
		return nil, err
	}
	rows := newRows("name", "type", "null", "key", "extras", "watermark")
	for _, c := range columns {
		if c.hidden || !keep(c.name) {
			continue
		}
		null, of := "TRUE", ""
		if c.typ.NotNull {
			null = "FALSE"
		}
		if c.primary {
			of = key
		}
		rows.add(c.name, c.typeText(), null, of, strings.Join(c.extras, ", "), c.watermark)
	}
	return &Result{Rows: rows}, nil
}
