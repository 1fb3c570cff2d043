package spill

// Ascend shows the records with from <= Due < to in their order, and removes none. A record is valid during the call, which must not change the table.
func (t *Table) Ascend(from, to int64, each func(Record) error) error {
	s, err := t.Scan(from, to)
	if err != nil {
		return err
	}
	for s.Ok() {
		if err := each(s.Record()); err != nil {
			return err
		}
		if err := s.Next(); err != nil {
			return err
		}
	}
	return s.Close()
}

// Scan is a walk through records of a table in their order. Several may be under way, through ranges without a time in common. While they are, records may be taken by them and added by a
// Writer, which no walk comes by that has begun before; nothing else may change the table.
type Scan struct {
	table *Table
	to    int64
	seq   sequence
	taken int64
}

// Scan begins a walk through the records with from <= Due < to. It is closed if no method of it or of the table has failed.
func (t *Table) Scan(from, to int64) (*Scan, error) {
	s := &Scan{table: t, to: to}
	for _, r := range t.runs {
		c := &cursor{run: r}
		ok, err := c.reach(from)
		if err != nil {
			return nil, err
		}
		if ok && c.due < to {
			if err := c.load(); err != nil {
				return nil, err
			}
			s.seq.add(c)
		}
	}
	t.scans++
	return s, nil
}

// Ok reports whether there is a record.
func (s *Scan) Ok() bool { return s.seq.first != nil }

// Record is the record at hand. It is valid until Next.
func (s *Scan) Record() Record { return s.seq.first.rec }

// Next goes on to the next record.
func (s *Scan) Next() error {
	c := s.seq.first
	if c.run.count == 0 {
		s.seq.moved(false)
		return nil
	}
	more, err := c.next()
	s.seq.moved(more && c.due < s.to)
	return err
}

// Take removes the record at hand, once. It stays valid until Next.
func (s *Scan) Take() error {
	c := s.seq.first
	n := c.rec.length()
	s.taken += n
	return s.table.remove(c.run, c.at, c.rec.Hash, n)
}

// Close ends the walk.
func (s *Scan) Close() error {
	t := s.table
	t.scans--
	if s.taken == 0 {
		return nil
	}
	for _, r := range t.runs {
		if err := r.settle(); err != nil {
			return err
		}
	}
	return t.work(s.taken)
}

// reach puts c on the first living record that is due at from or later.
func (c *cursor) reach(from int64) (bool, error) {
	r := c.run
	if r.count == 0 {
		return false, nil
	}
	// The last place before which all is due earlier.
	lo, hi := 0, len(r.blocks)
	for lo < hi {
		if mid := (lo + hi) / 2; r.blocks[mid] < from {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	ok, err := c.seek(int64(max(0, lo-1)) * blockBytes)
	for ok && err == nil && c.due < from {
		if err = c.load(); err == nil { // so that the headers of the next ones are read with it
			ok, err = c.seek(c.at + unit)
		}
	}
	return ok && err == nil, err
}
