package spill

import "github.com/tidemark-sql/tidemark/internal/heap"

// cursor stands on a record of a run. It keeps the bytes around, which never change.
type cursor struct {
	run    *run
	at     int64
	due    int64
	loaded bool // rec is the record
	rec    Record
	buf    []byte // bytes of the run from here on
	from   int64
}

// readBytes is how much a cursor reads at a time.
const readBytes = 16 << 10

// begin puts c on the record at an offset that is due at a time.
func (c *cursor) begin(at, due int64) { c.at, c.due, c.loaded = at, due, false }

// held is what c keeps of the bytes from at on.
func (c *cursor) held(at int64) []byte {
	if at < c.from || at > c.from+int64(len(c.buf)) {
		return nil
	}
	return c.buf[at-c.from:]
}

// seek puts c on the first living record at an offset or behind it, and reports whether there is one. Of the record it reads no more than when it is due.
func (c *cursor) seek(at int64) (bool, error) {
	next := c.run.alive.next(int(at / unit))
	if next < 0 {
		return false, nil
	}
	at = int64(next) * unit
	header := c.held(at)
	if len(header) < headerBytes {
		if at+headerBytes > c.run.size {
			return false, c.run.damaged()
		}
		var short [headerBytes]byte
		if err := c.run.readAt(short[:], at); err != nil {
			return false, err
		}
		header = short[:]
	}
	c.begin(at, dueAt(header))
	return true, nil
}

// load reads the record.
func (c *cursor) load() error {
	if c.loaded {
		return nil
	}
	b, err := c.bytes(headerBytes)
	if err == nil {
		b, err = c.bytes(lengthAt(b))
	}
	if err != nil {
		return err
	}
	c.rec, c.loaded = recordAt(b), true
	return nil
}

// bytes is the run from the record on, n bytes or more.
func (c *cursor) bytes(n int64) ([]byte, error) {
	if b := c.held(c.at); int64(len(b)) >= n {
		return b, nil
	}
	if n > c.run.size-c.at {
		return nil, c.run.damaged()
	}
	err := c.fill(n)
	return c.buf, err
}

// fill reads at least n bytes of the run, from the record on.
func (c *cursor) fill(n int64) error {
	n = min(max(n, readBytes), c.run.size-c.at)
	if size := int64(cap(c.buf)); size < n || size > 4*max(n, readBytes) {
		c.buf = make([]byte, n)
	}
	c.buf, c.from = c.buf[:n], c.at
	if err := c.run.readAt(c.buf, c.at); err != nil {
		c.buf = c.buf[:0]
		return err
	}
	return nil
}

// next puts c on the next living record, and reads it.
func (c *cursor) next() (bool, error) {
	ok, err := c.seek(c.at + unit)
	if ok {
		err = c.load()
	}
	return ok && err == nil, err
}

// sequence is cursors that have loaded their records, as one sequence in order.
type sequence struct {
	first *cursor // on the first record of all; nil at the end
	rest  []*cursor
}

func before(a, b *cursor) bool { return compare(&a.rec, &b.rec) < 0 }

func (s *sequence) add(c *cursor) {
	if s.first != nil && before(c, s.first) {
		c, s.first = s.first, c
	}
	if s.first == nil {
		s.first = c
		return
	}
	s.rest = heap.Push(s.rest, c, before)
}

// moved says that the first cursor stands on its next record, or has none any more.
func (s *sequence) moved(more bool) {
	switch {
	case !more && len(s.rest) == 0:
		s.first = nil
	case !more:
		s.first, s.rest = heap.Pop(s.rest, before)
	case len(s.rest) > 0 && before(s.rest[0], s.first):
		c := s.first
		s.first, s.rest = heap.Pop(s.rest, before)
		s.rest = heap.Push(s.rest, c, before)
	}
}
