package shell

import (
	"sync"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// results are the rows of a running query: the sink writes them, the screen reads them.
type results struct {
	schema types.Schema
	// first is closed with the first row; changed gets a value when there is something new to draw.
	first   chan struct{}
	changed chan struct{}
	begun   func()

	mu      sync.Mutex
	fold    *fold
	changes []change // the latest
	count   int64    // of all changes
}

func newResults(schema types.Schema) *results {
	r := &results{schema: schema, first: make(chan struct{}), changed: make(chan struct{}, 1), fold: newFold()}
	r.begun = sync.OnceFunc(func() { close(r.first) })
	return r
}

// Write implements connector.Sink.
func (r *results) Write(b *vector.Batch) error {
	list := changes(r.schema, b)
	r.mu.Lock()
	for _, c := range list {
		r.fold.apply(c)
	}
	r.count += int64(len(list))
	r.changes = append(r.changes, list...)
	if n := len(r.changes); n > 2*maxChanges {
		r.changes = append(r.changes[:0], r.changes[n-maxChanges:]...)
	}
	r.mu.Unlock()
	r.begun()
	select {
	case r.changed <- struct{}{}:
	default: // the screen has not drawn what came before
	}
	return nil
}

// Flush implements connector.Sink.
func (r *results) Flush() error { return nil }

// Close implements connector.Sink.
func (r *results) Close() error { return nil }

// rows are the rows to show, with their schema: the table, or the changes with the op as first column. lost says that some are missing.
func (r *results) rows(asChanges bool) (types.Schema, []row, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !asChanges {
		return r.schema, r.fold.table(), r.fold.lost
	}
	list := r.changes
	if n := len(list); n > maxChanges {
		list = list[n-maxChanges:]
	}
	rows := make([]row, len(list))
	for i, c := range list {
		op := c.op.String()
		rows[i] = append(row{&op}, c.row...)
	}
	schema := append(types.Schema{{Name: "op", Type: types.StringType}}, r.schema...)
	return schema, rows, r.count > int64(len(list))
}
