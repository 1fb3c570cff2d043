package compile

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// lateness compiles the late rows of a reading: the source knows what made them late.
func (c *compiler) lateness(n *plan.Lateness) ([]stream, error) {
	streams, err := c.reading(n.Input)
	if err == nil {
		c.branch(streams[0]).Tells = true
	}
	return streams, err
}

// misread compiles the records that a reading leaves out.
func (c *compiler) misread(n *plan.Misread) ([]stream, error) {
	streams, err := c.reading(n.Input)
	if err == nil {
		*c.branch(streams[0]) = runtime.Branch{Misread: misreadRows}
	}
	return streams, err
}

// keeping says of the streams of an output that their rows are kept. Each comes from a source by a projection.
func (c *compiler) keeping(streams []stream, out Output) {
	for _, s := range streams {
		chain := c.branch(s).Chain
		chain[len(chain)-1].Keeps = &runtime.Keeping{Source: s.source, Late: out.Keeps == plan.KeptLate, Table: out.Into}
	}
}

// branch is the way of rows as they come from a source.
func (c *compiler) branch(s stream) *runtime.Branch {
	return &c.graph.Sources[s.source].Branches[s.branch]
}

// misreadRows makes the columns of plan.MisreadColumns.
func misreadRows(left []connector.Misread, now int64, a *vector.Arena) vector.Batch {
	column := func(k vector.Kind) *vector.Builder { return vector.NewBuilder(a, k, len(left)) }
	text := func() *vector.Builder { return column(vector.Bytes) }
	code, reason, message := column(vector.Int64), text(), text()
	origin, partition, offset := text(), column(vector.Int64), column(vector.Int64)
	time, timeType, key, value := column(vector.Int64), text(), text(), text()
	details, headers := newMaps(a, len(left)), newMaps(a, len(left))
	for i := range left {
		r := &left[i]
		code.AppendInt(int64(r.Code))
		reason.AppendBytes([]byte(r.Code.String()))
		message.AppendBytes(valid(r.Message))
		for _, d := range r.Details {
			details.add(d.Name, valid(d.Text))
		}
		details.end(i)
		origin.AppendBytes([]byte(r.Origin))
		offset.AppendInt(r.Offset)
		appendBytes(value, r.Value)
		t := r.Topic
		if t == nil {
			partition.AppendNull()
			time.AppendNull()
			timeType.AppendNull()
			key.AppendNull()
			headers.null(i)
			continue
		}
		partition.AppendInt(t.Partition)
		time.AppendInt(t.Timestamp)
		timeType.AppendBytes([]byte(t.TimestampType))
		appendBytes(key, t.Key)
		for _, h := range t.Headers {
			headers.add(h.Name, h.Value)
		}
		headers.end(i)
	}
	at, record := a.Constant(vector.Int64), a.Flat(vector.Bytes, len(left))
	at.Ints[0] = now - now%1000 // the type has milliseconds
	nested.PackRows(a, []*vector.Vector{origin.Done(), partition.Done(), offset.Done(), time.Done(), timeType.Done(), headers.done(), key.Done(), value.Done()}, vector.All(len(left)), record)
	cols := a.Columns(len(plan.MisreadColumns))
	copy(cols, []*vector.Vector{at, code.Done(), reason.Done(), message.Done(), details.done(), record})
	return vector.Batch{N: len(left), Cols: cols, Arena: a}
}

// appendBytes appends what may be NULL.
func appendBytes(b *vector.Builder, data []byte) {
	if data == nil {
		b.AppendNull()
	} else {
		b.AppendBytes(data)
	}
}

// valid is s as a STRING can have it.
func valid(s string) []byte { return []byte(strings.ToValidUTF8(s, "\ufffd")) }

// maps builds a column of maps from text to bytes.
type maps struct {
	arena        *vector.Arena
	keys, values *vector.Builder
	ends         []int32
	nulls        []int
}

func newMaps(a *vector.Arena, rows int) *maps {
	return &maps{arena: a, keys: vector.NewBuilder(a, vector.Bytes, 0), values: vector.NewBuilder(a, vector.Bytes, 0), ends: a.Sel(rows)}
}

// add adds an entry to the map of the row at hand.
func (m *maps) add(key string, value []byte) {
	m.keys.AppendBytes(valid(key))
	appendBytes(m.values, value)
}

// end ends the map of a row, null makes it NULL.
func (m *maps) end(row int) { m.ends[row] = int32(m.keys.Len()) }

func (m *maps) null(row int) {
	m.end(row)
	m.nulls = append(m.nulls, row)
}

func (m *maps) done() *vector.Vector {
	out := m.arena.Flat(vector.Bytes, len(m.ends))
	nested.PackMap(m.arena, m.keys.Done(), m.values.Done(), m.ends, vector.All(len(m.ends)), out)
	if m.nulls != nil {
		out.Valid = m.arena.AllValid(len(m.ends))
		for _, row := range m.nulls {
			out.Valid.Clear(row)
		}
	}
	return out
}
