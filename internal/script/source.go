package script

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/handover"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// connectorName is the connector of tables that a script feeds or, behind an INSERT, sees.
const connectorName = "script"

const maxSplits = 100_000

// The metadata of a row of a script.
const (
	metadataSplit   = "split"
	metadataArrival = "arrival"
	metadataOffset  = "offset"
)

// connector makes the registry row of 'script', whose tables read from the feed of r and write to its output.
func (r *rig) connector() connector.Connector {
	return connector.Connector{
		Name: connectorName,
		Doc:  "rows of a test script, see docs/testing.md",
		Specs: append([]connector.Spec{
			{Key: startKey, Values: []string{"earliest-offset", "latest-offset", "timestamp"}, Doc: "accepted and of no effect: a script has no rows from before it began"},
			{Key: startTimeKey, Doc: "likewise"},
			{Key: "splits", Doc: "how many splits the table has; default 1"},
			{Key: "bounded", Doc: "false: a live table, whose watermark follows the wall clock; default true: a replay, whose watermark follows the rows"},
			{Key: "groups", Doc: "the group of each split, in order and with commas between; splits of one group are out of reach together"},
			{Key: "changelog", Values: []string{"insert", "upsert", "retract"}, Doc: "which changes its rows stand for; default insert. Rows of the others begin with their change, such as -U"},
		}, format.Specs("")...),
		Yields: func(_ connector.Table, o connector.Options) connector.Changelog { return changelogOf(o) },
		Takes: func(t connector.Table, o connector.Options) connector.Changelog {
			if ofMessages(o) {
				return changelogOf(o)
			}
			return connector.AllChanges(t, o)
		},
		FormatMetadata: format.Metadata,
		Recast: func(o connector.Options, name string, own connector.Options) connector.Options {
			return format.Recast(o, "", name, own)
		},
		HandsOver: true,
		Metadata: []connector.MetadataColumn{
			{Key: metadataSplit, Type: types.Type{Kind: types.Int, NotNull: true}, Split: true, Doc: "the number of the split that the row came by"},
			{Key: metadataArrival, Type: types.Type{Kind: types.TimestampLTZ, Precision: 3, NotNull: true}, Writable: true, Timestamp: true, Doc: "what the clock showed then; in a table that is written, a column like any other. Of a message it is when it was written"},
			{Key: metadataOffset, Type: types.Type{Kind: types.BigInt, NotNull: true}, Position: true, Doc: "how many rows or messages of the split came before"},
		},
		Snapshot: func(o connector.Options) connector.Options {
			delete(o, "bounded")
			return o
		},
		Inferred: r.inferred(),
		Drop: func(t connector.Table, _ connector.Options) error {
			delete(r.topics, t.Name)
			return nil
		},
		NewSource: r.newSource,
		NewSink: func(t connector.Table, o connector.Options) (connector.Sink, error) {
			if ofMessages(o) {
				return newMessageSink(t, o, &r.output)
			}
			s := r.output.sink(t.Schema)
			if t.HandedOver == "" {
				return s, nil
			}
			return &promisingSink{s, &r.output, r.output.promise(t)}, nil
		},
	}
}

// The options that say where in a topic reading begins.
const (
	startKey     = "scan.startup.mode"
	startTimeKey = "scan.startup.timestamp-millis"
)

// ofMessages reports whether rows are in messages of a format.
func ofMessages(o connector.Options) bool { return o["format"] != "" }

// changelogOf is the option 'changelog', or what the format tells.
func changelogOf(o connector.Options) connector.Changelog {
	if ofMessages(o) {
		return format.Changelog(o, "")
	}
	return map[string]connector.Changelog{"upsert": connector.Upsert, "retract": connector.Retract}[o["changelog"]]
}

func (r *rig) newSource(t connector.Table, o connector.Options) (connector.Source, error) {
	splits, err := o.Int("splits", 1)
	if err != nil {
		return nil, err
	}
	if splits < 1 || splits > maxSplits {
		return nil, &connector.OptionError{Key: "splits", Message: fmt.Sprintf("a table cannot have %d splits", splits),
			Hint: fmt.Sprintf("write 1 to %d", maxSplits)}
	}
	bounded, err := o.Bool("bounded", true)
	if err != nil {
		return nil, err
	}
	groups, err := groupsOf(o, int(splits))
	if err != nil {
		return nil, err
	}
	declared := r.feed.declare(t, int(splits), bounded, ofMessages(o), changelogOf(o))
	declared.groups = groups
	if t.HandedOver != "" && declared.upstream == nil {
		timeout, err := o.Duration(connector.OptionHandoverTimeout, connector.DefaultHandoverTimeout)
		if err != nil {
			return nil, err
		}
		declared.upstream = handover.NewUpstream(timeout)
		declared.upstream.SetPartitions(int32(splits))
	}
	from := &reader{feed: &r.feed, table: declared, decoder: func() (connector.Decoder, error) {
		return &decoder{table: t.Name, needed: t.Needed, fields: t.Fields(), errors: o[connector.OptionErrors]}, nil
	}}
	if ofMessages(o) {
		from.layout, from.decoder = layoutOf(t, o), func() (connector.Decoder, error) { return newMessages(t, o) }
		_, err = from.decoder()
	}
	return from, err
}

