package runtime

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/watermark"
)

// A snapshot is kept in these sections of a checkpoint. Numbers are varints of package encoding/binary (zigzag for those that can be negative), text and bytes have their length in front,
// lists their number.
//
//	statement     version; flags (1 = finished); rows written; turns of a replay not yet learned from; lessons, each: split, frontier; number of sources;
//	              operators by ID, each: ID, print, number of parts, flags (1 = has state, 2 = had some of it on the disk, and then the names of the runs),
//	              and what became of its rows: number of counters, counters and how much the operator holds, 1 if a row was dropped and then time, deadline and frontier of the latest
//	source/N      name of the table; number of counters, counters; state of the core; splits, each: flags (1 = done), name, offset, frontier; IDs of finished ones
//	origins/N     of each split of source N what it is a split of, in bytes that are the connector's; missing if none knows, as in what was written by programs that did not ask
//	operator/ID/N part N of its state, whose encoding is the operator's
//	operator/ID/run/R, operator/ID/alive/R
//	              a run of records as package spill has them, and which of them live; their values are the operator's
//	sink          what the sink needs to bring to light what it prepared; missing if that is nothing
//	copied        nothing; see CopiedSection
//	about         what only people ask for; see appendAbout. Nobody needs it to go on
//
// A section of a later version may have more counters than are known here; they are skipped. Anything else needs a new version. It is 1 of a statement that had nothing on the disk, and 2 of others.
const (
	snapshotVersion         = 1
	snapshotVersionWithRuns = 2
	statementSection        = "statement"
	sinkSection             = "sink"
)

// Flags of an operator.
const (
	hasState = 1 << iota
	hasRuns
)

// CopiedSection says of a checkpoint that it was another statement's, which may go on from it too. It is empty.
const CopiedSection = "copied"

func sourceSection(i int) string              { return fmt.Sprintf("source/%d", i) }
func originsSection(i int) string             { return fmt.Sprintf("origins/%d", i) }
func operatorSection(id string, i int) string { return fmt.Sprintf("operator/%s/%d", id, i) }

// Save adds the sections of s to a checkpoint. An error is one of reading what s has on a disk; those of the disk under w are told by its Commit.
func (s *Snapshot) Save(w *checkpoint.Writer) error {
	for _, id := range slices.Sorted(maps.Keys(s.Operators)) {
		if err := s.Operators[id].saveRuns(w, id); err != nil {
			return err
		}
	}
	w.Add(statementSection, s.appendStatement(nil))
	for i := range s.Sources {
		w.Add(sourceSection(i), s.Sources[i].append(nil))
		if origins := s.Sources[i].appendOrigins(nil); origins != nil {
			w.Add(originsSection(i), origins)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.Operators)) {
		for i, part := range s.Operators[id].Parts {
			w.Add(operatorSection(id, i), part)
		}
	}
	if s.Sink != nil {
		w.Add(sinkSection, s.Sink)
	}
	if s.About != nil {
		w.Add(aboutSection, s.About.append(nil))
	}
	return nil
}

