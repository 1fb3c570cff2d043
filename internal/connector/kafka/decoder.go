package kafka

import (
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// decoder makes rows of the records of chunks.
type decoder struct {
	config     *config
	codec      kgo.Decompressor
	key, value format.Decoder // key is nil if nobody needs it
	keyAt      []int          // columns of a batch
	valueAt    []int
	columns    int // of a batch
	metadata   []metadataColumn
	raw        bool // somebody reads the bytes that the decoders write into
	logs       bool // records that cannot be read are kept
	filled     bool // a record without a value has one without bytes: the column cannot be NULL
	left       []connector.Misread

	records []record // of the chunk at hand
	// Of the batch at hand, by row:
	from   []int   // which record it is of
	values []int32 // which row of the value decoder, or absent
	keys   []int32 // likewise of the key decoder
}

// absent is the row of a decoder that gives NULLs.
const absent = -1

// metadataColumn is a column of a batch that shows metadata.
type metadataColumn struct {
	at  int
	key *metadata
}

func newDecoder(c *config, l *layout, t connector.Table) (*decoder, error) {
	d := &decoder{config: c, codec: kgo.DefaultDecompressor(), columns: len(t.Needed), logs: c.valueFormat.Logs()}
	d.raw = d.logs
	d.filled = c.valueFormat.Nulls && len(l.value.fields) == 1 && l.value.fields[0].Type.NotNull
	needed, at := l.value.needed(t.Needed)
	var told []string
	for k, column := range t.Needed {
		if key, ok := l.told[column]; ok {
			told, at = append(told, key), append(at, k)
		}
	}
	d.valueAt = at
	var err error
	if d.value, err = c.valueFormat.NewDecoder(l.value.fields, needed, told...); err != nil {
		return nil, err
	}
	// The columns of the key may be in the value too. There they are the same; but a tombstone has them in the key alone.
	if needed, at = l.key.needed(t.Needed); len(needed) > 0 && (c.exceptKey || c.changes == upserts) {
		d.keyAt = at
		if d.key, err = c.keyFormat.NewDecoder(l.key.fields, needed); err != nil {
			return nil, err
		}
	}
	for at, column := range t.Needed {
		if name, ok := l.metadata[column]; ok {
			m := findMetadata(name)
			d.metadata = append(d.metadata, metadataColumn{at, m})
			d.raw = d.raw || m.raw
		}
	}
	return d, nil
}

func (d *decoder) skipped() int64 {
	n := d.value.Skipped()
	if d.key != nil {
		n += d.key.Skipped()
	}
	return n
}

func (d *decoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	before := d.skipped()
	d.left = nil
	err := d.decode(c.(*chunk), memory, maxRows, each)
	return connector.Decoded{Skipped: d.skipped() - before, Misread: d.left}, err
}

func (d *decoder) decode(c *chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) error {
	// Records that were sent uncompressed in one answer stand in one piece of memory, and are decoded where they are.
	home, whole := []byte(nil), true
	d.records = d.records[:0]
	for i, b := range c.batches {
		data, compressed, err := d.open(c, b)
		if err != nil {
			return err
		}
		switch {
		case i == 0 && compressed:
			home = data
		case i == 0:
			home = b
		case compressed:
			whole = false
		case whole:
			home, whole = join(home, b)
		}
		if err := d.walk(c, b, data, len(home)); err != nil {
			return err
		}
	}
	if !whole || d.raw {
		home = nil
	}
	for rest := d.records; len(rest) > 0; {
		b, taken, err := d.batch(c, memory.Get(), home, rest[:min(maxRows, len(rest))], maxRows)
		rest = rest[taken:]
		if b.N == 0 {
			b.Release()
		} else if wrong := each(b); wrong != nil {
			return wrong
		}
		if err != nil {
			return err
		}
	}
	clear(d.records)
	return nil
}

// join extends a by b if b follows it in memory.
func join(a, b []byte) ([]byte, bool) {
	if cap(a) < len(a)+len(b) || &a[:len(a)+1][len(a)] != &b[0] {
		return a, false
	}
	return a[:len(a)+len(b)], true
}

// open gives the records of b, decompressed if need be.
func (d *decoder) open(c *chunk, b batch) (data []byte, compressed bool, err error) {
	if !b.intact() {
		return nil, false, fault.Errorf(fault.External, "read %s at offset %d: the record batch was damaged on its way or on the broker's disk: its checksum is wrong", c.partition.Name(), b.base())
	}
	codec := b.attributes() & codecBits
	if codec == 0 {
		return b[recordsAt:], false, nil
	}
	if data, err = d.codec.Decompress(b[recordsAt:], kgo.CompressionCodecType(codec)); err != nil {
		return nil, false, fault.Errorf(fault.External, "read %s at offset %d: decompress: %w", c.partition.Name(), b.base(), err)
	}
	return data, true, nil
}

// walk collects the records of b that are part of c. They are data, which ends at end of the memory that is decoded.
func (d *decoder) walk(c *chunk, b batch, data []byte, end int) error {
	w := walk{data, end}
	base, first, stamped := b.base(), b.firstTime(), b.attributes()&logAppendTime != 0
	for range b.count() {
		n := len(d.records)
		d.records = slices.Grow(d.records, 1)[:n+1]
		r := &d.records[n]
		if !w.record(r) {
			return fault.Errorf(fault.External, "read %s at offset %d: %w", c.partition.Name(), base, errBatch)
		}
		r.offset += base
		r.timestamp += first
		r.batch = b
		if stamped {
			r.timestamp = b.maxTime()
		}
		if r.offset < c.from || r.offset >= c.to {
			d.records = d.records[:n]
		}
	}
	return nil
}

// batch decodes records until it has maxRows rows, and tells how many it took. home is the memory that they all stand in; nil if they have to be
// brought into one first. If there is an error the batch holds the rows before it.
func (d *decoder) batch(c *chunk, a *vector.Arena, home []byte, records []record, maxRows int) (b *vector.Batch, taken int, err error) {
	if home == nil {
		home = d.gather(a, records)
	}
	b = &vector.Batch{Cols: a.Columns(d.columns), Arena: a}
	if d.config.changes != appendOnly {
		b.Ops = make([]vector.Op, 0, len(records))
	}
	d.from, d.values = d.from[:0], d.values[:0]
	d.value.Begin(a, home, len(records))
	decoded := int32(0)
	for ; taken < len(records) && len(d.from) < maxRows; taken++ {
		r := &records[taken]
		op, there, wrong := d.change(c, r)
		if wrong != nil {
			err = wrong
			break
		}
		if !there {
			continue
		}
		n := 1
		if r.value == nil && !d.filled {
			d.values = append(d.values, absent)
		} else {
			if n, err = d.value.Read(r.valueAt, r.valueAt+len(r.value)); err != nil {
				err = explain(c, r, "", err)
				break
			}
			if d.logs {
				d.keep(c, r, d.value)
			}
			for range n {
				d.values = append(d.values, decoded)
				decoded++
			}
		}
		for range n {
			d.from = append(d.from, taken)
			if b.Ops != nil {
				b.Ops = append(b.Ops, op)
			}
		}
	}
	values := d.value.End()
	var keys *vector.Batch
	if d.key != nil {
		var wrong error
		if keys, wrong = d.readKeys(c, a, home, records); wrong != nil {
			err = wrong
		}
	}
	b.N = len(d.from)
	if b.Ops != nil {
		b.Ops = b.Ops[:b.N]
	} else if values.Ops != nil {
		b.Ops = values.Ops[:b.N] // no record without a value is a row here
	}
	put(b, values, d.valueAt, d.values[:b.N])
	if keys != nil {
		put(b, keys, d.keyAt, d.keys)
	}
	for _, m := range d.metadata {
		b.Cols[m.at] = m.key.read(a, c, records, d.from)
	}
	return b, taken, err
}

// change tells what record r does, and whether it is any row.
func (d *decoder) change(c *chunk, r *record) (op vector.Op, there bool, err error) {
	switch {
	case d.config.changes == upserts && r.value == nil:
		return vector.Delete, true, nil
	case d.config.changes == upserts:
		return vector.UpdateAfter, true, nil
	case r.value == nil && !d.config.valueFormat.Nulls:
		return vector.Insert, false, nil // Flink 2.3: no row
	case d.config.changes == appendOnly:
		return vector.Insert, true, nil
	}
	op, ok := opOf(r.headers, r.count)
	if !ok {
		return op, false, fault.Errorf(fault.Data, "%s offset %d: the header '%s' is none of the bytes 0 to 3; 'changelog.mode' = 'append' reads changes as rows", c.partition.Name(), r.offset, opHeader)
	}
	return op, true, nil
}

// readKeys decodes the keys of the rows that there are, in d.keys. At an error it takes back the rows from that record on.
func (d *decoder) readKeys(c *chunk, a *vector.Arena, home []byte, records []record) (keys *vector.Batch, err error) {
	d.keys = d.keys[:0]
	d.key.Begin(a, home, len(records))
	decoded, last := int32(0), -1
	for row, k := range d.from {
		if k == last {
			d.keys = append(d.keys, d.keys[row-1]) // one more row of the same record
			continue
		}
		last = k
		r := &records[k]
		n := 0
		if r.key != nil {
			if n, err = d.key.Read(r.keyAt, r.keyAt+len(r.key)); err != nil {
				d.from = d.from[:row]
				return d.key.End(), explain(c, r, "the key: ", err)
			}
			if d.logs {
				d.keep(c, r, d.key)
			}
		}
		if n == 0 {
			d.keys = append(d.keys, absent)
			continue
		}
		d.keys = append(d.keys, decoded)
		decoded += int32(n)
	}
	return d.key.End(), nil
}

// gather copies what the decoders read to one piece of memory.
func (d *decoder) gather(a *vector.Arena, records []record) []byte {
	total := 0
	for i := range records {
		total += len(records[i].key) + len(records[i].value)
	}
	home := a.Bytes(total)
	at := 0
	for i := range records {
		r := &records[i]
		if d.key != nil {
			r.keyAt = at
			at += copy(home[at:], r.key)
		}
		r.valueAt = at
		at += copy(home[at:], r.value)
	}
	return home
}

// put gives b the columns of part, whose rows are those that rows names.
func put(b, part *vector.Batch, at []int, rows []int32) {
	same, nulls := part.N == len(rows), false
	for i, r := range rows {
		same = same && r == int32(i)
		nulls = nulls || r == absent
	}
	for i, k := range at {
		v := part.Cols[i]
		switch {
		case same:
		case part.N == 0:
			v = b.Arena.NullConstant(v.Kind)
		case nulls:
			v = v.Take(b.Arena, present(rows))
			if v.Valid == nil {
				v.Valid = b.Arena.AllValid(len(rows))
			}
			for row, r := range rows {
				if r == absent {
					v.Valid.Clear(row)
				}
			}
		default:
			v = v.Take(b.Arena, rows)
		}
		b.Cols[k] = v
	}
}

// present is rows with some row in place of those that are absent.
func present(rows []int32) []int32 {
	out := make([]int32, len(rows))
	for i, r := range rows {
		out[i] = max(r, 0)
	}
	return out
}

// explain says which record an error is about, and which part of it.
func explain(c *chunk, r *record, part string, err error) error {
	if row, ok := errors.AsType[*format.RowError](err); ok {
		return fmt.Errorf("%s offset %d: %s%w", c.partition.Name(), r.offset, part, row)
	}
	return err
}
