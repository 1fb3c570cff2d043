package dataflow

import (
	"github.com/tidemark-sql/tidemark/internal/invariant"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Batch is rows of one stream with the frontiers that fall among them.
type Batch struct {
	vector.Batch
	// Marks ascend in row and rise in frontier. Rows are positions in the columns, selected or not.
	Marks []watermark.Mark
	// Released is the deadline that released the rows, Unset for rows that passed as they came. Rows that one deadline released are in
	// front of those of a later one, and none of them is older than an earlier deadline.
	Released watermark.Frontier
	// Rank orders the rows that one deadline released: those with the lesser rank are in front. It is what several senders of such rows
	// have in common.
	Rank [2]int64
	// Order is the places of all N rows, which ascend from one selected row to the next; nil where rows have a single sender, whose order is theirs.
	Order []Order
	// Input is the input of the receiving fragment that the rows came by.
	Input int
	// Hashes are the key hashes of all N rows, if somebody upstream has computed them for the operator that gets the batch.
	Hashes []uint64
}

// Segments walks b as stretches of rows under one frontier: rows is called for each non-empty stretch of selected rows (as a
// sub-slice of selection positions lo..hi, see vector.Rows.At), and mark for each mark between them, in stream order.
func (b *Batch) Segments(rows func(lo, hi int) error, mark func(f watermark.Frontier) error) error {
	lo, n := 0, b.Rows().Count()
	for _, m := range b.Marks {
		hi := lo
		if b.Sel == nil {
			hi = int(m.Row)
		} else {
			for hi < n && b.Sel[hi] < m.Row {
				hi++
			}
		}
		if hi > lo {
			if err := rows(lo, hi); err != nil {
				return err
			}
			lo = hi
		}
		if err := mark(m.F); err != nil {
			return err
		}
	}
	if lo < n {
		return rows(lo, n)
	}
	return nil
}

// Part copies the selected rows lo to hi-1 with the marks before and among them; if they are the last ones, also with those behind them.
func (b *Batch) Part(lo, hi int) *Batch {
	part := &Batch{Batch: *b.Batch.Part(lo, hi), Released: b.Released, Rank: b.Rank, Input: b.Input}
	rows := b.Rows()
	for k := lo; k < hi; k++ {
		if i := rows.At(k); b.Order != nil {
			part.Order = append(part.Order, b.Order[i])
		}
		if i := rows.At(k); b.Hashes != nil {
			part.Hashes = append(part.Hashes, b.Hashes[i])
		}
	}
	place := 0 // of a mark: how many selected rows are in front of it
	for _, m := range b.Marks {
		for place < rows.Count() && rows.At(place) < int(m.Row) {
			place++
		}
		if place >= lo && (place < hi || hi == rows.Count()) {
			part.Marks = append(part.Marks, watermark.Mark{Row: int32(place - lo), F: m.F})
		}
	}
	return part
}

// CheckBatch panics if b breaks the contract of an edge, where the frontier before it was since. Only for builds with
// invariants.
func CheckBatch(b *Batch, since watermark.Frontier) {
	invariant.Check(b.Rows().Count() > 0, "empty batch on an edge")
	last := int32(-1)
	for _, r := range b.Sel {
		invariant.Check(r > last && int(r) < b.N, "selection is not ascending or beyond %d rows", b.N)
		last = r
	}
	row := int32(0)
	for _, m := range b.Marks {
		invariant.Check(m.Row >= row && int(m.Row) <= b.N, "mark at row %d after %d of %d", m.Row, row, b.N)
		invariant.Check(m.F > since, "frontier fell or stayed from %d to %d", since, m.F)
		row, since = m.Row, m.F
	}
	invariant.Check(b.Ops == nil || len(b.Ops) >= b.N, "%d ops in a batch of %d rows", len(b.Ops), b.N)
	if b.Order != nil {
		rows := b.Rows()
		for k := 1; k < rows.Count(); k++ {
			invariant.Check(b.Order[rows.At(k-1)].Compare(b.Order[rows.At(k)]) <= 0, "rows %d and %d are out of order", rows.At(k-1), rows.At(k))
		}
	}
	invariant.Check(b.Hashes == nil || len(b.Hashes) >= b.N, "%d hashes in a batch of %d rows", len(b.Hashes), b.N)
	for _, c := range b.Cols {
		n := len(c.Bools) + len(c.Ints) + len(c.Wides) + len(c.Floats) + len(c.Views)
		invariant.Check(c.Const && n >= 1 || n >= b.N, "column of %d values in a batch of %d rows", n, b.N)
	}
}