func (s *Snapshot) appendStatement(b []byte) []byte {
	version := byte(snapshotVersion)
	for _, o := range s.Operators {
		if len(o.Runs) > 0 {
			version = snapshotVersionWithRuns
		}
	}
	b = append(b, version, flagIf(s.Finished))
	b = appendNumbers(b, s.Written, int64(s.Chunks), int64(len(s.Recent)))
	for _, l := range s.Recent {
		b = appendNumbers(b, int64(l.split), int64(l.frontier))
	}
	b = appendNumbers(b, int64(len(s.Sources)))
	ids := slices.Sorted(maps.Keys(s.Counts))
	for id := range s.Operators {
		if _, ok := s.Counts[id]; !ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	b = appendNumbers(b, int64(len(ids)))
	for _, id := range ids {
		b = appendBytes(b, id)
		if o := s.Operators[id]; o != nil {
			b = append(appendNumbers(appendBytes(b, o.Print), int64(len(o.Parts))), hasState)
			if len(o.Runs) > 0 {
				b[len(b)-1] |= hasRuns
				b = appendNumbers(b, int64(len(o.Runs)))
				for _, run := range o.Runs {
					b = appendBytes(b, run)
				}
			}
		} else {
			b = append(appendNumbers(appendBytes(b, ""), 0), 0)
		}
		t := s.Counts[id]
		var size dataflow.Size
		if o := s.Operators[id]; o != nil {
			size = o.Size
		}
		counters := []int64{t.In, t.Out, t.Filtered, t.Absorbed, t.Dropped, size.Groups, size.Rows}
		if t.Late > 0 {
			counters = append(counters, t.Late) // few operators have it
		}
		b = appendList(b, counters...)
		if w := t.Worst; w != nil {
			b = appendNumbers(append(b, 1), w.Time, w.Deadline, int64(w.Frontier))
		} else {
			b = append(b, 0)
		}
	}
	return b
}

func (s *SourceSnapshot) append(b []byte) []byte {
	c := s.Counts
	b = appendList(appendBytes(b, s.Table), c.Rows, c.Bytes, c.Skipped, c.NullTime, c.Late)
	b = appendBytes(b, s.Core)
	b = appendNumbers(b, int64(len(s.Splits)))
	for _, p := range s.Splits {
		b = appendNumbers(appendBytes(append(b, flagIf(p.Done)), p.Name), p.Offset, int64(p.Frontier))
	}
	b = appendNumbers(b, int64(len(s.Finished)))
	for _, id := range s.Finished {
		b = append(b, id[:]...)
	}
	return b
}

// appendOrigins leaves b as it is if no split knows its origin.
func (s *SourceSnapshot) appendOrigins(b []byte) []byte {
	if !slices.ContainsFunc(s.Splits, func(p SplitSnapshot) bool { return len(p.Origin) > 0 }) {
		return b
	}
	b = appendNumbers(b, int64(len(s.Splits)))
	for _, p := range s.Splits {
		b = appendBytes(b, p.Origin)
	}
	return b
}

// LoadSnapshot reads what Save wrote, by this program or an older one, except for what was on the disk, which is read when it is restored: r is the snapshot's from now on, to be closed by Release.
func LoadSnapshot(r *checkpoint.Reader) (*Snapshot, error) {
	s, err := LoadOutline(r)
	if err != nil {
		return nil, err
	}
	for id, o := range s.Operators {
		for i := range o.Parts {
			if o.Parts[i], err = r.Section(operatorSection(id, i)); err != nil {
				return nil, err
			}
		}
	}
	if slices.Contains(r.Sections(), sinkSection) {
		if s.Sink, err = r.Section(sinkSection); err != nil {
			return nil, err
		}
	}
	s.Copied = slices.Contains(r.Sections(), CopiedSection)
	s.from = r
	return s, nil
}

// StateSize is how many bytes of a checkpoint are the state of an operator of the snapshot in it.
func (s *Snapshot) StateSize(r *checkpoint.Reader, operator string) (n int64) {
	for i := range s.Operators[operator].Parts {
		n += r.Length(operatorSection(operator, i))
	}
	for _, run := range s.Operators[operator].Runs {
		n += r.Length(runSection(operator, run)) + r.Length(aliveSection(operator, run))
	}
	return n
}

// SinkSize is how many bytes of a checkpoint the sink needs to bring to light what it prepared.
func SinkSize(r *checkpoint.Reader) int64 { return r.Length(sinkSection) }

// LoadOutline reads a snapshot without the state of operators and sink, however much that is.
func LoadOutline(r *checkpoint.Reader) (*Snapshot, error) {
	b, err := r.Section(statementSection)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{ID: r.ID, Operators: map[string]*OperatorSnapshot{}, Counts: map[string]dataflow.Totals{}}
	d := &snapshotDecoder{src: b, sections: r.Sections()}
	d.statement(s)
	if err := d.end(); err != nil {
		return nil, fmt.Errorf("read section '%s' of checkpoint %d: %w", statementSection, r.ID, err)
	}
	for i := range s.Sources {
		if b, err = r.Section(sourceSection(i)); err != nil {
			return nil, err
		}
		d := &snapshotDecoder{src: b}
		d.source(&s.Sources[i])
		if err := d.end(); err != nil {
			return nil, fmt.Errorf("read section '%s' of checkpoint %d: %w", sourceSection(i), r.ID, err)
		}
		if !slices.Contains(r.Sections(), originsSection(i)) {
			continue
		}
		if b, err = r.Section(originsSection(i)); err != nil {
			return nil, err
		}
		d = &snapshotDecoder{src: b}
		d.origins(&s.Sources[i])
		if err := d.end(); err != nil {
			return nil, fmt.Errorf("read section '%s' of checkpoint %d: %w", originsSection(i), r.ID, err)
		}
	}
	if slices.Contains(r.Sections(), aboutSection) {
		if b, err = r.Section(aboutSection); err != nil {
			return nil, err
		}
		d := &snapshotDecoder{src: b}
		s.About = d.about()
		if err := d.end(); err != nil {
			return nil, fmt.Errorf("read section '%s' of checkpoint %d: %w", aboutSection, r.ID, err)
		}
	}
	return s, nil
}

func flagIf(on bool) byte {
	if on {
		return 1
	}
	return 0
}

func appendNumbers(b []byte, numbers ...int64) []byte {
	for _, n := range numbers {
		b = binary.AppendVarint(b, n)
	}
	return b
}

func appendList(b []byte, numbers ...int64) []byte {
	return appendNumbers(binary.AppendVarint(b, int64(len(numbers))), numbers...)
}

func appendBytes[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendVarint(b, int64(len(s))), s...)
}

