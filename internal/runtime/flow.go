package runtime

import "sync/atomic"

// flow adds up rows that go one way, and about how many bytes they take. One goroutine adds, any may read. A nil flow counts nothing.
type flow struct{ rows, bytes atomic.Int64 }

func (f *flow) add(rows, bytes int64) {
	if f != nil {
		f.rows.Add(rows)
		f.bytes.Add(bytes)
	}
}
