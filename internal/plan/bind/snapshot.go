package bind

import (
	"maps"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// snapshots reports whether queries are over the rows that there are now. Confluent Cloud: snapshot queries.
func (b *Binder) snapshots() bool {
	mode, _ := b.session.Value(catalog.KeySnapshot)
	return mode == catalog.SnapshotNow
}

// snapshot is t with options that read what it has now, if that is what the session wants.
func (b *Binder) snapshot(t *catalog.Table) *catalog.Table {
	c := b.connectorNamed(t.Options["connector"])
	if !b.snapshots() || c == nil || c.Snapshot == nil {
		return t
	}
	now := *t
	now.Options = c.Snapshot(connector.Options(maps.Clone(map[string]string(t.Options))))
	return &now
}

// told makes of a query whose rows come and go one that gives those which are there at the end, if it has one.
func (b *Binder) told(n plan.Node) plan.Node {
	if b.snapshots() && plan.Updates(n) {
		return &plan.AtEnd{Input: n}
	}
	return n
}
