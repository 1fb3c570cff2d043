package statedir

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/watermark"
)

// View is what the folder of a statement says.
type View struct {
	Statement
	SQL string
	// Checkpoints are newest first. Aside are files that a run could not use and has set aside.
	Checkpoints []Checkpoint
	Aside       []string
	// Orphaned says that there is no checkpoint, only files that some referred to.
	Orphaned bool
}

// Checkpoint is one checkpoint of a statement.
type Checkpoint struct {
	ID   int64
	File string
	// Taken is when it was taken, by the wall clock, in microseconds; of one that does not say, when its file was written.
	Taken int64
	// Bytes are those of its file, Elsewhere those that it has in so many OlderFiles.
	Bytes, Elsewhere int64
	OlderFiles       int
	// Damage says what is wrong with the file, half a sentence; "" if nothing is. Then there is no Content.
	Damage  string
	Content *Content
}

// Content is what a whole checkpoint says.
type Content struct {
	Finished  bool
	Written   int64 // rows
	Sources   []Source
	Operators []Operator
	// Prepared is how many bytes the sinks need to bring to light what they have prepared.
	Prepared int64
}

// Source is one reading of a table.
type Source struct {
	runtime.SourceSnapshot
	// Instant says that its event time is an instant.
	Instant   bool
	Watermark watermark.Saved
}

// Operator is one operator.
type Operator struct {
	runtime.OperatorLabel
	// State says that it has state, of Size in so many Bytes.
	State bool
	Print string
	Size  struct{ Groups, Rows, Bytes int64 }
	// What became of its rows.
	In, Out, Dropped int64
}

// Look reads what is in the folder of a statement, and changes nothing, so that the statement may run meanwhile. Every byte of every checkpoint is checked.
func (s Statement) Look() (*View, error) {
	listing, err := checkpoint.Look(s.shelf())
	if err != nil {
		return nil, err
	}
	v := &View{Statement: s, SQL: s.SQL(), Aside: listing.Aside, Orphaned: listing.Orphaned()}
	for _, id := range slices.Backward(listing.IDs) {
		c, err := s.look(id)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the statement runs and keeps newer ones
		}
		if err != nil {
			return nil, err
		}
		v.Checkpoints = append(v.Checkpoints, c)
	}
	return v, nil
}

// Newest is the newest checkpoint that is whole, nil if there is none.
func (v *View) Newest() *Checkpoint {
	for i := range v.Checkpoints {
		if v.Checkpoints[i].Content != nil {
			return &v.Checkpoints[i]
		}
	}
	return nil
}

func (s Statement) look(id int64) (Checkpoint, error) {
	c := Checkpoint{ID: id, File: checkpoint.FileName(id)}
	info, err := os.Stat(filepath.Join(s.Path, checkpoints, c.File))
	if err != nil {
		return c, err
	}
	c.Taken, c.Bytes = info.ModTime().UnixMicro(), info.Size()
	r, err := checkpoint.Read(s.shelf(), id)
	if err == nil {
		defer r.Close()
		err = r.Check()
	}
	var snapshot *runtime.Snapshot
	if err == nil {
		if snapshot, err = runtime.LoadOutline(r); err == nil {
			c.Content, err = contentOf(r, snapshot)
			c.Elsewhere, c.OlderFiles = r.Elsewhere()
		}
		if err != nil { // its bytes are what was written
			c.Damage = err.Error()
			return c, nil
		}
		if snapshot.About != nil {
			c.Taken = snapshot.About.Taken
		}
	}
	var damaged *checkpoint.Damaged
	if errors.As(err, &damaged) {
		c.Damage, err = damaged.Why, nil
	}
	return c, err
}

func contentOf(r *checkpoint.Reader, s *runtime.Snapshot) (*Content, error) {
	about := s.About
	if about == nil {
		about = &runtime.About{}
	}
	c := &Content{Finished: s.Finished, Written: s.Written, Prepared: runtime.SinkSize(r)}
	for i, x := range s.Sources {
		saved, err := watermark.ReadState(x.Core)
		if err != nil {
			return nil, err
		}
		c.Sources = append(c.Sources, Source{x, i < len(about.Instant) && about.Instant[i], saved})
	}
	if s.Finished { // nothing is left of them
		return c, nil
	}
	labels := slices.Clip(about.Operators)
	for id := range s.Counts {
		if !slices.ContainsFunc(labels, func(l runtime.OperatorLabel) bool { return l.ID == id }) {
			labels = append(labels, runtime.OperatorLabel{ID: id})
		}
	}
	slices.SortStableFunc(labels[len(about.Operators):], func(a, b runtime.OperatorLabel) int { return cmp.Compare(a.ID, b.ID) })
	for _, l := range labels {
		t := s.Counts[l.ID]
		o := Operator{OperatorLabel: l, In: t.In, Out: t.Out, Dropped: t.Dropped}
		if held := s.Operators[l.ID]; held != nil {
			o.State, o.Print = true, held.Print
			o.Size.Groups, o.Size.Rows, o.Size.Bytes = held.Size.Groups, held.Size.Rows, s.StateSize(r, l.ID)
		}
		c.Operators = append(c.Operators, o)
	}
	return c, nil
}
