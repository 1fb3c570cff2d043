package tidemark

import (
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/watermark"
)

// SetWatermarks has the statements from now on read a table with the watermarks of a strategy, such as one of the helpers of package watermark. The table, whose name is written as in SQL, must be there and have a
// WATERMARK clause, which says what its event time is. The zero Strategy takes all back; so does dropping the table.
//
// Parts of the strategy that are nil or zero say nothing. The others win over what the table's WITH clause, SET and the profile say, and a hint where the table is read wins over them; a generator takes the place
// of the watermark's expression. EXPLAIN shows what came from the program. Lookahead, AtEnd and a Dimension are not for this: SQL has them, as it names columns and sets of options.
//
// The engine makes a generator for each split and asks the generators of a table one at a time, in goroutines of its own. One that panics stops its
// statement, with a *RunError of ClassUser that names the table and the value, and has the stack; errors.As finds a value that is an error.
//
// An error is an *Error with a place in the name.
func (e *Engine) SetWatermarks(table string, s watermark.Strategy) error {
	if err := e.inner.SetWatermarks(source.Text{Name: "table", Body: table}, s); err != nil {
		return place(err)
	}
	return nil
}
