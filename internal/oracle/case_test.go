package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// trial is one random case: tables with rows, and a statement over them. It is kept as parts, so that a failing case can be made smaller by
// taking parts away.
type trial struct {
	zone     string
	settings []string // "key = value" pairs for SET, quoted
	tables   []*table
	steps    []*step // each reads tables or earlier steps
	views    bool    // steps are views, not WITH
}

// table is a table of a trial.
type table struct {
	name    string
	columns []column
	// rowtime is the time attribute, and watermark its WATERMARK clause.
	rowtime   string
	watermark string
	key       []string // columns of its PRIMARY KEY, which are never NULL
	options   []string
	// changelog says which changes rows stand for; "" is inserts.
	changelog string
	// splits[i][j] is chunk j of split i, as in memoryTable.
	splits [][][]Row
}

// column is a column of a table or of a step.
type column struct {
	name string
	typ  types.Type
	// computed is the expression of a computed column.
	computed string
	// rough columns hold means of DOUBLE, whose sums depend on the order of the rows.
	rough bool
}

// step is a named query: SELECT items FROM from WHERE where GROUP BY keys HAVING having. With other parts set it is a UNION ALL of them.
type step struct {
	name                string
	items, groupBy      []string
	from, where, having string
	others              []string // names of further inputs with the same columns
	op                  string   // what puts them together, UNION ALL if it is not said
	columns             []column // what it yields
	rowtime             string   // its time attribute
	windowed            bool     // it has window_start and window_end
	read                bool     // its rows are those of tables
}

func (s *step) sql() string {
	text := "SELECT " + strings.Join(s.items, ", ") + " FROM " + s.from
	if s.where != "" {
		text += " WHERE " + s.where
	}
	if len(s.groupBy) > 0 {
		text += " GROUP BY " + strings.Join(s.groupBy, ", ")
	}
	if s.having != "" {
		text += " HAVING " + s.having
	}
	for _, o := range s.others {
		text += " " + cmp.Or(s.op, "UNION ALL") + " SELECT " + strings.Join(s.items, ", ") + " FROM " + o
	}
	return text
}

// sql is the statements of the trial; the last one is the query.
func (c *trial) sql() string {
	var text strings.Builder
	for _, s := range c.settings {
		fmt.Fprintf(&text, "SET %s;\n", s)
	}
	if c.zone != "" {
		fmt.Fprintf(&text, "SET 'sql.local-time-zone' = '%s';\n", c.zone)
	}
	for _, t := range c.tables {
		text.WriteString(t.sql())
	}
	last := c.steps[len(c.steps)-1]
	for i, s := range c.steps[:len(c.steps)-1] {
		switch {
		case c.views:
			fmt.Fprintf(&text, "CREATE VIEW %s AS %s;\n", s.name, s.sql())
		case i == 0:
			fmt.Fprintf(&text, "WITH %s AS (%s)", s.name, s.sql())
		default:
			fmt.Fprintf(&text, ",\n  %s AS (%s)", s.name, s.sql())
		}
		if !c.views && i == len(c.steps)-2 {
			text.WriteByte('\n')
		}
	}
	text.WriteString(last.sql() + ";\n")
	return text.String()
}

func (t *table) sql() string {
	var parts []string
	for _, c := range t.columns {
		if c.computed != "" {
			parts = append(parts, c.name+" AS "+c.computed)
		} else {
			parts = append(parts, c.name+" "+c.typ.Nullable().String())
		}
	}
	parts = append(parts, "WATERMARK FOR "+t.rowtime+" AS "+t.watermark)
	if len(t.key) > 0 {
		parts = append(parts, "PRIMARY KEY ("+strings.Join(t.key, ", ")+") NOT ENFORCED")
	}
	options := append([]string{"'connector' = 'memory'"}, t.options...)
	if t.changelog != "" {
		options = append(options, "'changelog' = '"+t.changelog+"'")
	}
	return fmt.Sprintf("CREATE TABLE %s (%s) WITH (%s);\n", t.name, strings.Join(parts, ", "), strings.Join(options, ", "))
}

// physical is the columns of which rows are made.
func (t *table) physical() []column {
	return slices.DeleteFunc(slices.Clone(t.columns), func(c column) bool { return c.computed != "" })
}

// ordered reports whether an aggregate depends on the order of its rows.
func (c *trial) ordered() bool {
	text := c.sql()
	return strings.Contains(text, "FIRST_VALUE(") || strings.Contains(text, "LAST_VALUE(") || strings.Contains(text, "LISTAGG(")
}

// location is the session's zone.
func (c *trial) location() *time.Location {
	if c.zone == "" {
		return time.UTC
	}
	loc, err := time.LoadLocation(c.zone)
	if err != nil {
		panic(err)
	}
	return loc
}

// script writes the trial the way the script format does, with one chunk per block.
func (c *trial) script() string {
	var text strings.Builder
	fmt.Fprintf(&text, "sql\n%s----\n", strings.ReplaceAll(c.sql(), "'memory'", "'script'"))
	for _, t := range c.tables {
		columns := t.physical()
		for split, chunks := range t.splits {
			for _, chunk := range chunks {
				fmt.Fprintf(&text, "\nrows %s split %d\n", t.name, split)
				for _, row := range chunk {
					if t.changelog != "" {
						var op vector.Op
						row, op = splitChange(row)
						text.WriteString(op.String() + " ")
					}
					fields := make([]string, len(row))
					for i, v := range row {
						fields[i] = field(v, columns[i].typ)
					}
					text.WriteString(strings.Join(fields, " ") + "\n")
				}
				text.WriteString("----\n")
			}
		}
	}
	return text.String()
}

func field(v Value, t types.Type) string {
	switch {
	case v.Null:
		return "NULL"
	case t.Kind == types.String:
		return "'" + strings.ReplaceAll(v.Text, "'", "''") + "'"
	case t.IsTime():
		return string(timefmt.AppendTimestamp(nil, v.Int, 3, 'T', t.Kind == types.TimestampLTZ))
	}
	return v.Format(t)
}