// snapshotDecoder reads a section; after the first error everything it reads is zero.
type snapshotDecoder struct {
	src      []byte
	sections []string // of the checkpoint
	err      error
}

var errSnapshot = errors.New("it makes no sense")

func (d *snapshotDecoder) number() int64 {
	n, size := binary.Varint(d.src)
	if size <= 0 {
		d.src, d.err = nil, errSnapshot
		return 0
	}
	d.src = d.src[size:]
	return n
}

// count is a number of things of which each takes at least a byte.
func (d *snapshotDecoder) count() int {
	n := d.number()
	if n < 0 || n > int64(len(d.src)) {
		d.src, d.err = nil, errSnapshot
		return 0
	}
	return int(n)
}

// follows is a number of sections whose names begin with prefix.
func (d *snapshotDecoder) follows(prefix string) int {
	n, there := d.number(), 0
	for _, name := range d.sections {
		if strings.HasPrefix(name, prefix) {
			there++
		}
	}
	if n < 0 || n > int64(there) {
		d.src, d.err = nil, errSnapshot
		return 0
	}
	return int(n)
}

func (d *snapshotDecoder) take(n int) []byte {
	if n > len(d.src) {
		d.src, d.err = nil, errSnapshot
		return make([]byte, n)
	}
	b := d.src[:n:n]
	d.src = d.src[n:]
	return b
}

func (d *snapshotDecoder) bytes() []byte { return d.take(d.count()) }
func (d *snapshotDecoder) byte() byte    { return d.take(1)[0] }

// counters reads as many of a list as there are known ones.
func (d *snapshotDecoder) counters(known ...*int64) {
	for i := range d.count() {
		n := d.number()
		if i < len(known) {
			*known[i] = n
		}
	}
}

func (d *snapshotDecoder) end() error {
	if d.err == nil && len(d.src) > 0 {
		return errSnapshot
	}
	return d.err
}

func (d *snapshotDecoder) statement(s *Snapshot) {
	if v := d.byte(); d.err == nil && v != snapshotVersion && v != snapshotVersionWithRuns {
		d.src, d.err = nil, fmt.Errorf("it has version %d, and this program reads versions up to %d", v, snapshotVersionWithRuns)
		return
	}
	s.Finished = d.byte() == 1
	s.Written, s.Chunks = d.number(), int(d.number())
	for range d.count() {
		s.Recent = append(s.Recent, lesson{int(d.number()), watermark.Frontier(d.number())})
	}
	s.Sources = make([]SourceSnapshot, d.follows("source/"))
	for range d.count() {
		id, print := string(d.bytes()), string(d.bytes())
		parts := d.follows("operator/" + id + "/")
		if flags := d.byte(); flags&hasState != 0 {
			o := &OperatorSnapshot{Print: print, Parts: make([][]byte, parts)}
			if flags&hasRuns != 0 {
				for range d.count() {
					o.Runs = append(o.Runs, string(d.bytes()))
				}
			}
			s.Operators[id] = o
		}
		var t dataflow.Totals
		var size dataflow.Size
		d.counters(&t.In, &t.Out, &t.Filtered, &t.Absorbed, &t.Dropped, &size.Groups, &size.Rows, &t.Late)
		if o := s.Operators[id]; o != nil {
			o.Size = size
		}
		if d.byte() == 1 {
			t.Worst = &dataflow.Dropped{Time: d.number(), Deadline: d.number(), Frontier: watermark.Frontier(d.number())}
		}
		s.Counts[id] = t
	}
}

func (d *snapshotDecoder) source(s *SourceSnapshot) {
	c := &s.Counts
	s.Table = string(d.bytes())
	d.counters(&c.Rows, &c.Bytes, &c.Skipped, &c.NullTime, &c.Late)
	s.Core = d.bytes()
	for range d.count() {
		done := d.byte() == 1
		s.Splits = append(s.Splits, SplitSnapshot{Name: string(d.bytes()), Offset: d.number(), Done: done, Frontier: watermark.Frontier(d.number())})
	}
	for range d.count() {
		var id connector.SplitID
		copy(id[:], d.take(len(id)))
		s.Finished = append(s.Finished, id)
	}
}

func (d *snapshotDecoder) origins(s *SourceSnapshot) {
	if n := d.count(); n != len(s.Splits) {
		d.src, d.err = nil, errSnapshot
		return
	}
	for i := range s.Splits {
		if origin := d.bytes(); len(origin) > 0 {
			s.Splits[i].Origin = origin
		}
	}
}
