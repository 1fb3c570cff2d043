package handover

import (
	"slices"
	"sort"

	"github.com/tidemark-sql/tidemark/watermark"
)

// Upstream is what all writers of one topic have promised. It belongs to one goroutine at a time.
//
// Whoever has read a partition up to an offset knows of each writer the newest promise whose rows it has read there. The frontier is the least of those that are Open; if there are none, the greatest of those that
// are Idle or Ended, and then others need not wait either. A writer that has Stopped is left out, and so is one that has lapsed: others have written long after it was last heard of. If all are left out, it
// is what the last of them promised.
type Upstream struct {
	timeout    int64 // microseconds
	clock      int64 // the newest time of a record
	partitions int32 // those that are read
	writers    []*writer
}

type writer struct {
	name     Writer
	promises []Promise // the oldest first; none is empty
	heard    int64     // when the last one came
	lapsed   bool
	retired  bool            // its record is there no more
	fence    map[int32]int64 // where the partitions ended after it had lapsed; nil before that is known
}

// NewUpstream makes one that nobody has promised anything. A writer lapses after so many microseconds, by the times of the records of all.
func NewUpstream(timeout int64) *Upstream { return &Upstream{timeout: timeout} }

// SetPartitions says that the partitions below n are read. Promises about others count only once those are read too: what is in them is not.
func (u *Upstream) SetPartitions(n int32) { u.partitions = n }

// Take notes a promise that came at a time, microseconds by the clock of the log. They come in the order in which they were written.
func (u *Upstream) Take(w Writer, p Promise, at int64) {
	u.clock = max(u.clock, at)
	for i, x := range u.writers {
		if x.name == w {
			x.promises = append(x.promises, p)
			x.heard, x.lapsed, x.retired, x.fence = at, false, false, nil
			// The last to be heard of is the last in the list.
			u.writers = append(append(u.writers[:i:i], u.writers[i+1:]...), x)
			return
		}
	}
	u.writers = append(u.writers, &writer{name: w, promises: []Promise{p}, heard: at})
}

// Tick says that somebody, of this topic or another, wrote a record then.
func (u *Upstream) Tick(at int64) { u.clock = max(u.clock, at) }

// Retire notes that the record of a writer was taken out of the topic: whoever comes later need not know of it. Here it counts until all its rows have been read.
func (u *Upstream) Retire(w Writer) {
	for _, x := range u.writers {
		if x.name == w {
			x.retired = true
		}
	}
}

// Lapse finds writers that have lapsed, and reports whether there are any of which it is not known where the partitions ended then: Fence is to be told.
func (u *Upstream) Lapse() bool {
	found := false
	for _, w := range u.writers {
		last := w.promises[len(w.promises)-1]
		if last.State <= Idle && u.clock-w.heard >= u.timeout {
			w.lapsed = true
			found = found || w.fence == nil
		}
	}
	return found
}

// Fence tells where the partitions end, asked for after Lapse. What writers that had lapsed have written lies before.
func (u *Upstream) Fence(ends map[int32]int64) {
	for _, w := range u.writers {
		if w.lapsed && w.fence == nil {
			w.fence = ends
		}
	}
}

// Unread reports whether somebody has written to a partition that is not read.
func (u *Upstream) Unread() bool {
	for _, w := range u.writers {
		last := w.promises[len(w.promises)-1]
		if n := len(last.Ends); n > 0 && last.Ends[n-1].Partition >= u.partitions {
			return true
		}
	}
	return false
}

// At is what holds for the rows of a partition from an offset on.
func (u *Upstream) At(partition int32, offset int64) watermark.Handover {
	least, most, left := watermark.Final, watermark.Unset, watermark.Unset
	var holder, rests, leaver *writer
	for _, w := range u.writers {
		p := w.at(partition, offset, u.partitions)
		switch {
		case p.State == Stopped || w.left(partition, offset):
			left, leaver = p.Frontier, w
		case p.State == Open:
			if p.Frontier < least {
				least, holder = p.Frontier, w
			}
		case rests == nil || p.Frontier > most:
			most, rests = p.Frontier, w
		}
	}
	switch {
	case holder != nil:
		return watermark.Handover{Frontier: least, Active: true, Writer: holder.name.String()}
	case rests != nil:
		return watermark.Handover{Frontier: most, Writer: rests.name.String()}
	case leaver != nil:
		return watermark.Handover{Frontier: left, Active: true, Writer: leaver.name.String()}
	}
	return watermark.Handover{Frontier: watermark.Unset, Active: true}
}

// at is the newest promise whose rows have been read, or that of a writer that has promised nothing.
func (w *writer) at(partition int32, offset int64, partitions int32) Promise {
	n := sort.Search(len(w.promises), func(i int) bool {
		p := &w.promises[i]
		known := len(p.Ends) == 0 || p.Ends[len(p.Ends)-1].Partition < partitions
		return !known || !p.reached(partition, offset)
	})
	if n == 0 {
		return Promise{Frontier: watermark.Unset}
	}
	return w.promises[n-1]
}

// left reports whether w has lapsed and everything that it may have written has been read.
func (w *writer) left(partition int32, offset int64) bool {
	end, known := w.fence[partition]
	return w.lapsed && known && end <= offset
}

// over reports whether w has gone, and all that it may have written was read.
func (w *writer) over(read map[int32]int64) bool {
	last := &w.promises[len(w.promises)-1]
	if last.State <= Idle {
		if w.fence == nil {
			return false
		}
		for partition, offset := range w.fence {
			if at, known := read[partition]; !known || at < offset {
				return false
			}
		}
	}
	for _, e := range last.Ends {
		if at, known := read[e.Partition]; !known || at < e.Offset {
			return false
		}
	}
	return true
}

// maxPromises is how many promises of a writer are kept.
const maxPromises = 1024

// Prune drops what nobody needs who has read the partitions so far, or only to see a frontier a little earlier.
func (u *Upstream) Prune(read map[int32]int64) {
	u.writers = slices.DeleteFunc(u.writers, func(w *writer) bool { return w.retired && w.over(read) })
	for _, w := range u.writers {
		oldest := len(w.promises) - 1
		for partition, offset := range read {
			n := sort.Search(len(w.promises), func(i int) bool { return !w.promises[i].reached(partition, offset) })
			oldest = min(oldest, max(n-1, 0))
		}
		w.promises = w.promises[oldest:]
		if len(w.promises) <= maxPromises {
			continue
		}
		var kept []Promise
		for i, p := range w.promises {
			if i%2 == 1 || i == 0 || i == len(w.promises)-1 {
				kept = append(kept, p)
			}
		}
		w.promises = kept
	}
}
