package plan

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Ranks says which rows of a partition are a result: those with the numbers From to To, counted from 1, in the order of By.
type Ranks struct {
	By       []SortKey
	From, To int64
	// Numbered says that the number of a row follows its columns.
	Numbered bool
	// Latest puts a row before those that came earlier and that By does not tell it apart from.
	Latest bool
}

// NumberColumn is the column of the number of a row in its partition.
var NumberColumn = Column{Name: "row_number", Type: types.Type{Kind: types.BigInt, NotNull: true}}

// TopN is the first rows of each partition, which enter and leave the result as others come and go: ROW_NUMBER() OVER (PARTITION BY Keys ORDER BY By) with a filter
// on the number. With one row, ordered by event time descending, it is Flink's Deduplicate that keeps the last row.
type TopN struct {
	Input Node
	Keys  []int
	Ranks Ranks
	Cols  []Column
	TTL   TTL
}

// WindowTopN is the first rows of each partition of a window, which leave when the window ends. Rows carry their window in Start and End; Keys are the rest of the partition.
type WindowTopN struct {
	Input      Node
	Windows    *Windowing
	Start, End int
	Keys       []int
	Ranks      Ranks
	Cols       []Column
}

// NewTopN makes a TopN with its columns: rows come in any order of time, so that none is a time attribute.
func NewTopN(in Node, keys []int, ranks Ranks) *TopN {
	n := &TopN{Input: in, Keys: keys, Ranks: ranks}
	for _, c := range in.Columns() {
		c.Rowtime = false
		n.Cols = append(n.Cols, c)
	}
	n.Cols = ranks.numbered(n.Cols)
	return n
}

// NewWindowTopN makes a WindowTopN with its columns.
func NewWindowTopN(in Node, windows *Windowing, start, end int, keys []int, ranks Ranks) *WindowTopN {
	n := &WindowTopN{Input: in, Windows: windows, Start: start, End: end, Keys: keys, Ranks: ranks}
	n.Cols = ranks.numbered(append(n.Cols, in.Columns()...))
	return n
}

func (r Ranks) numbered(cols []Column) []Column {
	if r.Numbered {
		cols = append(cols, NumberColumn)
	}
	return cols
}

// Columns implements Node.
func (n *TopN) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *WindowTopN) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *TopN) Children() []Node { return []Node{n.Input} }

// Children implements Node.
func (n *WindowTopN) Children() []Node { return []Node{n.Input} }

// Replaces are the columns by which a row of the input replaces an earlier one, as in Limit.
func (n *TopN) Replaces() ([]int, bool) { return replaces(n.Input, n.Keys, n.Ranks.By) }

// changes tells which changes of the result there are; see the function changes.
func (n *TopN) changes() []string {
	_, replaces := n.Replaces()
	shifts := n.Ranks.Numbered || n.Ranks.From > 1
	switch taken := Updates(n.Input) && !replaces; {
	case !shifts && n.Ranks.To == 1 && !taken, shifts && !taken:
		return []string{"I", "UB", "UA"}
	case !shifts && !replaces:
		return []string{"I", "D"}
	}
	return []string{"I", "UB", "UA", "D"}
}

func (n *TopN) describe() string {
	return "TopN " + n.Ranks.describe(n.Input.Columns(), n.Keys)
}

func (n *WindowTopN) describe() string {
	return "WindowTopN " + n.Windows.String() + ", " + n.Ranks.describe(n.Input.Columns(), n.Keys)
}

func (r Ranks) describe(in []Column, keys []int) string {
	var parts []string
	if len(keys) > 0 {
		parts = append(parts, "of each ["+namesOf(in, keys)+"]")
	}
	parts = append(parts, describeKeys(in, r.By))
	rows := fmt.Sprintf("rows %d to %d", r.From, r.To)
	if r.From == r.To {
		rows = fmt.Sprintf("row %d", r.From)
	}
	if r.Latest {
		rows += ", of equal ones the latest"
	}
	if r.Numbered {
		rows += ", numbered"
	}
	return strings.Join(append(parts, rows), ", ")
}
