package bind

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Reading is the scan of a table for somebody who looks at its event time and at nothing else: it yields no columns, and late rows are there. at is the time column, which stands in a text of its own;
// nil takes that of the watermark, or the only column that can be one. If it is not that of the watermark, the scan has the column itself as its watermark.
func (b *Binder) Reading(name *sql.TableName, at *sql.Name, of source.Text) (*plan.Scan, error) {
	r, err := b.Relation(name.Name)
	if err != nil {
		return nil, err
	}
	t, ok := r.(*catalog.Table)
	if !ok {
		return nil, b.errorf(source.CodeUnknownTable, name.Name.Span(), "name the tables that it reads", "'%s' is a view, and watermarks are those of tables", r.Full().Name)
	}
	if b.snapshots() {
		return nil, b.errorf(source.CodeUnsupported, name.Name.Span(), "SET '"+catalog.KeySnapshot+"' = 'off'; behind a topic, /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */ ends where it ends now", "in a snapshot no row is late")
	}
	if t, err = b.timed(t, name.Name, at, of); err != nil {
		return nil, err
	}
	t = b.use(t, name.Name.Span())
	hints, err := b.hints(t, name.Hints)
	if err != nil {
		return nil, err
	}
	n, err := b.scan(t, hints)
	if err != nil {
		return nil, b.tableError(err, t)
	}
	if _, handed := n.Strategy.Candidates.(watermark.HandedOver); handed {
		return nil, b.errorf(source.CodeTime, name.Name.Span(), "look at the tables that those statements read", "the watermark of '%s' is handed over by the statements that write to it, and has no delay of its own", t.Name)
	}
	n.Output, n.Cols, n.Late = nil, nil, watermark.PassLate
	return n, nil
}

// timed is t with a watermark for the column at.
func (b *Binder) timed(t *catalog.Table, name sql.Name, at *sql.Name, of source.Text) (*catalog.Table, error) {
	if at == nil {
		if t.Watermark != nil {
			return t, nil
		}
		var times []string
		for _, c := range t.Columns {
			if c.Type.IsTime() {
				times = append(times, c.Name)
			}
		}
		if len(times) != 1 {
			hint := "it has no column of type TIMESTAMP or TIMESTAMP_LTZ; declare one, such as ts AS TO_TIMESTAMP_LTZ(ms, 3)"
			if len(times) > 1 {
				hint = "say which column: --time " + strings.Join(times, ", or --time ")
			}
			return nil, b.errorf(source.CodeTime, name.Span(), hint, "table '%s' has no watermark", t.Name)
		}
		at, of = &sql.Name{Parts: []sql.Ident{{Located: name.Last().Located, Name: times[0]}}}, b.text
	} else if w := t.Watermark; w != nil && len(at.Parts) == 1 && t.Columns[w.Column].Name == at.Last().Name {
		return t, nil
	}
	schema := sql.TableSchema{Watermark: &sql.Watermark{Located: sql.Located{At: at.Span()}, Column: *at, Expr: &sql.ColumnRef{Name: *at}}}
	var action sql.AlterAction = &sql.AlterAdd{Schema: schema}
	if t.Watermark != nil {
		action = &sql.AlterModify{Schema: schema}
	}
	return b.within(of).AlterTable(t, action)
}