// groupsOf is the option 'groups'.
func groupsOf(o connector.Options, splits int) ([]string, error) {
	text, ok := o["groups"]
	if !ok {
		return nil, nil
	}
	groups := strings.Split(text, ",")
	if len(groups) != splits {
		return nil, &connector.OptionError{Key: "groups", Message: fmt.Sprintf("'groups' names %d for %d splits", len(groups), splits), Hint: "name the group of every split, such as 'east, east, west'"}
	}
	for i := range groups {
		groups[i] = strings.TrimSpace(groups[i])
	}
	return groups, nil
}

// reader is the connector.Source of one scan.
type reader struct {
	feed    *feed
	table   *table
	layout  string // of messages
	decoder func() (connector.Decoder, error)
}

func (r *reader) Open() ([]connector.Split, error) {
	splits := make([]connector.Split, len(r.table.splits))
	for i := range splits {
		s := &split{feed: r.feed, table: r.table, layout: r.layout, number: i}
		r.feed.readers = append(r.feed.readers, s)
		splits[i] = s
	}
	return splits, nil
}

func (r *reader) Bounded() bool { return r.table.bounded }

func (r *reader) NewDecoder() (connector.Decoder, error) {
	return r.decoder()
}

// split reads one split. Its offset counts arrivals.
type split struct {
	feed   *feed
	table  *table
	layout string
	number int
	at     int
	done   bool
	// resumed says that the job has set the split back to where a snapshot was taken.
	resumed bool
	paused  atomic.Bool
}

// Pause implements connector.Pausing: what comes by the other splits does not wait for it.
func (s *split) Pause(paused bool) { s.paused.Store(paused) }

// Group implements connector.Watched.
func (s *split) Group() string {
	if s.table.groups == nil {
		return ""
	}
	return s.table.groups[s.number]
}

// Reads implements connector.Watched: a split that is not down was asked just now.
func (s *split) Reads() connector.Reads {
	if s.table.down[s.number] {
		return connector.Reads{Failed: true}
	}
	return connector.Reads{Worked: true, Empty: s.at == len(s.table.splits[s.number])}
}

func (s *split) Name() string { return splitName(s.number) }

func splitName(number int) string { return fmt.Sprintf("split %d", number) }

// peek is the next arrival of the split.
func (s *split) peek() (arrival, bool) {
	all := s.table.splits[s.number]
	if s.done || s.paused.Load() || s.table.held[s.number] || s.table.down[s.number] || s.at == len(all) {
		return arrival{}, false
	}
	return all[s.at], true
}

// Poll hands out the next arrival if everything that came before it has been read.
func (s *split) Poll(int64) (connector.Chunk, int64, error) {
	a, more := s.peek()
	if !more {
		return nil, connector.Never, nil
	}
	if turn, _ := s.feed.next(); turn < a.number {
		return nil, connector.Never, nil
	}
	s.at++
	if a.end {
		s.done = true
		return nil, connector.Never, io.EOF
	}
	return chunk{a, s.number}, 0, nil
}

func (s *split) Offset() int64 { return int64(s.at) }

func (s *split) Resume(offset int64) error {
	s.at, s.resumed = int(offset), true
	return nil
}

func (s *split) Close() error { return nil }

// chunk is rows with the values of all physical columns, or messages, and the split that they came by.
type chunk struct {
	arrival
	split int
}

// Size is 0: a script has no bytes.
func (chunk) Size() int64 { return 0 }

// Written implements connector.Written: rows are written when they arrive, also if they are read later or once more.
func (c chunk) Written() (first, last int64) { return c.at, c.at }

type decoder struct {
	table  string
	needed []int
	fields types.Schema
	errors string
}

func (d *decoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	var out connector.Decoded
	for rest := c.(chunk).rows; len(rest) > 0; {
		if bad := rest[0].unread; bad != nil {
			if d.errors != "ignore" && d.errors != connector.LogErrors {
				return out, fault.Errorf(fault.Data, "the record cannot be read: %s", bad.text)
			}
			out.Skipped++
			if d.errors == connector.LogErrors {
				out.Misread = append(out.Misread, connector.Misread{Code: connector.MisreadValue, Message: "the script says so", Origin: d.table, Offset: bad.at, Value: []byte(bad.text)})
			}
			rest = rest[1:]
			continue
		}
		n := 1
		for n < min(len(rest), maxRows) && rest[n].unread == nil {
			n++
		}
		if err := each(d.batch(rest[:n], memory.Get())); err != nil {
			return out, err
		}
		rest = rest[n:]
	}
	return out, nil
}

func (d *decoder) batch(rows []fedRow, a *vector.Arena) *vector.Batch {
	cols := a.Columns(len(d.needed))
	for i, n := range d.needed {
		b := vector.NewBuilder(a, vector.KindOf(d.fields[i].Type), len(rows))
		for _, row := range rows {
			appendCell(b, d.fields[i].Type, row.cells[n])
		}
		cols[i] = b.Done()
	}
	b := &vector.Batch{Cols: cols, N: len(rows), Arena: a}
	for i, row := range rows {
		if row.op != vector.Insert && b.Ops == nil {
			b.Ops = make([]vector.Op, len(rows))
		}
		if b.Ops != nil {
			b.Ops[i] = row.op
		}
	}
	return b
}

func appendCell(b *vector.Builder, t types.Type, c cell) {
	switch {
	case c.null:
		b.AppendNull()
	case t.Kind == types.Boolean:
		b.AppendBool(c.number != 0)
	case t.IsApproximate():
		b.AppendFloat(c.double)
	case t.Kind == types.Decimal:
		b.AppendDigits(c.digits)
	case t.IsText(), t.IsBytes():
		b.AppendBytes([]byte(c.text))
	default:
		b.AppendInt(c.number)
	}
}
