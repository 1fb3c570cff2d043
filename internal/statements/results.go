package statements

import (
	"errors"
	"slices"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/rowfmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Row is a row of the results.
type Row struct {
	Op vector.Op
	// Cells is a JSON array.
	Cells []byte
}

// Page is a stretch of results.
type Page struct {
	Rows []Row
	// Next is where the next page begins, and More whether there is or will be one.
	Next int64
	More bool
	// news is closed when there is something to read; of an empty page with more to come.
	news <-chan struct{}
}

// ErrGone is the answer to who asks for results that were read before: whoever asks for a page has the ones before it, so they are not kept.
var ErrGone = errors.New("these results were read already and are not kept")

// results is the sink of a SELECT. It holds rows until somebody has read them, and no more than so many bytes: then the statement waits. Readers and the writer are different goroutines.
type results struct {
	schema types.Schema
	limit  int
	now    func() int64
	pool   *pool // nil if what is held does not count

	mu    sync.Mutex
	room  sync.Cond // there may be room, or nobody wants rows any more
	rows  []Row
	first int64 // the number of rows[0]
	bytes int
	news  chan struct{} // closed with the next row, or when no more come; nil if nobody waits for that
	ended bool          // no more rows come
	left  bool          // nobody wants more
	asked int64         // when somebody last read, microseconds
}

// errUnread ends a statement whose results nobody wants.
var errUnread = errors.New("nobody reads the results")

func newResults(schema types.Schema, limit int, now func() int64) *results {
	r := &results{schema: schema, limit: limit, now: now, asked: now()}
	r.room.L = &r.mu
	return r
}

// Write implements connector.Sink.
func (r *results) Write(b *vector.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		i := rows.At(k)
		row := Row{Cells: rowfmt.AppendRow(nil, r.schema, b, i)}
		if b.Ops != nil {
			row.Op = b.Ops[i]
		}
		if err := r.put(row); err != nil {
			return err
		}
	}
	return nil
}

func (r *results) put(row Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		for r.bytes >= r.limit && !r.left {
			r.room.Wait()
		}
		if r.left {
			return errUnread
		}
		turn, ok := r.pool.take(rowBytes(row), r.bytes == 0)
		if ok {
			break
		}
		r.mu.Unlock()
		r.pool.await(turn)
		r.mu.Lock()
	}
	r.rows = append(r.rows, row)
	r.bytes += rowBytes(row)
	r.tell()
	return nil
}

// tell wakes those who wait for rows; mu is held.
func (r *results) tell() {
	if r.news != nil {
		close(r.news)
		r.news = nil
	}
}

// rowBytes is about what a row takes.
func rowBytes(row Row) int { return 48 + cap(row.Cells) }

// Flush implements connector.Sink.
func (r *results) Flush() error { return nil }

// Close implements connector.Sink.
func (r *results) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	r.tell()
	return nil
}

// leave lets a writer go that waits for room.
func (r *results) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = true
	r.tell()
	r.room.Broadcast()
	r.pool.wake()
}

// page reads at most so many rows and bytes from row number from on, and forgets those before it.
func (r *results) page(from int64, rows, bytes int) (Page, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = r.now()
	if from < r.first || from > r.first+int64(len(r.rows)) {
		return Page{}, ErrGone
	}
	r.forget(int(from - r.first))
	n := 0
	for n < len(r.rows) && n < rows && (n == 0 || bytes > 0) {
		bytes -= len(r.rows[n].Cells)
		n++
	}
	p := Page{Rows: slices.Clone(r.rows[:n]), Next: from + int64(n)}
	p.More = n < len(r.rows) || !r.ended
	if n == 0 && p.More {
		if r.news == nil {
			r.news = make(chan struct{})
		}
		p.news = r.news
	}
	return p, nil
}

// forget lets go of the first n rows; mu is held.
func (r *results) forget(n int) {
	read, bytes := r.rows[:n], 0
	for _, row := range read {
		bytes += rowBytes(row)
	}
	clear(read) // a page that is being sent is a copy
	r.rows, r.first, r.bytes = r.rows[n:], r.first+int64(n), r.bytes-bytes
	r.pool.give(bytes)
	r.room.Broadcast()
}

// drop lets go of all rows.
func (r *results) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(len(r.rows))
}

// unread is how long nobody has asked, in microseconds.
func (r *results) unread() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now() - r.asked
}
