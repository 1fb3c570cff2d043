package spill

// Writer adds records to a table one by one.
type Writer struct {
	table *Table
	run   *run
	bytes int64
	last  Record // its key is a copy
	some  bool
}

// Writer begins to add records. What a Writer has added is in the table at once; it is closed when it has added the last.
func (t *Table) Writer() *Writer { return &Writer{table: t} }

// Add adds a record of a key that is not in the table, behind the one that it added before in their order: by Due, then key group, then key.
func (w *Writer) Add(rec Record) error {
	if !w.inOrder(&rec) {
		panic("tidemark bug: records are spilled out of their order")
	}
	return w.add(&rec)
}

// Close says that there are no more.
func (w *Writer) Close() error {
	if err := w.end(); err != nil {
		return err
	}
	return w.table.work(max(w.bytes, stepBytes))
}

// inOrder reports whether a record may be behind what was added last.
func (w *Writer) inOrder(rec *Record) bool { return !w.some || compare(&w.last, rec) < 0 }

func (w *Writer) add(rec *Record) error {
	if w.run != nil && w.run.size > maxBytes-rec.length() {
		if err := w.end(); err != nil {
			return err
		}
	}
	if w.run == nil {
		r, err := w.table.newRun()
		if err != nil {
			return err
		}
		w.run = r
	}
	at, err := w.table.append(w.run, rec)
	if err != nil {
		return err
	}
	w.table.index.add(rec.Hash, w.run.address(at))
	w.table.len++
	w.bytes += w.run.size - at
	key := append(w.last.Key[:0], rec.Key...)
	w.last, w.some = *rec, true
	w.last.Key, w.last.Value = key, nil
	return nil
}

// end finishes the run.
func (w *Writer) end() error {
	if w.run == nil {
		return nil
	}
	err := w.run.finish()
	w.run = nil
	return err
}

// append writes a record to the end of a run of the table, without an entry in the index.
func (t *Table) append(r *run, rec *Record) (at int64, err error) {
	before := r.size
	at, err = r.append(rec)
	t.size += r.size - before
	t.live += r.size - before
	return at, err
}
