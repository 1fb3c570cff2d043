package script

import (
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/handover"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Word is what a statement that writes to a table says of itself.
type Word struct {
	Writer string
	// Frontier is what it promises of its rows to come.
	Frontier watermark.Frontier
	State    handover.State
}

var states = map[string]handover.State{"idle": handover.Idle, "stopped": handover.Stopped, "ended": handover.Ended}

// promise reads the arguments up to the state.
func (b *Block) promise(words []string) (rest []string, err error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("promise of which table?")
	}
	b.Table, words = words[0], words[1:]
	if len(words) < 3 || words[0] != "by" {
		return nil, fmt.Errorf("a promise is made by a writer, and has a watermark")
	}
	b.Word = Word{Writer: words[1], Frontier: watermark.Unset}
	if len(b.Word.Writer) > len(handover.Writer{}) {
		return nil, fmt.Errorf("the name of writer '%s' has more than %d bytes", b.Word.Writer, len(handover.Writer{}))
	}
	if words[2] != "none" {
		w, _, ok := parseTime(words[2])
		if !ok {
			return nil, fmt.Errorf("'%s' is not a watermark, such as 00:00:05 or none", words[2])
		}
		b.Word.Frontier = watermark.FromInclusive(w, timefmt.Millisecond)
	}
	words = words[3:]
	if len(words) > 0 {
		if state, ok := states[words[0]]; ok {
			b.Word.State, words = state, words[1:]
		}
	}
	return words, nil
}

// promise lets a writer of a table say how far it is, behind all rows that have arrived there.
func (r *rig) promise(b *Block) error {
	t, err := r.readTable(b)
	if err != nil {
		return err
	}
	if t.upstream == nil {
		return r.errorf(b.Line, "nobody hands a watermark over in table '%s': declare it with '%s' = 'true'", t.name, connector.OptionHandover)
	}
	if err := r.move(b); err != nil {
		return err
	}
	p := handover.Promise{State: b.Word.State, Frontier: b.Word.Frontier}
	ends := map[int32]int64{}
	for i, arrived := range t.splits {
		if ends[int32(i)] = int64(len(arrived)); len(arrived) > 0 {
			p.Ends = append(p.Ends, handover.End{Partition: int32(i), Offset: int64(len(arrived))})
		}
	}
	var w handover.Writer
	copy(w[:], b.Word.Writer)
	t.upstream.Take(w, p, r.clock.Now())
	if t.upstream.Lapse() {
		t.upstream.Fence(ends)
	}
	return r.settle()
}

// HandedOver implements connector.Promised.
func (s *split) HandedOver() watermark.Handover {
	return s.table.upstream.At(int32(s.number), int64(s.at))
}

// told is what a table was told of whoever writes to it.
type told struct {
	table    string
	instant  bool
	frontier watermark.Frontier
	active   bool
}

// promise is the entry of t. A job that starts anew begins by promising nothing.
func (o *output) promise(t connector.Table) *told {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.IndexFunc(o.told, func(x *told) bool { return x.table == t.Name }); i >= 0 {
		return o.told[i]
	}
	column := slices.IndexFunc(t.Schema, func(f types.Field) bool { return f.Name == t.HandedOver })
	x := &told{table: t.Name, instant: t.Schema[column].Type.Kind == types.TimestampLTZ, frontier: watermark.Unset, active: true}
	o.told = append(o.told, x)
	return x
}

// showPromises prints what is handed over in the tables that the statement writes.
func (o *output) showPromises() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.told {
		fmt.Fprintf(&o.text, "into %s %s", t.table, appendWatermark(nil, t.frontier.W(), t.instant))
		if !t.active {
			o.text.WriteString(", idle")
		}
		o.text.WriteString("\n")
	}
}

// promisingSink is a sink of a table in which the watermark is handed over.
type promisingSink struct {
	connector.Sink
	output *output
	told   *told
}

// Promise implements connector.Promising.
func (s *promisingSink) Promise(f watermark.Frontier, active bool) error {
	s.output.mu.Lock()
	defer s.output.mu.Unlock()
	s.told.frontier, s.told.active = f, active
	return nil
}
