package bind

import (
	"errors"
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// handsOver wants of a table in which the watermark is handed over that it says so in its watermark, and that its connector can do it.
func (b *Binder) handsOver(t *catalog.Table) error {
	if !t.HandsOver() {
		return nil
	}
	if c := b.connectorNamed(t.Options["connector"]); c != nil && !c.HandsOver {
		return b.tableError(&connector.OptionError{Key: plan.OptionHandover, Message: "a table with connector '" + c.Name + "' cannot hand its watermark over",
			Hint: "leave it out; managed tables can, and those with connector 'kafka' or 'upsert-kafka'"}, t)
	}
	if w := t.Declared.Watermark; w != nil && callsSource(w.Part.Expr) {
		return nil
	}
	return b.tableError(&connector.OptionError{Key: plan.OptionHandover, Message: "the watermark of the table is handed over by those who write to it, and the table declares another, or none",
		Hint: "declare WATERMARK FOR ts AS " + sourceFunction + "()"}, t)
}

// redefine binds what has become of from. Whose watermark a table has is changed in steps: one that hands it over may lack the declaration, and then cannot be used.
func (b *Binder) redefine(from, to *catalog.Table) error {
	err := b.declare(to)
	if err == nil && !to.Undecided() {
		_, err = b.complete(to)
	}
	place, ok := errors.AsType[*source.Error](err)
	if !ok || to.Declared.Watermark == nil || from.Declared.Watermark == nil {
		return err
	}
	own, first := !callsSource(to.Declared.Watermark.Part.Expr), "write ALTER TABLE "+to.Name+" DROP WATERMARK first, then "
	switch {
	case to.HandsOver() && own && from.HandsOver():
		place.Hint = first + "RESET ('" + plan.OptionHandover + "'), and ADD this watermark at last"
	case to.HandsOver() && own:
		place.Hint = first + "this, and ADD WATERMARK FOR " + to.Declared.Watermark.Part.Column.Last().Name + " AS " + sourceFunction + "() at last"
	case from.HandsOver() && !to.HandsOver() && !own:
		place.Hint = first + "this, and ADD the watermark that the table is to have at last"
	}
	return err
}

// decided refuses to use a table that hands a watermark over which it does not declare.
func (b *Binder) decided(t *catalog.Table) error {
	if !t.Undecided() {
		return nil
	}
	return b.tableError(&connector.OptionError{Key: plan.OptionHandover, Message: fmt.Sprintf("table '%s' hands its watermark over, and declares none", t.Name),
		Hint: fmt.Sprintf("write ALTER TABLE %s ADD WATERMARK FOR … AS %s(), or ALTER TABLE %s RESET ('%s')", written(t.Name), sourceFunction, written(t.Name), plan.OptionHandover)}, t)
}

// handing wants of a query whose watermark is handed over that it brings the time which that watermark is about.
func (b *Binder) handing(t *catalog.Table, r Rows, takes []int) error {
	if err := b.decided(t); err != nil || !t.HandsOver() || t.Watermark == nil {
		return err
	}
	_, columns := t.Written()
	for k, column := range columns {
		if column != t.Watermark.Column {
			continue
		}
		name, hint := t.Columns[column].Name, "select the time attribute of the query for it, as it is: the time column of a table, or window_time"
		if takes[k] < 0 {
			return b.errorf(source.CodeTime, r.Query, hint, "table '%s' hands the watermark of column '%s' over, and the query does not write it", t.Name, name)
		}
		c := r.Node.Columns()[takes[k]]
		span := r.Item(takes[k])
		if !c.Rowtime {
			return b.errorf(source.CodeTime, span, hint, "table '%s' hands the watermark of column '%s' over, and what the query gives for it is no time attribute", t.Name, name)
		}
		if to := t.Columns[column].Type; c.Type.Kind != to.Kind || c.Type.Precision != to.Precision {
			return b.errorf(source.CodeTime, span, "declare the column as "+c.Type.Nullable().String(), "table '%s' hands the watermark of column '%s' over, which is %s, and the query gives %s", t.Name, name, to.Nullable(), c.Type.Nullable())
		}
	}
	return nil
}
