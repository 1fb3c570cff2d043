package spill

import "errors"

// ErrEnough is what the function given to TakeDue returns to say that it wants no more for now. The record it was shown is taken.
var ErrEnough = errors.New("enough records")

// Next is when the record is due that is due first of all; ok is false if there is none.
func (t *Table) Next() (due int64, ok bool) {
	due = Never
	for _, r := range t.runs {
		if r.count > 0 {
			due, ok = min(due, r.head.due), true
		}
	}
	return due, ok
}

// TakeDue removes the records that are due until a time, that included, and shows them in their order. A record is valid during the call, which must not use the table. If each fails, its record
// stays, except that ErrEnough only ends the showing.
func (t *Table) TakeDue(until int64, each func(Record) error) error {
	if next, ok := t.Next(); !ok || next > until {
		return nil
	}
	t.due = sequence{rest: t.due.rest[:0]}
	for _, r := range t.runs {
		if r.count == 0 || r.head.due > until {
			continue
		}
		if err := r.head.load(); err != nil {
			return err
		}
		t.due.add(&r.head)
	}
	var taken int64
	for c := t.due.first; c != nil && c.rec.Due <= until; c = t.due.first {
		err := each(c.rec)
		if err != nil && err != ErrEnough {
			return err
		}
		n := c.rec.length()
		taken += n
		if err := t.remove(c.run, c.at, c.rec.Hash, n); err != nil {
			return err
		}
		more, failed := false, error(nil)
		if c.run.count > 0 {
			more, failed = c.next()
		}
		if failed != nil {
			return failed
		}
		t.due.moved(more)
		if err == ErrEnough {
			break
		}
	}
	return t.work(taken)
}
