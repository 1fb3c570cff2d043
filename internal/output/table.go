package output

import (
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// table draws rows in boxes, page by page. A page has a header and fixed column widths. Rows are held until a flush or
// until there are pageRows of them, and the widths of the first page come from those; when later rows need more room, a
// new page begins. Only strings are ever cut, so that pages cannot grow for ever.
type table struct {
	buffer
	ops     bool
	columns []tableColumn // the column of ops first, if there is one
	cells   []cell        // of the held rows, row by row
	held    []byte        // the text of cells
	drawn   bool          // a page has begun
}

type tableColumn struct {
	types.Field
	right bool // numbers stand at the right
	whole bool // strings are never cut
	width int  // in cells, without the blanks around it
}

// cell is a value as it will be shown if there is room: held[from:to], so many cells wide.
type cell struct{ from, to, width int }

const (
	// pageRows is how many rows are held at most, and how many have a say in the widths of the first page.
	pageRows = 100
	// maxString is the width beyond which strings are cut.
	maxString = 40
	// numberRoom is how wide a column of numbers is at least: they often grow, and every one that no longer fits costs a page.
	numberRoom = 8
)

// NewTable makes a Writer of tables for a terminal.
func NewTable(w io.Writer, schema types.Schema) Writer {
	t := &table{buffer: buffer{w: w}, ops: true}
	op := types.Field{Name: opName(schema), Type: types.Type{Kind: types.String, NotNull: true}}
	t.columns = append(t.columns, newTableColumn(op))
	return t.with(schema)
}

// NewPlainTable is NewTable for rows that are no changelog: they have no op, and their strings are not cut.
func NewPlainTable(w io.Writer, schema types.Schema) Writer {
	t := (&table{buffer: buffer{w: w}}).with(schema)
	for i := range t.columns {
		t.columns[i].whole = true
	}
	return t
}

func (t *table) with(schema types.Schema) *table {
	for _, f := range schema {
		t.columns = append(t.columns, newTableColumn(f))
	}
	return t
}

func newTableColumn(f types.Field) tableColumn {
	name := appendVisible(nil, []byte(f.Name))
	f.Name = string(name)
	width := max(len("+I"), textWidth(name))
	if !f.Type.NotNull {
		width = max(width, len(null))
	}
	if f.Type.IsNumeric() {
		width = max(width, numberRoom)
	}
	return tableColumn{Field: f, right: f.Type.IsNumeric() || f.Type.IsInterval(), width: width}
}

const null = "NULL"

func (t *table) WriteBatch(b *vector.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		t.hold(b, rows.At(k))
		if len(t.cells) < pageRows*len(t.columns) {
			continue
		}
		t.drawHeld()
		if err := t.flushIfFull(); err != nil {
			return err
		}
	}
	return t.err
}

// Flush draws the rows that are held and hands the text on.
func (t *table) Flush() error {
	t.drawHeld()
	return t.buffer.Flush()
}

// Close draws the bottom of the last page. Without any row there is a page that has only its header.
func (t *table) Close() error {
	t.drawHeld()
	if !t.drawn {
		t.beginPage()
	}
	t.endPage()
	return t.Flush()
}

// hold keeps row i of b as text.
func (t *table) hold(b *vector.Batch, i int) {
	columns := t.columns
	if t.ops {
		from := len(t.held)
		t.held = append(t.held, opOf(b, i).String()...)
		t.endCell(from)
		columns = columns[1:]
	}
	for k, v := range b.Cols {
		from := len(t.held)
		switch column := columns[k]; {
		case v.IsNull(i):
			t.held = append(t.held, null...)
		case column.Type.IsText():
			t.held = appendVisible(t.held, v.Bytes(i))
		default:
			t.held = appendCell(t.held, column.Type, v, i)
		}
		t.endCell(from)
	}
}

// endCell makes what was appended to held since it was from bytes long a cell.
func (t *table) endCell(from int) {
	t.cells = append(t.cells, cell{from, len(t.held), textWidth(t.held[from:])})
}

// appendVisible appends s with � for what is not UTF-8 or would move the cursor; line feed and tab get a picture.
func appendVisible(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRune(s[i:])
		switch {
		case r == '\n':
			r = '↵'
		case r == '\t':
			r = '→'
		case unicode.IsControl(r):
			r = utf8.RuneError
		}
		dst = utf8.AppendRune(dst, r)
		i += size
	}
	return dst
}

// drawHeld draws the held rows, on a new page if they need wider columns than the current one has.
func (t *table) drawHeld() {
	if len(t.cells) == 0 {
		return
	}
	if !t.drawn || t.overflows() {
		t.endPage()
		t.widen()
		t.beginPage()
	}
	for i, c := range t.cells {
		column := &t.columns[i%len(t.columns)]
		t.text = append(t.text, "│ "...)
		t.drawCell(column, t.held[c.from:c.to], c.width)
		t.text = append(t.text, ' ')
		if (i+1)%len(t.columns) == 0 {
			t.text = append(t.text, "│\n"...)
		}
	}
	t.cells, t.held = t.cells[:0], t.held[:0]
}

// overflows reports whether a held value needs a wider column.
func (t *table) overflows() bool {
	for i, c := range t.cells {
		if column := &t.columns[i%len(t.columns)]; column.fit(c.width) > column.width {
			return true
		}
	}
	return false
}

// widen makes the columns as wide as the held rows need. After the first page it adds some room, so that values that
// keep growing do not start a page each.
func (t *table) widen() {
	for i, c := range t.cells {
		column := &t.columns[i%len(t.columns)]
		width := column.fit(c.width)
		if width <= column.width {
			continue
		}
		if t.drawn {
			width = column.fit(width + max(2, width/4))
		}
		column.width = width
	}
}

// fit is the width that c is to have for a value so many cells wide.
func (c *tableColumn) fit(width int) int {
	if c.Type.IsText() && !c.whole {
		return min(width, max(maxString, c.width))
	}
	return width
}

func (t *table) beginPage() {
	t.drawn = true
	t.rule("┌", "┬", "┐")
	for i := range t.columns {
		name := []byte(t.columns[i].Name)
		t.text = append(t.text, "│ "...)
		t.drawCell(&t.columns[i], name, textWidth(name))
		t.text = append(t.text, ' ')
	}
	t.text = append(t.text, "│\n"...)
	t.rule("├", "┼", "┤")
}

// endPage draws the bottom of the current page, if there is one.
func (t *table) endPage() {
	if t.drawn {
		t.rule("└", "┴", "┘")
	}
}

func (t *table) rule(left, middle, right string) {
	for i := range t.columns {
		if i == 0 {
			t.text = append(t.text, left...)
		} else {
			t.text = append(t.text, middle...)
		}
		for range t.columns[i].width + 2 {
			t.text = append(t.text, "─"...)
		}
	}
	t.text = append(append(t.text, right...), '\n')
}

// drawCell draws text, which takes so many cells, within the width of column.
func (t *table) drawCell(column *tableColumn, text []byte, width int) {
	if width > column.width {
		text, width = cut(text, column.width-1)
		t.text = append(append(t.text, text...), "…"...)
		t.blanks(column.width - width - 1)
		return
	}
	if column.right {
		t.blanks(column.width - width)
	}
	t.text = append(t.text, text...)
	if !column.right {
		t.blanks(column.width - width)
	}
}

func (t *table) blanks(n int) {
	for range n {
		t.text = append(t.text, ' ')
	}
}
