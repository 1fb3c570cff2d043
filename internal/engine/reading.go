package engine

import (
	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Reading is a table that is read to look at its event times, ready to start once.
type Reading struct {
	// Table and Column are its name and that of the time column, as SQL writes them.
	Table, Column string
	// Watermark is what the table declares for that column, as written, empty if that is nothing. Delay is by how many microseconds it is behind the column, and Constant says that there is such a number.
	Watermark string
	Delay     int64
	Constant  bool
	// Default says that the watermark is that of a table without WATERMARK clause, and Declared that the table has one, for this column or another.
	Default, Declared bool
	// Instant says that the column is an instant, and Bounded that the rows come to an end.
	Instant, Bounded bool
	// Strategy is the one with which statements read the table.
	Strategy watermark.Strategy

	query *Query
}

// Reading makes a table ready to be looked at. table is its name, behind which hints may stand, and at the name of the time column, empty for that of the watermark or the only one there is. Errors of the
// user are *source.Error.
func (e *Engine) Reading(table, at source.Text) (*Reading, error) {
	name, err := sql.ParseTable(table)
	if err != nil {
		return nil, err
	}
	var column *sql.Name
	if at.Body != "" {
		n, err := sql.ParseName(at)
		if err != nil {
			return nil, err
		}
		column = &n
	}
	by := bind.New(e.session, e.options.Connectors, table)
	before, err := by.Relation(name.Name)
	if err != nil {
		return nil, err
	}
	scan, err := by.Reading(name, column, at)
	if err != nil {
		return nil, err
	}
	w := scan.Table.Watermark
	time := &scan.Table.Columns[w.Column]
	r := &Reading{
		Table:    sql.Format(&sql.ColumnRef{Name: name.Name}),
		Column:   sql.Format(&sql.ColumnRef{Name: sql.Name{Parts: []sql.Ident{{Name: time.Name}}}}),
		Instant:  time.Type.Kind == types.TimestampLTZ,
		Bounded:  scan.Strategy.Bounded,
		Strategy: scan.Strategy.Strategy,
	}
	if own := before.(*catalog.Table).Watermark; own != nil {
		r.Declared = true
		if own.Column == w.Column {
			r.Watermark, r.Default = w.Text, w.Default
			r.Delay, r.Constant = plan.Delay(w)
		}
	}
	scan.Strategy.NullTime = watermark.SkipWatermark
	r.query = &Query{engine: e, Plans: []*plan.Statement{{Root: scan}}, zone: e.session.Zone(), parallelism: e.session.Parallelism(), text: table, at: name.Span()}
	return r, nil
}

// Start makes the job that reads the table; o.Witness looks at it. The job is ready, not running.
func (r *Reading) Start(o runtime.Options) (*runtime.Job, error) {
	return r.query.Start(nowhere{}, 1, o)
}

// nowhere is where the rows of a reading go.
type nowhere struct{}

func (nowhere) Write(*vector.Batch) error { return nil }
func (nowhere) Flush() error              { return nil }
func (nowhere) Close() error              { return nil }
