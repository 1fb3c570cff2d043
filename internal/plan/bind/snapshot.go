package bind

import (
	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// snapshots reports whether queries are over the rows that there are now. Confluent Cloud: snapshot queries.
func (b *Binder) snapshots() bool {
	mode, _ := b.session.Value(catalog.KeySnapshot)
	return mode == catalog.SnapshotNow
}

// snapshot is t with options that read what it has now, if that is what the session wants.
func (b *Binder) snapshot(t *catalog.Table) *catalog.Table {
	if !b.snapshots() {
		return t
	}
	return b.Now(t)
}

// told makes of a query whose rows come and go one that gives those which are there at the end, if it has one.
func (b *Binder) told(n plan.Node) plan.Node {
	if b.snapshots() && plan.Updates(n) {
		return &plan.AtEnd{Input: n}
	}
	return n
}
