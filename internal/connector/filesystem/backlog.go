package filesystem

import (
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// unknown is the backlog of a file that is compressed.
const unknown = -1

// backlog is how many bytes a split has that it has not handed out, as it was when the split was asked last. A split is asked by one goroutine and looked at by others.
type backlog struct{ left atomic.Int64 }

// begin is the split of a file of which nothing was read.
func (b *backlog) begin(bytes int64) { b.left.Store(bytes) }

// Backlog implements connector.Backlogged.
func (b *backlog) Backlog() connector.Backlog {
	return connector.Backlog{Records: -1, Bytes: b.left.Load()}
}
