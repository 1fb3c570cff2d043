package bind

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// divided finds the columns that divide the rows of n for its watermark, if its options name some.
func divided(n *plan.Scan) error {
	t := n.Table
	for _, by := range n.Strategy.By {
		var names []string
		column := -1
		for i, c := range t.Columns {
			names = append(names, c.Name)
			if c.Name == by.Name {
				column = i
			}
		}
		if column < 0 {
			return &connector.OptionError{Key: by.Option, Message: fmt.Sprintf("table '%s' has no column '%s'", t.Name, by.Name), Hint: didYouMean(by.Name, names, "the columns are: "+join(names))}
		}
		c := t.Columns[column]
		if c.Type.IsNested() || c.Type.IsBytes() {
			return &connector.OptionError{Key: by.Option, Message: fmt.Sprintf("column '%s' is %s, which does not divide rows", c.Name, c.Type.Nullable()), Hint: "make a column of a part of it, or of its text"}
		}
		text, err := expr.NewCast(expr.NewColumn(column, c.Name, c.Type), types.StringType, false)
		if err != nil {
			panic("tidemark bug: a value without text: " + err.Error())
		}
		n.Dimension = append(n.Dimension, text)
	}
	if t.Watermark != nil {
		return nil
	}
	for _, o := range []struct {
		key string
		set bool
	}{{plan.OptionDimension, n.Dimension != nil}, {plan.OptionLastRows, n.Strategy.LastRows > 0}} {
		if o.set {
			return &connector.OptionError{Key: o.key, Message: "there is no watermark that it could hold", Hint: "declare WATERMARK FOR a time column, or leave the option out"}
		}
	}
	return nil
}
