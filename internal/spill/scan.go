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
	return nil
}

// Scan is a walk through records of a table in their order. It is valid until the table changes; several may go on at the same time.
type Scan struct {
	to  int64
	seq sequence
}

// Scan begins a walk through the records with from <= Due < to.
func (t *Table) Scan(from, to int64) (*Scan, error) {
	s := &Scan{to: to}
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
	return s, nil
}

// Ok reports whether there is a record.
func (s *Scan) Ok() bool { return s.seq.first != nil }

// Record is the record at hand. It is valid until Next.
func (s *Scan) Record() Record { return s.seq.first.rec }

// Next goes on to the next record.
func (s *Scan) Next() error {
	more, err := s.seq.first.next()
	s.seq.moved(more && s.seq.first.due < s.to)
	return err
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
	at := max(r.head.at, int64(max(0, lo-1))*blockBytes)
	ok, err := c.seek(at)
	for ok && err == nil && c.due < from {
		if err = c.load(); err == nil { // so that the headers of the next ones are read with it
			ok, err = c.seek(c.at + unit)
		}
	}
	return ok && err == nil, err
}
