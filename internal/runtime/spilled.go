package runtime

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/spill"
)

// limit gives operators that can do with less memory a table on the disk each, and divides the memory among them, if it is limited.
func (j *Job) limit() {
	memory := j.options.StateMemory
	if memory <= 0 {
		return
	}
	folder := j.options.SpillTo
	if folder == "" {
		random := make([]byte, 8)
		rand.Read(random)
		folder = filepath.Join(os.TempDir(), "tidemark-"+hex.EncodeToString(random))
	}
	j.spill = spill.In(folder)
	budget := spill.NewBudget(memory)
	for _, tasks := range j.tasks {
		for _, t := range tasks {
			t.tables = make([]*spill.Table, len(t.ops))
			for i, op := range t.ops {
				if s, ok := op.(dataflow.Spilling); ok {
					t.tables[i] = j.spill.Table()
					s.SpillTo(t.tables[i], budget.Share())
				}
			}
		}
	}
}

// closeSpill gives up what is on the disk, except for what snapshots have of it.
func (j *Job) closeSpill() error {
	if j.spill == nil {
		return nil
	}
	var err error
	for _, s := range j.partial {
		s.Release()
	}
	for _, tasks := range j.tasks {
		for _, t := range tasks {
			for _, table := range t.tables {
				if table != nil {
					err = errors.Join(err, table.Close())
				}
			}
		}
	}
	return errors.Join(err, j.spill.Close())
}

// freeze adds what operator i of t has on the disk.
func (o *OperatorSnapshot) freeze(t *task, i int) error {
	if t.tables == nil || t.tables[i] == nil {
		return nil
	}
	f, err := t.tables[i].Freeze()
	if err != nil {
		return err
	}
	o.frozen = append(o.frozen, f)
	return nil
}

// A run of records is in two sections: its bytes, which are the same in every checkpoint that has it, and which of its records live.
func runSection(id, run string) string   { return "operator/" + id + "/run/" + run }
func aliveSection(id, run string) string { return "operator/" + id + "/alive/" + run }

// saveRuns adds the sections of what operator id has on the disk, and notes what they are called.
func (o *OperatorSnapshot) saveRuns(w *checkpoint.Writer, id string) error {
	o.Runs = nil
	for _, f := range o.frozen {
		for i := range f.Runs {
			r := &f.Runs[i]
			if err := w.AddShared(runSection(id, r.Identity), r.Identity, r.Size, r.Open); err != nil {
				return err
			}
			w.Add(aliveSection(id, r.Identity), r.Alive())
			o.Runs = append(o.Runs, r.Identity)
		}
	}
	return nil
}

// restore gives operator i of t what there is in s of the keys that it owns.
func (o *OperatorSnapshot) restore(s *Snapshot, t *task, i int, owns func(hash uint64) bool) error {
	op := t.ops[i].(dataflow.Stateful)
	if err := op.Restore(o.Parts, owns); err != nil {
		return err
	}
	spilling, ok := op.(dataflow.Spilling)
	if !ok {
		return nil
	}
	err := o.eachRun(s.from, t.spec.Chain[i].ID, func(data io.Reader, alive []byte) error {
		if t.tables != nil {
			return t.tables[i].Restore(data, alive, owns)
		}
		return spill.Records(data, alive, func(r spill.Record) error {
			if !owns(r.Hash) {
				return nil
			}
			return spilling.RestoreRecord(r)
		})
	})
	if err != nil {
		return err
	}
	return spilling.Restored()
}

// eachRun shows what operator id had on the disk: that of a snapshot that was not saved, or what from has of it.
func (o *OperatorSnapshot) eachRun(from *checkpoint.Reader, id string, show func(data io.Reader, alive []byte) error) error {
	for _, f := range o.frozen {
		for i := range f.Runs {
			if err := show(f.Runs[i].Open(), f.Runs[i].Alive()); err != nil {
				return err
			}
		}
	}
	if len(o.frozen) > 0 {
		return nil
	}
	for _, run := range o.Runs {
		alive, err := from.Section(aliveSection(id, run))
		if err != nil {
			return err
		}
		data, err := from.Stream(runSection(id, run))
		if err != nil {
			return err
		}
		if err := show(data, alive); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, data); err != nil { // at its end it is told whether it is whole
			return err
		}
	}
	return nil
}
