package script

import (
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/handover"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// feed is everything that a script has handed to its tables, in the order of arrival. It outlives a crash of the job: what was read and not
// saved is read again, in the same order over all splits.
type feed struct {
	tables  []*table // in the order in which the engine learned of them
	arrived int
	readers []*split // of the running job, in the order in which it numbers them
}

// table is a table with connector 'script'.
type table struct {
	name   string
	schema types.Schema
	// metadata has the key of each column that the rows of a script do not have, "" for the others; nil if they have them all.
	metadata []string
	bounded  bool
	messages bool // its rows are in messages, which a statement reads under any columns
	changes  connector.Changelog
	splits   [][]arrival
	groups   []string           // of splits that are out of reach together, by split; nil if they are all one
	down     []bool             // splits that cannot be read
	held     []bool             // splits that are paused
	upstream *handover.Upstream // what its writers have promised, also to a job that went down; nil unless the watermark is handed over
}

// arrival is rows that came together, or the end of a split.
type arrival struct {
	number int // over all splits of all tables
	rows   []fedRow
	at     int64 // wall clock
	end    bool
}

// fedRow is a row with the change that it stands for, or a record that cannot be read.
type fedRow struct {
	op      vector.Op
	cells   []cell
	unread  *unread
	message *message // of a table of messages; then there is nothing else
}

// unread is a record that cannot be read, and how many rows and records of its split came before.
type unread struct {
	text string
	at   int64
}

// table finds a table: as the job reads it, or as it was declared last.
func (f *feed) table(name string) *table {
	for _, r := range f.readers {
		if r.table.name == name {
			return r.table
		}
	}
	for _, t := range slices.Backward(f.tables) {
		if t.name == name {
			return t
		}
	}
	return nil
}

// declare notes a table. The engine does so again and again, and what it declares anew has what has arrived; with another definition, which a job
// that runs does not know, it is another table.
func (f *feed) declare(declared connector.Table, splits int, bounded, messages bool, changes connector.Changelog) *table {
	for _, t := range f.tables {
		if t.name == declared.Name && t.bounded == bounded && t.changes == changes && len(t.splits) == splits && t.messages == messages &&
			(messages || slices.Equal(t.schema, declared.Schema) && slices.Equal(t.metadata, declared.Metadata)) {
			return t
		}
	}
	t := &table{name: declared.Name, schema: declared.Schema, metadata: declared.Metadata, bounded: bounded, messages: messages, changes: changes, splits: make([][]arrival, splits), held: make([]bool, splits), down: make([]bool, splits)}
	f.tables = append(f.tables, t)
	return t
}

// written are the columns that a row of a script has.
func (t *table) written() types.Schema {
	if t.metadata == nil {
		return t.schema
	}
	var schema types.Schema
	for i, f := range t.schema {
		if t.metadata[i] == "" {
			schema = append(schema, f)
		}
	}
	return schema
}

// whole adds the metadata to a row that comes by a split, as one of so many, at an instant.
func (t *table) whole(row []cell, split int, offset, now int64) []cell {
	if t.metadata == nil {
		return row
	}
	var all []cell
	for _, key := range t.metadata {
		switch key {
		case metadataSplit:
			all = append(all, cell{number: int64(split)})
		case metadataArrival:
			all = append(all, cell{number: now})
		case metadataOffset:
			all = append(all, cell{number: offset})
		default:
			all, row = append(all, row[0]), row[1:]
		}
	}
	return all
}

// names lists the tables that the job reads.
func (f *feed) names() []string {
	var names []string
	for _, r := range f.readers {
		if !slices.Contains(names, r.table.name) {
			names = append(names, r.table.name)
		}
	}
	return names
}

// given is how many rows a split was given.
func (t *table) given(split int) int64 {
	n := 0
	for _, a := range t.splits[split] {
		n += len(a.rows)
	}
	return int64(n)
}

// rows hands rows over that arrive now.
func (f *feed) rows(t *table, split int, rows []fedRow, now int64) {
	t.splits[split] = append(t.splits[split], arrival{number: f.arrived, rows: rows, at: now})
	f.arrived++
}

// end ends one split of t.
func (f *feed) end(t *table, split int) {
	t.splits[split] = append(t.splits[split], arrival{number: f.arrived, end: true})
	f.arrived++
}

func (t *table) ended(split int) bool {
	a := t.splits[split]
	return len(a) > 0 && a[len(a)-1].end
}

// check tells whether split is one of t that is still open.
func (t *table) check(split int) error {
	if split >= len(t.splits) {
		return fmt.Errorf("table '%s' has %d splits, counted from 0: give it more with 'splits' = '%d'", t.name, len(t.splits), split+1)
	}
	if t.ended(split) {
		return fmt.Errorf("split %d of table '%s' has ended", split, t.name)
	}
	return nil
}

// next is the number of the arrival whose turn it is, or false if the job has read them all.
func (f *feed) next() (number int, ok bool) {
	for _, r := range f.readers {
		if a, more := r.peek(); more && (!ok || a.number < number) {
			number, ok = a.number, true
		}
	}
	return number, ok
}

// delivered counts the rows that readers of the job have taken so far, over all its tables.
func (f *feed) delivered() int64 {
	n := int64(0)
	for _, r := range f.readers {
		for _, a := range r.table.splits[r.number][:r.at] {
			if !r.table.messages {
				n += int64(len(a.rows))
				continue
			}
			for _, row := range a.rows {
				n += row.message.count(r.layout)
			}
		}
	}
	return n
}

// finish takes the splits out of the order of arrivals that a restored job has not set back, because they had ended.
func (f *feed) finish() {
	for _, r := range f.readers {
		if !r.resumed {
			r.done, r.at = true, len(r.table.splits[r.number])
		}
	}
}
