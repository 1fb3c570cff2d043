package connector

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Source is a table being read by one statement.
type Source interface {
	// Open finds the splits. The order is part of what makes a replay deterministic: it must not vary between runs over the same data.
	Open() ([]Split, error)
	// NewDecoder makes a decoder for one worker.
	NewDecoder() (Decoder, error)
	// Bounded reports whether every split ends by itself.
	Bounded() bool
}

// Growing sources get more splits while they are read: files that appear in a folder, partitions that are added to a topic. Only a source that is
// not Bounded is asked, so the splits of a replay are those that Open found.
type Growing interface {
	// Discover returns the splits that came since Open or the last call, in the order in which they are numbered from then on, and when to ask
	// again (wall clock, microseconds), later than now. Its goroutine is the one that polls all splits of the statement, so it must not wait for a network.
	//
	// The name of a split is its identity: what a snapshot knows by that name goes on where it was, and is not new. A split is closed when its end has been read,
	// and of those that make room for others only the SplitID is kept.
	Discover(now int64) (splits []Split, wake int64, err error)
}

// Rewinder is a Split of a Growing source that may not begin with its first row. One that came after a snapshot, and that Open finds when reading
// goes on from there, begins like one that Discover finds: with its first row.
type Rewinder interface {
	// Rewind goes to the first row that there is; it comes before the first Poll.
	Rewind() error
}

// Live sources know by themselves when there is something to read. Their splits answer Poll with Never while they have nothing.
type Live interface {
	// Listen is called before Open. From then on the source sends to arrived, without ever waiting, when a split that had nothing may have
	// something, or Discover may.
	Listen(arrived chan<- struct{})
	// Close ends what goes on beside the reading, and waits for it. It is called when the splits are closed, also if Open failed or never ran.
	Close() error
}

// Split is a part of a source whose rows have an order. One call at a time, except for Name, which may be asked at any time.
type Split interface {
	// Name tells people which split it is: a file, a partition.
	Name() string
	// Poll hands out the next chunk, or nil if there is none at now (wall clock, microseconds); wake is then when to ask again, later than
	// now. It returns io.EOF behind the last chunk.
	//
	// In a replay the splits take turns in an order that depends on the rows alone, and one whose turn it is holds up the others until it has
	// something: the clock does not decide what is read first. So where a chunk of a bounded source ends must depend on the rows alone as well;
	// a split that would rather hand out what there is hands out a Part.
	Poll(now int64) (c Chunk, wake int64, err error)
	// Offset is the position behind the last chunk handed out, in the split's own unit; Resume goes to one.
	Offset() int64
	Resume(offset int64) error
	Close() error
}

// Originated is a Split of something that can be taken away and made anew under its name, after which offsets mean something else: a topic.
type Originated interface {
	// Position is the Offset together with what tells the thing in which it is one from others that have its name; that is empty if nobody knows.
	Position() (offset int64, origin []byte)
	// ResumeIn comes in place of Resume. If origin is not empty, and not the one that there is, the offset means nothing.
	ResumeIn(origin []byte, offset int64) error
}

// Pausing splits are told when they are not read for a while because they are ahead of others, so that they stop fetching. What they have they keep. Pause may
// be called while Poll runs.
type Pausing interface{ Pause(paused bool) }

// Watched splits read from somewhere else and know how that goes. All methods may be called while Poll runs.
type Watched interface {
	// Group names the splits that are out of reach together, such as those of a data centre; it may be empty.
	Group() string
	// Reads tells what came of reading since it was asked last.
	Reads() Reads
}

// Reads is what came of reading in some time.
type Reads struct {
	// Failed and Worked are about the last try; neither is set if none came to its end.
	Failed, Worked bool
	// Empty says that whoever has the rows has none beyond those that Poll handed out.
	Empty bool
}

// Tenacious sources end with an error when they cannot read for some time, unless they are told to go on trying for ever. It comes before Open.
type Tenacious interface{ KeepTrying() }

// Never is the wake-up time of a split that does not know it: a Live source tells when; else only a person can bring it to go on, by the next
// step of a job that is driven by hand.
const Never = math.MaxInt64

// Chunk is rows still to be decoded. What is in it is between a split and the Decoder of the same source.
type Chunk interface {
	// Size is how many bytes of the source it stands for, 0 if that means nothing.
	Size() int64
}

// Part is a Chunk that need not end its split's turn in a replay. After one that does not, the split is asked again before any other: a turn is
// so many chunks as it comes in, and where it ends depends on the rows alone. The end of the split ends it too. Only a split that cannot be
// resumed hands out parts, for a snapshot does not know of turns.
type Part interface {
	Chunk
	// EndsTurn reports whether others may be read after this chunk.
	EndsTurn() bool
}

// Written is a Chunk that knows when its first row and its last were written, by the clock of whoever keeps them, in microseconds. Those of others count as written when they are read.
type Written interface {
	Chunk
	Written() (first, last int64)
}

// Decoder turns chunks into rows. It has one owner and may keep scratch memory and what it learned between chunks, but not let that show in
// the rows.
type Decoder interface {
	// Decode gives the rows of c in order, at most maxRows to a batch, each batch in an arena of its own from memory. It gives a batch
	// away by calling each, and stops at the first error.
	Decode(c Chunk, memory *vector.Pool, maxRows int, each func(b *vector.Batch) error) (Decoded, error)
}

// Decoded tells what a chunk held beside its rows.
type Decoded struct {
	Skipped int64 // malformed rows that were left out because the table says so
	// Misread are the records among them, if the table keeps those; nil if there are none.
	Misread []Misread
}

// Backlogged splits know how much they have that Poll has not handed out. They may be asked at any time, from any goroutine.
type Backlogged interface{ Backlog() Backlog }

// Backlog is what is left to be read now; -1 is what nobody knows.
type Backlog struct{ Records, Bytes int64 }

// Add adds c to b. What is known of one of them alone is left.
func (b *Backlog) Add(c Backlog) {
	b.Records, b.Bytes = addKnown(b.Records, c.Records), addKnown(b.Bytes, c.Bytes)
}

func addKnown(a, b int64) int64 {
	switch {
	case a < 0:
		return b
	case b < 0:
		return a
	}
	return a + b
}

// Sized sources know how many bytes there are to read in all, for a percentage.
type Sized interface{ Size() int64 }
