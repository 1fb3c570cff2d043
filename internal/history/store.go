package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/folders"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

const (
	// Minute is how far apart values are, in microseconds.
	Minute = 60_000_000
	// Days are how many whole days are kept beside the one that has not ended.
	Days = 7
	// UsualBytes is the limit of the folder unless another one is asked for.
	UsualBytes = 256 << 20

	hoursPerDay  = 24
	minutesFile  = "minutes"
	daySuffix    = ".day"
	mostPending  = 3 // hours that are kept in memory while they cannot be written
	temporary    = ".new"
	layout       = "2006-01-02"
	secondsOfDay = 86_400
)

// Store is the history of the statements of one server. Any goroutine may use it.
type Store struct {
	dir   string
	limit int64

	mu      sync.RWMutex
	minutes *file
	hours   map[int64]map[string]*sheet // those that are not in the file of their day yet, by number and statement
	days    map[int64]*day
	dropped map[int64]drop // days of which something was dropped, since there was no room
	// steady is the day up to which the clock has come twice in a row: what it says once may be a mistake.
	steady, before int64
}

// Minutes are what a statement, by the ID that is its own for ever, had in a minute.
type Minutes struct {
	ID     string
	Values []Value
}

// Open reads what is in a folder, which is made if it is not there, and leaves out statements that known does not know any more. limit is how many bytes the folder may have; 0 is UsualBytes.
func Open(dir string, limit int64, known func(id string) bool) (*Store, error) {
	if limit <= 0 {
		limit = UsualBytes
	}
	s := &Store{dir: dir, limit: limit, hours: map[int64]map[string]*sheet{}, days: map[int64]*day{}, dropped: map[int64]drop{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, failed("open", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, failed("open", err)
	}
	var room []byte
	for _, e := range entries {
		if err := s.openEntry(e.Name(), &room, known); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	s.minutes, err = openFile(filepath.Join(dir, minutesFile), &room, func(_ place, payload []byte) { s.readMinute(payload, known) })
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// openEntry reads a file of the folder.
func (s *Store) openEntry(name string, room *[]byte, known func(string) bool) error {
	if strings.HasSuffix(name, temporary) {
		if err := os.Remove(filepath.Join(s.dir, name)); err != nil {
			return failed("open", err)
		}
		return nil
	}
	if text, ok := strings.CutSuffix(name, daySuffix); ok {
		if number, ok := parseDay(text); ok {
			d, err := openDay(s.dir, number, room, known)
			if err != nil {
				return err
			}
			s.days[number] = d
		}
		return nil
	}
	for _, what := range []drop{droppedSplits, droppedDay} {
		if number, ok := parseDay(strings.TrimSuffix(name, what.suffix())); ok {
			s.dropped[number] = max(s.dropped[number], what)
		}
	}
	return nil
}

// hourOf is the number of the hour of a minute, and which of its minutes that is.
func hourOf(minute int64) (hour int64, at int) {
	hour = timefmt.FloorDiv(minute, perHour)
	return hour, int(minute - hour*perHour)
}

func (s *Store) sheet(hour int64, id string) *sheet {
	all := s.hours[hour]
	if all == nil {
		all = map[string]*sheet{}
		s.hours[hour] = all
	}
	if all[id] == nil {
		all[id] = newSheet()
	}
	return all[id]
}

// Add notes a minute, the number of whole minutes since the epoch, and writes it to the disk. Of a minute that is there already the new values count. After an error the minute is known as long
// as the store is open, and so is the hour, which is written when that is possible again.
func (s *Store) Add(minute int64, all []Minutes) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	hour, at := hourOf(minute)
	var blocks []byte
	for _, m := range all {
		if len(m.Values) == 0 {
			continue
		}
		sheet := s.sheet(hour, m.ID)
		sheet.add(at, m.Values)
		blocks = appendBlock(blocks, m.ID, appendChunk(nil, sheet.only(at)))
	}
	sealed, err := s.seal(hour)
	if blocks == nil {
		return err
	}
	// A file is written through at most: in the minute in which an hour ends its chunks are, and the minute follows with the next one.
	record := appendRecord(nil, append(binary.AppendVarint(nil, minute), blocks...))
	if err := errors.Join(err, s.minutes.append(record)); err != nil || sealed {
		return err
	}
	return s.minutes.sync()
}

// appendBlock writes what one statement has of a minute.
func appendBlock(dst []byte, id string, chunk []byte) []byte {
	dst = appendText(dst, id)
	return append(binary.AppendUvarint(dst, uint64(len(chunk))), chunk...)
}

// readMinute takes over a record of the file of minutes.
func (s *Store) readMinute(payload []byte, known func(string) bool) {
	r := &reader{b: payload}
	hour, _ := hourOf(r.varint())
	for len(r.b) > 0 && !r.bad {
		id := r.text()
		chunk := r.text()
		if !r.bad && known(id) {
			_ = s.sheet(hour, id).read([]byte(chunk)) // what cannot be read is not there
		}
	}
}

// seal writes the hours that are over into the files of their days, and begins the file of minutes anew. It reports whether something was written through.
func (s *Store) seal(now int64) (bool, error) {
	over := slices.Sorted(maps.Keys(s.hours))
	over = slices.DeleteFunc(over, func(hour int64) bool { return hour == now })
	if len(over) == 0 {
		return false, nil
	}
	before := s.bytes()
	var err error
	written := map[*day]bool{}
	for _, hour := range over {
		d, wrong := s.sealHour(hour)
		err = errors.Join(err, wrong)
		written[d] = true
	}
	for d := range written {
		if d != nil {
			err = errors.Join(err, d.file.sync())
		}
	}
	if err != nil {
		for _, hour := range over[:max(0, len(over)-mostPending)] {
			delete(s.hours, hour)
		}
		return true, err
	}
	for _, hour := range over {
		delete(s.hours, hour)
	}
	taken := s.minutes.size + s.bytes() - before
	s.minutes.size = 0
	today := timefmt.FloorDiv(now, hoursPerDay)
	s.steady, s.before = min(s.before, today), today
	return true, errors.Join(s.minutes.cut(), s.makeRoom(today, taken))
}

// sealHour appends an hour to the file of its day, which is to be written through then; nil with an error.
func (s *Store) sealHour(hour int64) (*day, error) {
	number := timefmt.FloorDiv(hour, hoursPerDay)
	d := s.days[number]
	if d == nil {
		var err error
		if d, err = openDay(s.dir, number, new([]byte), func(string) bool { return true }); err != nil {
			return nil, err
		}
		s.days[number] = d
		if err := folders.Sync(s.dir); err != nil {
			return nil, failed("write", err)
		}
	}
	var chunks []chunk
	var b []byte
	for _, id := range slices.Sorted(maps.Keys(s.hours[hour])) {
		for _, wide := range []bool{false, true} {
			columns := s.hours[hour][id].part(wide)
			if len(columns) == 0 {
				continue
			}
			c := chunk{id: id, hour: hour, wide: wide}
			payload := appendChunk(c.appendHead(nil), columns)
			c.place = place{d.file.size + int64(len(b)), int32(len(payload))}
			b = appendRecord(b, payload)
			chunks = append(chunks, c)
		}
	}
	if err := d.file.append(b); err != nil {
		return nil, err
	}
	d.chunks = append(d.chunks, chunks...)
	return d, nil
}

// Forget drops what there is of a statement. Its bytes go when the file of a day is half empty, or the day is over.
func (s *Store) Forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, all := range s.hours {
		delete(all, id)
	}
	for _, d := range s.days {
		d.drop(func(c *chunk) bool { return c.id == id })
	}
}

// Close closes the files. What was added is in them.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all error
	for _, d := range s.days {
		all = errors.Join(all, d.file.f.Close())
	}
	if s.minutes != nil {
		all = errors.Join(all, s.minutes.f.Close())
	}
	if all != nil {
		return fault.Wrap(fault.OfIO(all), fmt.Errorf("close the history of statements: %w", all))
	}
	return nil
}
